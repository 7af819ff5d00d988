import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { readConfig, UsageError } from '../config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerIn } from '../ledger/sqlite.ts';
import { Problem } from '../problems.ts';
import { type Access, checkOutside, createAccess } from './access.ts';

const ISSUER = 'https://login.example.com/';
const NOW = Date.now();
const refused = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

describe('tokens of an outside issuer', () => {
  let folder: string;
  let ledger: Ledger;
  let server: Server;
  let access: Access;
  let key: CryptoKey;
  let served: { keys: JWK[] };
  let url: string;

  const configure = (settings: Record<string, string> = {}) =>
    readConfig({ outsideIssuer: ISSUER, outsideAudience: 'reports', outsideJwksUrl: url, ...settings }, {});
  const open = (settings: Record<string, string> = {}) =>
    createAccess({ ledger, config: configure(settings), clock: () => NOW });

  before(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    key = pair.privateKey;
    served = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'outside-1', alg: 'ES256' }] };
    server = createServer((_request, response) => response.end(JSON.stringify(served)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    folder = await mkdtemp(join(tmpdir(), 'daypart-outside-'));
    ledger = await openLedgerIn(folder);
    access = await open();
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });

  const claims = {
    ...{ iss: ISSUER, aud: ['reports', 'other'], exp: Math.floor(NOW / 1000) + 600, sub: 'user-1' },
    ...{ client_id: 'app-1', scope: 'enterprise-metrics:read openid', management_group: 'violet' },
  };
  const token = (changes: Record<string, unknown> = {}, signer: CryptoKey = key, kid = 'outside-1') =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'ES256', kid }).sign(signer);

  it('are accepted, and their group comes to be', async () => {
    assert.deepEqual(await access.verify(await token()), {
      ...{ clientId: 'outside:app-1', group: 'violet', dialect: 'reference' },
      scopes: ['enterprise-metrics:read', 'openid'],
    });
    assert.deepEqual(await ledger.groups(), ['violet']);
  });

  it('may name the client by azp or sub and the scopes by a list or scp', async () => {
    const { client_id: _, ...nameless } = claims;
    const sign = (changes: object) =>
      new SignJWT({ ...nameless, ...changes }).setProtectedHeader({ alg: 'ES256', kid: 'outside-1' }).sign(key);

    const byAzp = await access.verify(await sign({ azp: 'app-2', scope: ['ingest:write'] }));
    const bySub = await access.verify(await sign({ scope: undefined, scp: 'ingest:write' }));

    assert.deepEqual([byAzp.clientId, byAzp.scopes], ['outside:app-2', ['ingest:write']]);
    assert.deepEqual([bySub.clientId, bySub.scopes], ['outside:user-1', ['ingest:write']]);
  });

  it('have the configured dialect and group claim', async () => {
    const other = await open({ outsideDialect: 'live', outsideGroupClaim: 'https://example.com/tenant' });

    const caller = await other.verify(await token({ 'https://example.com/tenant': 'indigo' }));

    assert.deepEqual([caller.dialect, caller.group], ['live', 'indigo']);
  });

  it('are refused for a wrong audience, end, group, client, key or algorithm', async () => {
    const stranger = await generateKeyPair('ES256');
    const { exp: _, ...endless } = claims;
    const shared = new TextEncoder().encode(JSON.stringify(served.keys[0]));
    for (const wrong of [
      await token({ aud: 'another' }),
      await token({ exp: Math.floor(NOW / 1000) - 5 }),
      await new SignJWT(endless).setProtectedHeader({ alg: 'ES256', kid: 'outside-1' }).sign(key),
      await token({ management_group: '' }),
      await token({ management_group: ['violet'] }),
      await token({ client_id: 1, sub: undefined }),
      await token({ iss: 'https://login.example.org/' }),
      await token({}, stranger.privateKey),
      await token({}, stranger.privateKey, 'outside-2'),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'outside-1' }).sign(shared),
    ]) {
      await assert.rejects(access.verify(wrong), refused('token_invalid'), wrong);
    }
  });

  it('cannot be judged while the keys cannot be fetched, which is nobody’s bad token', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));

    const unreachable = await open({ outsideJwksUrl: `http://127.0.0.1:${port}/jwks` });

    await assert.rejects(unreachable.verify(await token()), refused('unavailable'));
    await assert.rejects(unreachable.verify(await token({ iss: 'https://nobody.example' })), refused('token_invalid'));
  });

  it('are refused when no outside issuer is configured', async () => {
    const inside = await createAccess({ ledger, config: readConfig({}, {}), clock: () => NOW });

    await assert.rejects(inside.verify(await token()), refused('token_invalid'));
  });

  it('need issuer, audience and keys together', () => {
    checkOutside(readConfig({}, {}));
    checkOutside(configure());

    const halves = readConfig({ outsideIssuer: ISSUER }, {});
    assert.throws(
      () => checkOutside(halves),
      (error) => error instanceof UsageError && /--outside-audience and --outside-jwks-url/.test(error.message),
    );
    assert.throws(
      () => checkOutside(readConfig({ outsideJwksUrl: url, outsideAudience: 'a' }, {})),
      /--outside-issuer/,
    );
  });
});
