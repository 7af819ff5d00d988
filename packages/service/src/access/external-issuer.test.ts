import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generateKeyPair, SignJWT } from 'jose';
import { AUDIENCE, ISSUER, type Issuer, startIssuer } from '../../../../test/journeys/issuer.ts';
import { readConfig, SettingError } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerIn } from '../ledger/sqlite/sqlite.ts';
import { type Access, checkExternalIssuer, createAccess } from './access.ts';

const NOW = Date.now();
const refused = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

describe('tokens of an external issuer', () => {
  let folder: string;
  let ledger: Ledger;
  let issuer: Issuer;
  let access: Access;

  const configure = (settings: Record<string, string> = {}) =>
    readConfig(
      { externalIssuer: ISSUER, externalAudience: AUDIENCE, externalJwksUrl: issuer.jwksUrl, ...settings },
      {},
    );
  const open = (settings: Record<string, string> = {}) =>
    createAccess({ ledger, config: configure(settings), clock: () => NOW });

  before(async () => {
    issuer = await startIssuer();
    folder = await mkdtemp(join(tmpdir(), 'daypart-external-'));
    ledger = await openLedgerIn(folder);
    access = await open();
  });
  after(async () => {
    await issuer.close();
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });

  const claims = {
    iss: ISSUER,
    aud: [AUDIENCE, 'other'],
    exp: Math.floor(NOW / 1000) + 600,
    sub: 'user-1',
    client_id: 'app-1',
    scope: 'enterprise-metrics:read openid',
    management_group: 'violet',
  };
  const token = (changes: Record<string, unknown> = {}, options: Parameters<Issuer['sign']>[1] = {}) =>
    issuer.sign({ ...claims, ...changes }, options);

  it('are accepted, and their group comes to be', async () => {
    assert.deepEqual(await access.verify(await token()), {
      clientId: 'outside:app-1',
      group: 'violet',
      dialect: 'reference',
      scopes: ['enterprise-metrics:read', 'openid'],
    });
    assert.deepEqual(await ledger.groups(), ['violet']);
  });

  it('may name the client by azp or sub and the scopes by a list or scp', async () => {
    const { client_id: _, ...nameless } = claims;

    const byAzp = await access.verify(await issuer.sign({ ...nameless, azp: 'app-2', scope: ['ingest:write'] }));
    const bySub = await access.verify(await issuer.sign({ ...nameless, scope: undefined, scp: 'ingest:write' }));

    assert.deepEqual([byAzp.clientId, byAzp.scopes], ['outside:app-2', ['ingest:write']]);
    assert.deepEqual([bySub.clientId, bySub.scopes], ['outside:user-1', ['ingest:write']]);
  });

  it('manage all groups only with the claim and value of the setting', async () => {
    const request = { scope: 'access:admin groups:admin', role: ['vendor', 'staff'] };
    const allowing = await open({ externalGroupsAdmin: 'role=vendor' });
    const scopesOf = async (by: Access, changes: Record<string, unknown>) =>
      (await by.verify(await token({ ...request, ...changes }))).scopes;

    assert.deepEqual(await scopesOf(access, {}), ['access:admin']);
    assert.deepEqual(await scopesOf(access, { scope: undefined, scp: ['groups:admin'] }), []);
    assert.deepEqual(await scopesOf(allowing, {}), ['access:admin', 'groups:admin']);
    assert.deepEqual(await scopesOf(allowing, { role: 'vendor' }), ['access:admin', 'groups:admin']);
    for (const role of ['vendors', ['staff'], undefined, null, { vendor: true }])
      assert.deepEqual(await scopesOf(allowing, { role }), ['access:admin'], JSON.stringify(role));
    assert.deepEqual(await scopesOf(allowing, { scope: 'access:admin' }), ['access:admin'], 'the scope is needed, too');
    for (const wrong of ['role', '=vendor', 'role='])
      assert.throws(() => configure({ externalGroupsAdmin: wrong }), /a claim and its value/, wrong);
  });

  it('have the configured dialect and group claim', async () => {
    const other = await open({ externalDialect: 'live', externalGroupClaim: 'https://example.com/tenant' });

    const caller = await other.verify(await token({ 'https://example.com/tenant': 'indigo' }));

    assert.deepEqual([caller.dialect, caller.group], ['live', 'indigo']);
  });

  it('are refused for a wrong audience, end, group, client, key or algorithm', async () => {
    const stranger = await generateKeyPair('ES256');
    const { exp: _, ...endless } = claims;
    const shared = new TextEncoder().encode(JSON.stringify(issuer.jwk));
    for (const wrong of [
      await token({ aud: 'another' }),
      await token({ exp: Math.floor(NOW / 1000) - 5 }),
      await issuer.sign(endless),
      await token({ management_group: '' }),
      await token({ management_group: ['violet'] }),
      await token({ management_group: ' violet' }),
      await token({ management_group: 'violet\u0007' }),
      await token({ management_group: 'a/../b' }),
      await token({ management_group: 'v'.repeat(101) }),
      await token({ client_id: 1, sub: undefined }),
      await token({ iss: 'https://login.example.org/' }),
      await token({}, { signer: stranger.privateKey }),
      await token({}, { signer: stranger.privateKey, kid: 'external-2' }),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'external-1' }).sign(shared),
    ]) {
      await assert.rejects(access.verify(wrong), refused('token_invalid'), wrong);
    }
  });

  it('are accepted as access tokens by their type, or if nothing says that they are another kind', async () => {
    const unmatched = { aud: AUDIENCE, client_id: undefined, azp: AUDIENCE, nonce: 'n', auth_time: 1 };
    for (const good of [
      await token({}, { typ: 'JWT' }),
      await token({}, { typ: 'at+jwt' }),
      await token(unmatched, { typ: 'application/AT+JWT' }),
      await token({ ...unmatched, typ: 'Bearer' }, { typ: 'JWT' }),
      await token({ ...unmatched, token_use: 'access' }),
      await token({ auth_time: 1, sid: 's' }),
    ]) {
      assert.equal((await access.verify(good)).group, 'violet');
    }
  });

  it('are refused when they are ID, refresh, logout or other tokens of that issuer', async () => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    for (const wrong of [
      await token({}, { typ: 'logout+jwt' }),
      await token({}, { typ: 'dpop+jwt' }),
      await token({}, { typ: 'application/id+jwt' }),
      await token({ events }),
      await token({ events }, { typ: 'at+jwt' }),
      await token({ typ: 'ID' }),
      await token({ typ: 'Refresh' }, { typ: 'JWT' }),
      await token({ typ: 'Logout' }, { typ: 'JWT' }),
      await token({ token_use: 'id' }, { typ: 'JWT' }),
      await token({ nonce: 'n' }, { typ: 'JWT' }),
      await token({ at_hash: 'h' }),
      await token({ c_hash: 'h' }),
      await token({ aud: AUDIENCE, client_id: AUDIENCE }),
      await token({ aud: [AUDIENCE], client_id: undefined, azp: AUDIENCE }, { typ: 'JWT' }),
    ]) {
      await assert.rejects(access.verify(wrong), refused('token_invalid'), wrong);
    }
  });

  it('are answered 503, not 401, while the keys of the issuer cannot be fetched', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));

    const unreachable = await open({ externalJwksUrl: `http://127.0.0.1:${port}/jwks` });

    await assert.rejects(unreachable.verify(await token()), refused('unavailable'));
    await assert.rejects(unreachable.verify(await token({ iss: 'https://nobody.example' })), refused('token_invalid'));
  });

  it('are refused when no external issuer is configured', async () => {
    const inside = await createAccess({ ledger, config: readConfig({}, {}), clock: () => NOW });

    await assert.rejects(inside.verify(await token()), refused('token_invalid'));
  });

  it('need issuer, audience and keys together', () => {
    checkExternalIssuer(readConfig({}, {}));
    checkExternalIssuer(configure());

    const halves = readConfig({ externalIssuer: ISSUER }, {});
    assert.throws(
      () => checkExternalIssuer(halves),
      (error) => error instanceof SettingError && /--external-audience and --external-jwks-url/.test(error.message),
    );
    assert.throws(
      () => checkExternalIssuer(readConfig({ externalJwksUrl: issuer.jwksUrl, externalAudience: 'a' }, {})),
      /--external-issuer/,
    );
  });
});
