/** Sessions of people over real HTTP: who may begin one, what its cookie opens, and when it ends. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, type NewClient } from '../../packages/service/src/access/clients.ts';
import { createSignInLink } from '../../packages/service/src/access/sessions.ts';
import { addressBlocks } from '../../packages/service/src/config/setting.ts';
import { freePort } from '../ports.ts';
import { NOW, type Running, settle, startJourney } from './service.ts';
import { type Browser, openBrowser } from './session-browser.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const FLAGS = 'Path=/session; HttpOnly; SameSite=Strict';

describe('a session', () => {
  let running: Running;
  let client: NewClient;
  before(async () => {
    running = await startJourney();
  });
  after(() => running.stop());

  /** A client of its own and a browser, at a minute in which nobody has failed to sign in. */
  async function begin(scopes?: string[]): Promise<Browser> {
    running.advance(MINUTE_MS);
    const { ledger } = running.service.stores;
    client = await createClient(
      ledger,
      { group: 'group', name: 'till', dialect: 'live', ...(scopes && { scopes }) },
      NOW,
    );
    return openBrowser(running);
  }
  const credentials = ({ id, secret }: NewClient) => ({ clientId: id, clientSecret: secret });
  const restaurants = (token?: string, headers = {}) =>
    running.call('GET', '/restaurants-information', { token, headers });

  it('begins with a client id and secret, and its cookie has exactly the flags that are promised', async () => {
    const browser = await begin();

    const { status, headers, text } = await browser.call('POST', '/session', credentials(client));

    const { port } = new URL(running.service.origin);
    assert.deepEqual([status, text, headers.get('cache-control')], [204, '', 'no-store']);
    assert.match(headers.get('set-cookie') ?? '', new RegExp(`^daypart_${port}=[\\w-]{43}; ${FLAGS}$`));
    const { body } = await browser.call('GET', '/session');
    const at = Date.parse(body.createdAt);
    assert.deepEqual(body, {
      clientId: client.id,
      scopes: client.scopes,
      group: 'group',
      dialect: 'reference',
      name: 'till',
      createdAt: body.createdAt,
      expiresAt: new Date(at + 12 * HOUR_MS).toISOString(),
    });
  });

  it('is secure behind https, whose origin is configured', async () => {
    const port = await freePort();
    const secure = await startJourney({ port, publicUrl: 'https://reports.example' });
    try {
      const made = await createClient(secure.service.stores.ledger, { group: 'group' }, NOW);
      const headers = { 'content-type': 'application/json', origin: 'https://reports.example' };
      const body = JSON.stringify(credentials(made));
      const answer = await fetch(`http://127.0.0.1:${port}/session`, { method: 'POST', headers, body });
      assert.equal(answer.status, 204);
      assert.match(
        answer.headers.get('set-cookie') ?? '',
        /^__Host-daypart=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
    } finally {
      await secure.stop();
    }
  });

  it('gives tokens of ten minutes in the dialect of the console, and its cookie opens nothing else', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));

    const { body, headers } = await browser.call('POST', '/session/token', {});

    assert.deepEqual(
      { ...body, token: undefined },
      {
        token: undefined,
        expiresIn: 600,
        clientId: client.id,
        scopes: client.scopes,
        group: 'group',
        dialect: 'reference',
      },
    );
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal((await restaurants(body.token)).status, 200);
    assert.equal((await restaurants(undefined, { cookie: browser.cookie() })).status, 401);
    assert.equal((await browser.call('GET', '/docs')).headers.get('set-cookie'), null);
    running.advance(601_000 + 1000);
    assert.equal((await restaurants(body.token)).body.code, 'token_invalid');
  });

  it('is refused to a wrong secret and to an unknown id with one message, and after five failures to everybody', async () => {
    const browser = await begin();
    const wrong = (id: string) => browser.call('POST', '/session', { clientId: id, clientSecret: 'wrong' });
    const plain = ({ status, body: { requestId: _, ...body } }: Awaited<ReturnType<typeof wrong>>) => ({
      status,
      body,
    });

    const refusals = [await wrong(client.id), await wrong('nobody'), await wrong(client.id)];
    assert.deepEqual(plain(refusals[0] as never), plain(refusals[1] as never));
    assert.deepEqual([refusals[0]?.status, refusals[0]?.body.code], [401, 'login_refused']);
    assert.ok(refusals[0]?.headers.get('www-authenticate'));
    await wrong('nobody else');
    await wrong(client.id);
    const sixth = await wrong(client.id);
    assert.deepEqual([sixth.status, sixth.body.code], [429, 'too_many_logins']);
    assert.match(sixth.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
    assert.equal((await browser.call('POST', '/session', credentials(client))).status, 429);

    running.advance(MINUTE_MS);
    assert.equal((await browser.call('POST', '/session', credentials(client))).status, 204);
  });

  it('is counted by client id too, wherever the failures come from, and by address, whomever they name', async () => {
    const proxied = await startJourney({ trustedProxies: addressBlocks('127.0.0.1') });
    try {
      const made = await createClient(proxied.service.stores.ledger, { group: 'group' }, NOW);
      const post = (address: string, body: object) =>
        openBrowser(proxied).call('POST', '/session', body, { 'x-forwarded-for': address });
      const wrong = { clientId: made.id, clientSecret: 'wrong' };

      for (let n = 1; n <= 5; n++) assert.equal((await post(`192.0.2.${n}`, wrong)).status, 401);
      assert.equal((await post('192.0.2.9', credentials(made))).status, 429);

      for (let n = 1; n <= 5; n++)
        assert.equal((await post('198.51.100.1', { clientId: `no-${n}`, clientSecret: 'x' })).status, 401);
      assert.equal((await post('198.51.100.1', { key: 'x' })).status, 429);
      assert.equal((await post('198.51.100.2', { key: 'x' })).status, 401);
    } finally {
      await proxied.stop();
    }
  });

  it('ends when it is not used for 12 hours, and after 7 days however much it is used', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      assert.equal((await browser.call('POST', '/session/token', {})).status, 200, `after ${hours} hours`);
      running.advance(8 * HOUR_MS);
    }
    const ended = await browser.call('GET', '/session');
    assert.deepEqual([ended.status, ended.body.code], [401, 'session_missing']);

    await browser.call('POST', '/session', credentials(client));
    const { body } = await browser.call('POST', '/session/token', {});
    running.advance(12 * HOUR_MS);
    assert.equal((await browser.call('POST', '/session/token', {})).status, 401);
    assert.equal((await restaurants(body.token)).status, 401);
  });

  it('ends at once when its client is revoked', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));
    const { body } = await browser.call('POST', '/session/token', {});
    assert.equal((await restaurants(body.token)).status, 200);

    await running.service.stores.ledger.revokeClient(client.id, NOW);
    await settle(running.service);

    assert.equal((await restaurants(body.token)).status, 401);
    assert.equal((await browser.call('GET', '/session')).status, 401);
    assert.equal((await browser.call('POST', '/session/token', {})).status, 401);
  });

  it('ends with a sign-out in every tab, and its tokens die with it', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));
    const { body } = await browser.call('POST', '/session/token', {});
    const otherTab = openBrowser(running, browser.cookie());

    const { status, headers } = await browser.call('DELETE', '/session');

    assert.equal(status, 204);
    assert.match(
      headers.get('set-cookie') ?? '',
      /^daypart_\d+=; Path=\/session; HttpOnly; SameSite=Strict; Max-Age=0$/,
    );
    assert.equal((await restaurants(body.token)).status, 401);
    assert.equal((await otherTab.call('POST', '/session/token', {})).status, 401);
    assert.equal((await browser.call('DELETE', '/session', {})).status, 204);
  });

  it('that another process ends is refused within a second', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));
    const { body } = await browser.call('POST', '/session/token', {});
    assert.equal((await restaurants(body.token)).status, 200);
    const [session] = await running.service.stores.ledger.sessionsOf('group');

    await running.service.stores.ledger.endSession(session?.id ?? '');

    running.advance(1000);
    assert.equal((await restaurants(body.token)).status, 401);
  });

  it('is a new one at each sign-in, and the one before it in this browser ends', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));
    const first = browser.cookie();
    await browser.call('POST', '/session', credentials(client));

    assert.notEqual(browser.cookie(), first);
    assert.equal((await openBrowser(running, first).call('GET', '/session')).status, 401);
    assert.equal((await browser.call('GET', '/session')).status, 200);
  });

  it('is begun and used by pages of the service alone', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));
    const strangers: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: running.service.origin },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': '', origin: 'null' },
      { 'sec-fetch-site': '' },
    ];
    for (const headers of strangers) {
      for (const [method, path] of [
        ['POST', '/session'],
        ['POST', '/session/token'],
        ['DELETE', '/session'],
      ] as const) {
        const { status, body } = await browser.call(method, path, credentials(client), headers);
        assert.deepEqual([status, body?.code], [403, 'cross_site_refused'], `${path} ${JSON.stringify(headers)}`);
      }
    }
    const own = { 'sec-fetch-site': '', origin: running.service.origin };
    assert.equal((await browser.call('POST', '/session/token', {}, own)).status, 200);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const { status } = await browser.call('POST', '/session/token', {}, { 'content-type': type });
      assert.equal(status, 415, type);
    }
  });

  it('takes credentials or a key, and says which field is wrong', async () => {
    const browser = await begin();
    const cases: [unknown, string, string][] = [
      [{ clientId: 'a' }, 'invalid_body', '/clientSecret'],
      [{ clientId: 'a', clientSecret: 7 }, 'invalid_body', '/clientSecret'],
      [{ key: '' }, 'invalid_body', '/key'],
      [{ key: 'k', clientId: 'a' }, 'unknown_field', '/clientId'],
      [[], 'invalid_body', ''],
    ];
    for (const [json, code, pointer] of cases) {
      const { status, body } = await browser.call('POST', '/session', json as object);
      assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [400, code, pointer], JSON.stringify(json));
    }
  });

  describe('by a one-time link', () => {
    async function link(scopes?: string[]): Promise<string> {
      const stored = await running.service.stores.ledger.client(client.id);
      assert.ok(stored);
      const now = NOW + running.passed();
      return await createSignInLink(running.service.stores.ledger, { client: stored, name: 'Ada', scopes }, now);
    }

    it('is its person with its scopes, once', async () => {
      const browser = await begin();
      const key = await link(['enterprise-metrics:read']);

      assert.equal((await browser.call('POST', '/session', { key })).status, 204);

      const { body } = await browser.call('GET', '/session');
      assert.deepEqual([body.name, body.scopes, body.clientId], ['Ada', ['enterprise-metrics:read'], client.id]);
      const token = (await browser.call('POST', '/session/token', {})).body.token;
      const load = await running.call('PUT', '/restaurants/b1500000-0000-4000-8000-000000000001', { token, json: {} });
      assert.equal(load.body.code, 'scope_missing');
      const again = await openBrowser(running).call('POST', '/session', { key });
      assert.deepEqual([again.status, again.body.code], [401, 'link_refused']);
      assert.match(again.body.message, /already used.*daypart console-link/);
    });

    it('is not begun by a visit of its address alone', async () => {
      const browser = await begin();
      const key = await link();
      for (const [method, path] of [
        ['HEAD', '/welcome'],
        ['GET', '/welcome'],
        ['HEAD', '/session'],
        ['GET', `/welcome?k=${key}`],
      ] as const)
        await openBrowser(running).call(method, path, undefined, { accept: 'text/html' });

      assert.equal((await browser.call('POST', '/session', { key })).status, 204);
    });

    it('is refused after 15 minutes, and for a revoked client', async () => {
      const browser = await begin();
      const late = await link();
      running.advance(15 * MINUTE_MS);
      const refused = await browser.call('POST', '/session', { key: late });
      assert.deepEqual([refused.status, /has expired/.test(refused.body.message)], [401, true]);

      const revoked = await link();
      await running.service.stores.ledger.revokeClient(client.id, NOW);
      await settle(running.service);
      const ofRevoked = await browser.call('POST', '/session', { key: revoked });
      assert.deepEqual([ofRevoked.status, /a client that was revoked/.test(ofRevoked.body.message)], [401, true]);
      assert.match((await browser.call('POST', '/session', { key: 'made-up' })).body.message, /is unknown/);
    });

    it('is begun by one of many that try at once', async () => {
      await begin();
      const key = await link();

      const statuses = await Promise.all(
        Array.from({ length: 6 }, async () => (await openBrowser(running).call('POST', '/session', { key })).status),
      );

      assert.deepEqual(statuses.filter((status) => status === 204).length, 1);
    });
  });

  it('leaves no secret in the ledger', async () => {
    const browser = await begin();
    await browser.call('POST', '/session', credentials(client));
    const value = browser.cookie().split('=')[1] ?? '';

    const text = JSON.stringify(await running.service.stores.ledger.sessionsOf('group'));

    assert.ok(value.length === 43 && !text.includes(value) && !text.includes(client.secret));
  });
});
