import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { type Config, readConfig } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { SCOPE_INGEST, SCOPE_READ, SCOPES } from '../contract/words.ts';
import type { Client } from '../ledger/client.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerIn } from '../ledger/sqlite/sqlite.ts';
import { type Access, createAccess, requireScopes } from './access.ts';
import { callerOf } from './caller.ts';
import { createClient } from './clients.ts';
import { newSigningKey } from './keyring.ts';

const START = Date.UTC(2026, 2, 20, 18);
const ORIGIN = 'http://localhost:8080';
const HOUR = 3_600_000;

interface Fixture {
  ledger: Ledger;
  folder: string;
  access: Access;
  client: Client;
  clock: { now: number };
  /** Another access over the same folder, as after a restart or in a second process. */
  again(): Promise<{ ledger: Ledger; access: Access }>;
}

async function withAccess(work: (fixture: Fixture) => Promise<void>, changes: Partial<Config> = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-access-'));
  const clock = { now: START };
  const config = { ...readConfig({}, {}), tokenSeconds: 3600, ...changes };
  const opened: Ledger[] = [];
  async function again() {
    const ledger = await openLedgerIn(folder);
    opened.push(ledger);
    return { ledger, access: await createAccess({ ledger, config, clock: () => clock.now }) };
  }
  try {
    const { ledger, access } = await again();
    const { id } = await createClient(ledger, { group: 'blue' }, START);
    const client = (await ledger.client(id)) ?? assert.fail();
    await work({ ledger, folder, access, client, clock, again });
  } finally {
    for (const ledger of opened) await ledger.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const tokenOf = async ({ access, client }: Fixture, scopes: readonly string[] = SCOPES): Promise<string> =>
  (await access.issueToken(client, scopes, ORIGIN)).accessToken;
const refused = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims with the key that the service signs with, as only the service could. */
async function signed(ledger: Ledger, claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  const [key] = await ledger.keys();
  assert.ok(key);
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: key.kid, ...header })
    .sign(await importJWK(JSON.parse(key.privateJwk), 'RS256'));
}

describe('an access token', () => {
  it('is a JWT according to RFC 9068', () =>
    withAccess(async (fixture) => {
      const { accessToken, expiresIn, scope } = await fixture.access.issueToken(fixture.client, SCOPES, ORIGIN);

      const { kid, ...header } = decodeProtectedHeader(accessToken);
      const { jti, ...claims } = decodeJwt(accessToken);
      assert.deepEqual(header, { alg: 'RS256', typ: 'at+jwt' });
      assert.deepEqual(kid, (await fixture.ledger.keys()).map((key) => key.kid).join());
      assert.match(String(jti), /^[0-9a-f-]{36}$/);
      assert.deepEqual(claims, {
        iss: ORIGIN,
        sub: fixture.client.id,
        aud: 'daypart',
        client_id: fixture.client.id,
        iat: START / 1000,
        exp: START / 1000 + 3600,
        scope: SCOPES.join(' '),
        management_group: 'blue',
      });
      assert.deepEqual([expiresIn, scope], [3600, SCOPES.join(' ')]);
    }));

  it('speaks for its client, in the group and the dialect of the moment', () =>
    withAccess(async (fixture) => {
      const { ledger, access, client } = fixture;
      const token = await tokenOf(fixture, [SCOPE_READ]);
      const caller = { clientId: client.id, group: 'blue', scopes: [SCOPE_READ] };

      assert.deepEqual(await access.verify(token), { ...caller, dialect: 'reference' });
      await ledger.putClient({ ...client, dialect: 'live' });
      assert.deepEqual(await access.verify(token), { ...caller, dialect: 'live' });
    }));

  it('loses the scopes that its client lost, and ends when its client moves to another group', () =>
    withAccess(async (fixture) => {
      const { ledger, access, client } = fixture;
      const token = await tokenOf(fixture);
      await access.verify(token);

      await ledger.putClient({ ...client, scopes: [SCOPE_INGEST] });
      assert.deepEqual((await access.verify(token)).scopes, [SCOPE_INGEST]);
      await ledger.ensureGroup('amber', START);
      await ledger.putClient({ ...client, group: 'amber' });
      await assert.rejects(access.verify(token), refused('token_invalid'));
    }));

  it('ends at its exp, with no more than a second of leeway, remembered or not', () =>
    withAccess(async (fixture) => {
      const { access, clock, again } = fixture;
      const token = await tokenOf(fixture);
      const fresh = (await again()).access;

      clock.now = START + HOUR + 999;
      assert.equal((await access.verify(token)).group, 'blue');
      clock.now = START + HOUR + 1000;
      await assert.rejects(access.verify(token), /has expired/);
      await assert.rejects(fresh.verify(token), /has expired/);
    }));

  it('lasts as long as promised when it is issued late in a second', () =>
    withAccess(async (fixture) => {
      fixture.clock.now = START + 950;
      const token = await tokenOf(fixture);

      fixture.clock.now += 3600 * 1000;
      assert.equal((await fixture.access.verify(token)).group, 'blue');
    }));

  it('is refused when its client is revoked, even right after it was accepted', () =>
    withAccess(async (fixture) => {
      const token = await tokenOf(fixture);
      const elsewhere = await fixture.again();
      await fixture.access.verify(token);

      await elsewhere.ledger.revokeClient(fixture.client.id, START);
      // Another process commits between the turns of this one's event loop; this stands for the next turn.
      await setImmediate();

      await assert.rejects(fixture.access.verify(token), refused('token_invalid'));
    }));

  it('survives a restart, and is good under another origin', () =>
    withAccess(async (fixture) => {
      const token = await tokenOf(fixture);
      await fixture.ledger.close();

      const { access } = await fixture.again();

      assert.equal((await access.verify(token)).clientId, fixture.client.id);
      const [key] = (await access.jwks()).keys;
      assert.equal(key?.kid, decodeProtectedHeader(token).kid);
    }));

  it('is refused when anything of it was changed', () =>
    withAccess(async (fixture) => {
      const { access, client } = fixture;
      const token = await tokenOf(fixture, [SCOPE_READ]);
      const [header = '', payload = '', signature = ''] = token.split('.');
      const claims = decodeJwt(token);
      const more = base64({ ...claims, management_group: 'amber' });
      const none = base64({ alg: 'none', typ: 'at+jwt' });
      const noneWithKid = base64({ ...decodeProtectedHeader(token), alg: 'none' });
      const secret = new TextEncoder().encode(JSON.stringify((await access.jwks()).keys[0]));
      const symmetric = await new SignJWT(claims)
        .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'HS256' })
        .sign(secret);
      const stranger = await newSigningKey(START);
      const foreign = await new SignJWT(claims)
        .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'RS256' })
        .sign(await importJWK(JSON.parse(stranger.privateJwk), 'RS256'));

      for (const wrong of [
        `${header}.${more}.${signature}`,
        `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
        `${none}.${payload}.`,
        `${noneWithKid}.${payload}.`,
        `${noneWithKid}.${payload}.${signature}`,
        symmetric,
        foreign,
        ...['', 'x', 'a.b.c', `${token}.`, `${header}.${payload}`, client.id, '..', 'é.é.é', `${header}..${signature}`],
      ]) {
        await assert.rejects(access.verify(wrong), refused('token_invalid'), wrong);
      }
    }));

  it('is refused without its type, audience, end, or client, though the key is right', () =>
    withAccess(async (fixture) => {
      const { access, ledger, client } = fixture;
      const claims = {
        iss: 'https://elsewhere.example',
        sub: client.id,
        aud: 'daypart',
        exp: START / 1000 + 60,
        client_id: client.id,
        scope: SCOPE_READ,
        management_group: 'blue',
      };
      const { exp: _exp, ...endless } = claims;

      assert.equal((await access.verify(await signed(ledger, claims))).clientId, client.id);
      for (const wrong of [
        await signed(ledger, claims, { typ: 'JWT' }),
        await signed(ledger, { ...claims, aud: 'another' }),
        await signed(ledger, endless),
        await signed(ledger, { ...claims, client_id: 'client-unknown' }),
        await signed(ledger, { ...claims, nbf: START / 1000 + 30 }),
      ]) {
        await assert.rejects(access.verify(wrong), refused('token_invalid'));
      }
    }));
});

describe('signing keys', () => {
  it('are made once for two services that start on one ledger one after the other', () =>
    withAccess(async ({ ledger, again }) => {
      await again();
      assert.equal((await ledger.keys()).length, 1);
    }));

  it('rotated by another process sign within a second, while tokens of the old key stay good', () =>
    withAccess(async (fixture) => {
      const { access, clock, again } = fixture;
      const old = await tokenOf(fixture);
      const elsewhere = await again();
      const key = await newSigningKey(clock.now);
      await elsewhere.ledger.rotateKey(key);

      clock.now += 1000;
      const young = await tokenOf(fixture);

      assert.equal(decodeProtectedHeader(young).kid, key.kid);
      assert.equal((await access.verify(old)).group, 'blue');
      assert.equal((await access.verify(young)).group, 'blue');
      assert.deepEqual(
        (await access.jwks()).keys.map(({ kid }) => kid).sort(),
        [key.kid, decodeProtectedHeader(old).kid].sort(),
      );
      assert.ok((await access.jwks()).keys.every((published) => !('d' in published) && published.use === 'sig'));
    }));

  it('that are unknown are looked for again, not more than once a second', () =>
    withAccess(async (fixture) => {
      const { access, clock, again } = fixture;
      const elsewhere = await again();
      await elsewhere.ledger.rotateKey(await newSigningKey(clock.now));
      const second = await again();
      const token = (await second.access.issueToken(fixture.client, SCOPES, ORIGIN)).accessToken;

      clock.now += 999;
      await assert.rejects(access.verify(token), refused('token_invalid'));
      clock.now += 1;
      assert.equal((await access.verify(token)).group, 'blue');
    }));

  it('that were retired are dropped once their last tokens have expired', () =>
    withAccess(async (fixture) => {
      const { ledger, access, clock } = fixture;
      const old = await tokenOf(fixture);
      const key = await newSigningKey(clock.now);
      await ledger.rotateKey(key);

      clock.now = START + HOUR;
      await access.jwks();
      assert.equal((await ledger.keys()).length, 2);
      assert.equal((await access.verify(old)).group, 'blue');

      clock.now = START + HOUR + 60_001;
      assert.deepEqual(
        (await access.jwks()).keys.map(({ kid }) => kid),
        [key.kid],
      );
      assert.deepEqual(
        (await ledger.keys()).map(({ kid }) => kid),
        [key.kid],
      );
      await assert.rejects(access.verify(old), refused('token_invalid'));
    }));
});

describe('a route that asks for a scope', () => {
  async function withRoute(
    work: (
      call: (authorization?: string) => Promise<{ status: number; challenge: unknown; body: string }>,
      fixture: Fixture,
    ) => Promise<void>,
    changes: Partial<Config> = {},
  ): Promise<void> {
    await withAccess(async (fixture) => {
      const app = Fastify();
      app.decorateRequest('caller', null);
      app.setErrorHandler((error, _request, reply) => {
        if (!(error instanceof Problem)) throw error;
        reply
          .headers(error.extras.headers ?? {})
          .status(error.status)
          .send(error.code);
      });
      app.get(
        '/',
        { onRequest: requireScopes(fixture.access, { scopes: [SCOPE_READ] }) },
        async (request) => callerOf(request).group,
      );
      const call = async (authorization?: string) => {
        const headers = authorization === undefined ? {} : { authorization };
        const answer = await app.inject({ url: '/', headers });
        return { status: answer.statusCode, challenge: answer.headers['www-authenticate'], body: answer.body };
      };
      await work(call, fixture);
      await app.close();
    }, changes);
  }
  const METADATA = 'resource_metadata="http://localhost:80/.well-known/oauth-protected-resource"';

  it('accepts a valid token with the scheme in any case', () =>
    withRoute(async (call, fixture) => {
      const token = await tokenOf(fixture, [SCOPE_READ]);

      for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token} `]) {
        assert.deepEqual(await call(header), { status: 200, challenge: undefined, body: 'blue' });
      }
    }));

  it('challenges without an error when no bearer token came', () =>
    withRoute(async (call) => {
      for (const header of [undefined, '', 'Basic YTpi', 'Bearerx']) {
        const { status, challenge, body } = await call(header);
        assert.deepEqual([status, body], [401, 'token_missing']);
        assert.match(String(challenge), /^Bearer realm="daypart", resource_metadata="http:\/\/localhost[^"]*"$/);
      }
    }));

  it('says invalid_token for a bad or ended one', () =>
    withRoute(async (call, fixture) => {
      const token = await tokenOf(fixture);
      fixture.clock.now += 2 * HOUR;

      for (const header of ['Bearer', 'Bearer x', `Bearer ${token}`]) {
        const { status, challenge, body } = await call(header);
        assert.deepEqual([status, body], [401, 'token_invalid']);
        assert.match(String(challenge), /^Bearer realm="daypart", error="invalid_token", error_description="[^"]+", /);
      }
    }));

  it('does not blame the token for keys that cannot be fetched', () =>
    withRoute(
      async (call) => {
        const token = `${base64({ alg: 'RS256', kid: 'x' })}.${base64({ iss: 'https://login.example.com' })}.AAAA`;
        assert.deepEqual(await call(`Bearer ${token}`), { status: 503, challenge: undefined, body: 'unavailable' });
      },
      {
        externalIssuer: 'https://login.example.com',
        externalAudience: 'a',
        externalJwksUrl: 'http://127.0.0.1:1/jwks',
      },
    ));

  it('names the scope that is missing', () =>
    withRoute(async (call, fixture) => {
      const { status, challenge } = await call(`Bearer ${await tokenOf(fixture, [SCOPE_INGEST])}`);

      assert.equal(status, 403);
      assert.equal(
        String(challenge).replace(/, resource_metadata=.*/, ''),
        `Bearer realm="daypart", error="insufficient_scope", scope="${SCOPE_READ}"`,
      );
    }));

  it('points to the metadata at the public origin if one is set', () =>
    withRoute(
      async (call) => {
        const { challenge } = await call();
        assert.equal(
          challenge,
          `Bearer realm="daypart", ${METADATA.replace('http://localhost:80', 'https://reports.example.com')}`,
        );
      },
      { publicUrl: 'https://reports.example.com' },
    ));
});
