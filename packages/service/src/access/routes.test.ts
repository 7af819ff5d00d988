import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { readConfig } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { DEFAULT_SCOPES, SCOPE_INGEST, SCOPE_READ, SCOPES } from '../contract/words.ts';
import { problemBody } from '../http/problem-body.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerIn } from '../ledger/sqlite/sqlite.ts';
import { type Access, createAccess } from './access.ts';
import { createClient, ensureBootstrapClient, type NewClient } from './clients.ts';
import { openCredentials } from './credentials.ts';
import { readBasic } from './oauth.ts';
import { accessRoutes } from './routes.ts';

const NOW = Date.UTC(2026, 2, 20, 18);
const ORIGIN = 'http://localhost:80';
const AWKWARD = { id: 'a b', secret: 'p%41+:ü&=', group: 'blue' };
const FORM = 'application/x-www-form-urlencoded';

const encoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);
const basic = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

describe('access over HTTP', () => {
  let folder: string;
  let ledger: Ledger;
  let access: Access;
  let app: FastifyInstance;
  let client: NewClient;
  let reader: NewClient;

  async function appOver(over: Ledger): Promise<FastifyInstance> {
    const made = Fastify({ ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: true } } });
    made.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const unforeseen = error.statusCode === 415 ? 'unsupported_media_type' : 'internal_error';
      const problem = error instanceof Problem ? error : new Problem(unforeseen, 'no');
      const body = problemBody(problem, { origin: ORIGIN, instance: request.url, requestId: request.id });
      reply
        .headers(problem.extras.headers ?? {})
        .status(problem.status)
        .type('application/problem+json')
        .send(body);
    });
    const origin = () => ORIGIN;
    const config = { ...readConfig({}, {}), limits: 'off' as const };
    const credentials = await openCredentials({ ledger: over, config, clock: () => NOW });
    await made.register(accessRoutes, { access, credentials, config, origin });
    return made;
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-routes-'));
    ledger = await openLedgerIn(folder);
    const config = { ...readConfig({}, {}), tokenSeconds: 600 };
    access = await createAccess({ ledger, config, clock: () => NOW });
    client = await createClient(ledger, { group: 'blue' }, NOW);
    reader = await createClient(ledger, { group: 'blue', scopes: [SCOPE_READ] }, NOW);
    await ensureBootstrapClient(ledger, AWKWARD, NOW);
    app = await appOver(ledger);
  });
  after(async () => {
    await app.close();
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });

  const grant = (more: Record<string, string> = {}): string =>
    new URLSearchParams({ grant_type: 'client_credentials', ...more }).toString();
  async function ask(payload: string, headers: Record<string, string> = {}, to = app) {
    const answer = await to.inject({
      method: 'POST',
      url: '/oauth/token',
      payload,
      headers: { 'content-type': FORM, ...headers },
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }
  async function login(payload: unknown) {
    const url = '/authentication/v1/authentication/login';
    const answer = await app.inject({ method: 'POST', url, payload: payload as object });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }
  const bodyOf = ({ id, secret }: { id: string; secret: string }) => ({ client_id: id, client_secret: secret });

  describe('POST /oauth/token', () => {
    it('gives a token to a client that says who it is in the header or in the form', async () => {
      for (const answer of [
        await ask(grant(), basic(client.id, client.secret)),
        await ask(grant({ client_id: client.id }), basic(client.id, client.secret)),
        await ask(grant(bodyOf(client))),
        await ask(grant(bodyOf(client)), { 'content-type': `${FORM}; charset=utf-8` }),
      ]) {
        const { access_token, ...rest } = answer.body;
        assert.equal(answer.status, 200);
        assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 600, scope: DEFAULT_SCOPES.join(' ') });
        assert.equal((await access.verify(access_token)).clientId, client.id);
        assert.equal(answer.headers['cache-control'], 'no-store');
        assert.equal(answer.headers.pragma, 'no-cache');
      }
    });

    it('takes Basic credentials form-encoded, as the RFC has them, and as they are', async () => {
      const { id, secret } = AWKWARD;
      assert.equal((await ask(grant(), basic(encoded(id), encoded(secret)))).status, 200);
      assert.equal((await ask(grant(), basic(id, secret))).status, 200);
      assert.equal((await ask(grant(), basic(id, encoded(encoded(secret))))).status, 401);
    });

    it('gives the scopes that were asked for, or all of the client’s', async () => {
      const scopeOf = async (requested: Record<string, string>, of = client) =>
        (await ask(grant({ ...requested, ...bodyOf(of) }))).body.scope;

      assert.equal(await scopeOf({ scope: SCOPE_INGEST }), SCOPE_INGEST);
      assert.equal(await scopeOf({ scope: ` ${SCOPE_INGEST}  ${SCOPE_INGEST}` }), SCOPE_INGEST);
      assert.equal(await scopeOf({ scope: '' }), DEFAULT_SCOPES.join(' '));
      assert.equal(await scopeOf({}, reader), SCOPE_READ);
    });

    it('refuses by the names of the RFC, and is never kept by a cache', async () => {
      const good = bodyOf(client);
      const cases: [string, number, string, Record<string, string>?][] = [
        ['', 400, 'invalid_request'],
        ['scope=x', 400, 'invalid_request'],
        [new URLSearchParams({ grant_type: '', ...good }).toString(), 400, 'invalid_request'],
        [`${grant(good)}&grant_type=client_credentials`, 400, 'invalid_request'],
        [`${grant(good)}&x=1&x=1`, 400, 'invalid_request'],
        [grant(good), 400, 'invalid_request', basic(client.id, client.secret)],
        [grant({ client_id: reader.id }), 400, 'invalid_request', basic(client.id, client.secret)],
        [grant(good), 400, 'invalid_request', { 'content-type': 'application/json' }],
        [JSON.stringify(good), 400, 'invalid_request', { 'content-type': 'application/json' }],
        [grant(good), 400, 'invalid_request', { 'content-type': 'text/plain' }],
        [grant(good), 400, 'invalid_request', { 'content-type': '' }],
        [grant({ ...good, pad: 'x'.repeat(70_000) }), 413, 'invalid_request'],
        [grant({ ...good, grant_type: 'password' }), 400, 'unsupported_grant_type'],
        [grant(), 401, 'invalid_client'],
        [grant({ client_id: client.id }), 401, 'invalid_client'],
        [grant({ ...good, client_secret: 'wrong' }), 401, 'invalid_client'],
        [grant({ ...good, client_id: 'client-nobody' }), 401, 'invalid_client'],
        [grant(), 401, 'invalid_client', basic(client.id, 'wrong')],
        [grant(), 401, 'invalid_client', { authorization: 'Basic' }],
        [grant(), 401, 'invalid_client', { authorization: 'Basic ####' }],
        [grant(), 401, 'invalid_client', { authorization: 'Basic YWJj' }],
        [grant(), 401, 'invalid_client', { authorization: 'Bearer abc' }],
        [grant({ ...good, scope: 'admin' }), 400, 'invalid_scope'],
        [grant({ ...good, scope: `${SCOPE_READ} "\\é` }), 400, 'invalid_scope'],
        [grant({ ...bodyOf(reader), scope: SCOPE_INGEST }), 400, 'invalid_scope'],
      ];
      for (const [payload, status, error, headers] of cases) {
        const answer = await ask(payload, headers);
        assert.deepEqual([answer.status, answer.body.error], [status, error], payload);
        assert.deepEqual(Object.keys(answer.body), ['error', 'error_description']);
        assert.match(answer.body.error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
        assert.equal(answer.headers['cache-control'], 'no-store');
        assert.equal(answer.headers.pragma, 'no-cache');
        assert.equal(
          answer.headers['www-authenticate']?.toString().startsWith('Basic realm='),
          status === 401 || undefined,
        );
      }
    });

    it('refuses a call without any body', async () => {
      const answer = await app.inject({ method: 'POST', url: '/oauth/token' });

      assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_request']);
    });

    it('refuses a compressed form by its Content-Encoding, not by what it cannot read of it', async () => {
      const form = bodyOf(client);
      for (const [coding, status] of [
        ['gzip', 400],
        ['BR', 400],
        ['Identity', 200],
      ] as const) {
        const answer = await ask(grant(form), { 'content-encoding': coding });
        assert.equal(answer.status, status, coding);
        if (status === 200) continue;
        assert.equal(answer.body.error, 'invalid_request');
        assert.match(answer.body.error_description, /without Content-Encoding/);
      }
    });

    it('refuses a revoked client', async () => {
      const { id, secret } = await createClient(ledger, { group: 'blue' }, NOW);
      await ledger.revokeClient(id, NOW);

      assert.equal((await ask(grant({ client_id: id, client_secret: secret }))).body.error, 'invalid_client');
    });

    it('leaves faults of the service to the error handler of the application', async () => {
      const closed = await openLedgerIn(folder);
      await closed.close();
      const broken = await appOver(closed);

      const answer = await ask(grant(bodyOf(client)), {}, broken);

      assert.deepEqual([answer.status, answer.body.code], [500, 'internal_error']);
      assert.equal(answer.headers['cache-control'], 'no-store');
      await broken.close();
    });
  });

  describe('Basic credentials', () => {
    it('are decoded as form fields first, but read unchanged if the secret has a plus', () => {
      const first = (id: string, secret: string) => readBasic(basic(id, secret).authorization)[0];

      assert.deepEqual(first('a%20b', 'c%2Bd'), { id: 'a b', secret: 'c+d' });
      assert.deepEqual(first('a+b', 'c%2Fd'), { id: 'a b', secret: 'c/d' });
      assert.deepEqual(first('a', 'c+d/e=='), { id: 'a', secret: 'c+d/e==' });
    });

    it('come back as they were, encoded or not', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (id, secret) => {
          const read = (header: { authorization: string }) => readBasic(header.authorization);
          const texts = (header: { authorization: string }) => read(header).map((one) => `${one.id}:${one.secret}`);
          assert.ok(read(basic(encoded(id), encoded(secret))).some((one) => one.id === id && one.secret === secret));
          assert.ok(texts(basic(id, secret)).includes(`${id}:${secret}`));
        }),
      );
    });
  });

  describe('POST /authentication/v1/authentication/login', () => {
    const good = () => ({ clientId: client.id, clientSecret: client.secret, userAccessType: 'TOAST_MACHINE_CLIENT' });

    it('answers as clients of the live shape read it', async () => {
      const { status, headers, body } = await login({ ...good(), extra: { any: 'thing' } });

      const { accessToken, ...token } = body.token;
      assert.equal(status, 200);
      assert.deepEqual(
        { ...body, token },
        {
          '@class': '.SuccessfulResponse',
          token: {
            tokenType: 'Bearer',
            scope: DEFAULT_SCOPES.join(' '),
            expiresIn: 600,
            idToken: null,
            refreshToken: null,
          },
          status: 'SUCCESS',
        },
      );
      assert.equal((await access.verify(accessToken)).clientId, client.id);
      assert.equal(headers['cache-control'], 'no-store');
    });

    it('refuses a wrong secret and an unknown client alike', async () => {
      for (const changes of [{ clientSecret: 'wrong' }, { clientId: 'client-nobody' }]) {
        const { status, body, headers } = await login({ ...good(), ...changes });
        assert.deepEqual([status, body.code], [401, 'login_refused']);
        assert.equal(body.message, 'The client id or the client secret is wrong.');
        assert.equal(headers['cache-control'], 'no-store');
      }
    });

    it('names every field that is missing or wrong', async () => {
      const pointers = async (payload: unknown) => {
        const { status, body } = await login(payload);
        assert.deepEqual([status, body.code], [400, 'invalid_body']);
        return body.errors.map(({ pointer }: { pointer: string }) => pointer);
      };

      const { userAccessType: _, ...untyped } = good();
      assert.deepEqual(await pointers(untyped), ['/userAccessType']);
      assert.deepEqual(await pointers({ ...good(), userAccessType: 'HUMAN' }), ['/userAccessType']);
      assert.deepEqual(await pointers({ ...good(), clientId: 5, clientSecret: '' }), ['/clientId', '/clientSecret']);
      assert.deepEqual(await pointers({}), ['/clientId', '/clientSecret', '/userAccessType']);
      assert.deepEqual(await pointers([]), ['']);
    });

    it('takes JSON only: the form parser is not for it', async () => {
      const answer = await app.inject({
        method: 'POST',
        url: '/authentication/v1/authentication/login',
        payload: 'clientId=a',
        headers: { 'content-type': FORM },
      });

      assert.deepEqual([answer.statusCode, answer.json().code], [415, 'unsupported_media_type']);
    });
  });

  describe('what clients see', () => {
    it('is enough to verify a token: metadata, keys, issuer', async () => {
      const metadata = (await app.inject('/.well-known/oauth-authorization-server')).json();
      const { access_token } = (await ask(grant(bodyOf(client)))).body;
      const jwks = (await app.inject(new URL(metadata.jwks_uri).pathname)).json();

      const { payload } = await jwtVerify(access_token, createLocalJWKSet(jwks), {
        issuer: metadata.issuer,
        audience: 'daypart',
        typ: 'at+jwt',
        currentDate: new Date(NOW),
      });

      assert.equal(payload.sub, client.id);
      assert.deepEqual(metadata, {
        issuer: ORIGIN,
        token_endpoint: `${ORIGIN}/oauth/token`,
        jwks_uri: `${ORIGIN}/oauth/jwks`,
        scopes_supported: [...SCOPES],
        response_types_supported: [],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        service_documentation: `${ORIGIN}/docs`,
      });
    });

    it('publishes public halves only', async () => {
      const { keys } = (await app.inject('/oauth/jwks')).json();

      assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
    });

    it('describes the resource and who issues its tokens', async () => {
      assert.deepEqual((await app.inject('/.well-known/oauth-protected-resource')).json(), {
        resource: ORIGIN,
        authorization_servers: [ORIGIN],
        scopes_supported: [...SCOPES],
        bearer_methods_supported: ['header'],
        resource_name: 'Daypart',
        resource_documentation: `${ORIGIN}/docs`,
      });
    });
  });
});
