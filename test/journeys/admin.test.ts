/**
 * Managing access over HTTP: clients, secrets, groups, sessions, limits, deliveries, the audit log, and who may do
 * what.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { accessOf, ConnectionError, Daypart } from '@daypart/client';
import { createClient } from '../../packages/service/src/access/clients.ts';
import type { Scope } from '../../packages/service/src/contract/words.ts';
import { startReceiver } from './receiver.ts';
import { type Answer, isBalanced, NOW, type Running, startJourney } from './service.ts';
import { openBrowser } from './session-browser.ts';

const READ = 'enterprise-metrics:read';
const DAY_MS = 86_400_000;

describe('access over HTTP', () => {
  let running: Running;
  let admin: string;
  let vendor: string;
  before(async () => {
    running = await startJourney({ limits: 'on', webhookPrivate: true });
    const scopes: Scope[] = [READ, 'ingest:write', 'access:admin'];
    admin = await running.login('bistro', { scopes });
    vendor = await running.login('vendor', { scopes: [...scopes, 'groups:admin'] });
  });
  after(() => running.stop());
  const call = (method: string, path: string, json?: object, token = admin): Promise<Answer> =>
    running.call(method, path, { token, ...(json && { json }) });
  const make = async (json: object, token = admin) => (await call('POST', '/clients', json, token)).body;
  async function tokenOf(clientId: string, clientSecret: string): Promise<Answer> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return running.call('POST', '/oauth/token', { base: '', body: body.toString(), headers });
  }

  it('is typed in the client, which creates and rotates once even if the answer is lost', async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== 'POST' || !/\/(clients|secret)$/.test(String(input))) return response;
      lost++;
      throw new TypeError('fetch failed');
    };
    const open = (through: typeof fetch) =>
      accessOf(new Daypart({ baseUrl: running.service.baseUrl, token: admin, fetch: through }));
    const { clients, sessions, limits, audit } = open(fetch);
    const made = await clients.create({ name: 'once' });
    await assert.rejects(open(losing).clients.create({ name: 'lost' }), ConnectionError);
    await assert.rejects(open(losing).clients.rotateSecret(made.clientId), ConnectionError);

    assert.equal(lost, 2);
    assert.equal((await clients.list()).filter(({ name }) => name === 'lost').length, 1);
    assert.equal((await tokenOf(made.clientId, made.clientSecret)).status, 200, 'rotated once: both secrets work');
    assert.equal(await clients.revoke(made.clientId), undefined);
    assert.equal((await limits({ client: made.clientId })).clientId, made.clientId);
    assert.deepEqual(await sessions.list(), []);
    const { entries, nextCursor } = await audit({ limit: 2 });
    assert.deepEqual(
      entries.map(({ action, target }) => [action, target]),
      [
        ['client.revoked', made.clientId],
        ['client.secret_rotated', made.clientId],
      ],
    );
    assert.ok(nextCursor);
    const { groups } = accessOf(new Daypart({ baseUrl: running.service.baseUrl, token: vendor }));
    const group = { group: 'typed group', name: 'Typed Ltd', limits: {}, removing: false };
    assert.deepEqual(await groups.put('typed group', { name: 'Typed Ltd' }), group);
    assert.deepEqual([await groups.get('typed group'), await groups.put('typed group')], [group, group]);
    assert.deepEqual(
      (await groups.list()).find((one) => one.group === 'typed group'),
      group,
    );
    const limited = await groups.limit('typed group', { check: '3/min' });
    assert.deepEqual([limited.limits, (await groups.limit('typed group', {})).limits], [{ check: '3/min' }, {}]);
    assert.deepEqual(await clients.limit(made.clientId, { check: 'off' }), { check: 'off' });
  });

  it('makes a client whose secret is shown once and works, lists it and revokes it', async () => {
    const made = await call('POST', '/clients', { name: 'BI tool', scopes: [READ], dialect: 'live' });
    assert.deepEqual([made.status, made.headers.get('cache-control')], [201, 'no-store']);
    const { clientSecret, ...shown } = made.body;
    assert.deepEqual(
      { ...shown, clientId: '', createdAt: '' },
      {
        clientId: '',
        name: 'BI tool',
        group: 'bistro',
        scopes: [READ],
        dialect: 'live',
        createdAt: '',
        revokedAt: null,
        oldSecretUntil: null,
        limits: {},
      },
    );
    assert.deepEqual((await call('GET', `/clients/${shown.clientId}`)).body, shown);
    const listed = (await call('GET', '/clients')).body;
    assert.ok(listed.some(({ clientId }: { clientId: string }) => clientId === shown.clientId));
    assert.ok(!JSON.stringify(listed).includes(clientSecret) && !/secretHash|scrypt/.test(JSON.stringify(listed)));
    const { access_token: token } = (await tokenOf(shown.clientId, clientSecret)).body;
    assert.equal((await call('GET', '/reports', undefined, token)).status, 200);

    assert.equal((await call('DELETE', `/clients/${shown.clientId}`)).status, 204);
    assert.equal((await call('DELETE', `/clients/${shown.clientId}`)).status, 204);

    assert.equal((await call('GET', '/reports', undefined, token)).status, 401);
    assert.notEqual((await call('GET', `/clients/${shown.clientId}`)).body.revokedAt, null);
  });

  it('rotates a secret: both are valid for 24 hours, then the new one alone', async () => {
    const { clientId, clientSecret: old } = await make({});
    const { body } = await call('POST', `/clients/${clientId}/secret`);
    const valid = async () => [
      (await tokenOf(clientId, old)).status,
      (await tokenOf(clientId, body.clientSecret)).status,
    ];

    assert.deepEqual(await valid(), [200, 200]);
    assert.equal(Date.parse(body.oldSecretUntil), NOW + running.passed() + DAY_MS);
    running.advance(DAY_MS - 1);
    assert.deepEqual(await valid(), [200, 200]);
    running.advance(1);
    assert.deepEqual(await valid(), [401, 200]);
    admin = await running.login('bistro', { scopes: [READ, 'ingest:write', 'access:admin'] });
    vendor = await running.login('vendor', { scopes: [READ, 'ingest:write', 'access:admin', 'groups:admin'] });
  });

  it('gives no scope that the caller lacks, by a new client or by the secret of another', async () => {
    const reader = await running.login('bistro', { scopes: [READ, 'access:admin'] });
    const refused = await call('POST', '/clients', { scopes: [READ, 'ingest:write'] }, reader);
    assert.deepEqual([refused.status, refused.body.code], [403, 'scope_not_held']);
    assert.match(refused.body.message, /ingest:write/);
    assert.deepEqual((await make({}, reader)).scopes, [READ]);
    // Not even who has it gives groups:admin over HTTP.
    const { body: never } = await call('POST', '/clients', { scopes: ['groups:admin'] }, vendor);
    assert.equal(never.code, 'scope_not_held');
    assert.match(never.message, /^groups:admin cannot be granted over HTTP, even by a client that has it/);

    const { clientId } = await make({ scopes: [READ, 'ingest:write'] });
    assert.equal((await call('POST', `/clients/${clientId}/secret`, undefined, reader)).body.code, 'scope_not_held');
    const { id } = await createClient(
      running.service.stores.ledger,
      { group: 'bistro', scopes: ['groups:admin'] },
      NOW,
    );
    assert.equal((await call('POST', `/clients/${id}/secret`)).body.code, 'scope_not_held');
  });

  it('makes no client without a scope, for a caller that has none of the default ones', async () => {
    const guard = await running.login('bistro', { scopes: ['access:admin'] });
    const { status, body } = await call('POST', '/clients', { name: 'till' }, guard);

    assert.deepEqual([status, body.code], [403, 'scope_not_held']);
    assert.match(body.message, /enterprise-metrics:read, ingest:write/);
    assert.deepEqual((await make({ scopes: ['access:admin'] }, guard)).scopes, ['access:admin']);
  });

  it('lets a vendor take on a customer, and an admin see its own group alone', async () => {
    assert.deepEqual((await call('PUT', '/groups/trattoria', undefined, vendor)).status, 201);
    assert.deepEqual((await call('PUT', '/groups/trattoria', undefined, vendor)).status, 200);
    assert.ok(
      (await call('GET', '/groups', undefined, vendor)).body.some(({ name }: { name: string }) => name === 'trattoria'),
    );
    const made = await make({ group: 'trattoria', scopes: [READ, 'access:admin'], name: 'owner' }, vendor);
    assert.equal(made.group, 'trattoria');
    assert.deepEqual(
      (await call('GET', '/clients?group=trattoria', undefined, vendor)).body.map(
        ({ clientId }: { clientId: string }) => clientId,
      ),
      [made.clientId],
    );

    for (const [method, path, json] of [
      ['GET', '/groups'],
      ['PUT', '/groups/mine'],
      ['GET', '/clients?group=trattoria'],
      ['GET', '/audit?group=trattoria'],
      ['GET', '/sessions?group=trattoria'],
      ['POST', '/clients', { group: 'trattoria' }],
    ] as const)
      assert.equal((await call(method, path, json)).body.code, 'scope_missing', path);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await call(method, `/clients/${made.clientId}`)).body.code, 'client_not_found');
    assert.equal((await call('GET', `/limits?client=${made.clientId}`)).body.code, 'client_not_found');
    const reader = await running.login('bistro', { scopes: [READ] });
    for (const path of ['/clients', '/audit', '/sessions', '/limits', '/webhook/deliveries', '/health'])
      assert.equal((await call('GET', path, undefined, reader)).body.code, 'scope_missing', path);
    assert.equal((await call('POST', '/clients', { group: 'nowhere' }, vendor)).body.errors[0].pointer, '/group');
    assert.equal((await call('PUT', '/groups/%00', undefined, vendor)).status, 400);
  });

  it('says which field of a new client is wrong', async () => {
    const cases: [object, string][] = [
      [{ name: '' }, '/name'],
      [{ name: 'BI\0tool' }, '/name'],
      [{ name: '  ' }, '/name'],
      [{ name: '\u200d\u3164' }, '/name'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: [READ, 'root'] }, '/scopes/1'],
      [{ dialect: 'fast' }, '/dialect'],
      [{ secret: 'x' }, '/secret'],
    ];
    for (const [json, pointer] of cases)
      assert.equal((await call('POST', '/clients', json)).body.errors[0].pointer, pointer);
  });

  it('lists sessions, ends one, and returns the remaining quota of each limit', async () => {
    const { clientId, clientSecret } = await make({ name: 'till', scopes: [READ] });
    const browser = openBrowser(running);
    await browser.call('POST', '/session', { clientId, clientSecret });
    const session = (await call('GET', '/sessions')).body.find(
      (one: { clientId: string }) => one.clientId === clientId,
    );
    assert.deepEqual([session.name, session.scopes, session.current], ['till', [READ], false]);
    assert.equal((await call('DELETE', `/sessions/${session.sessionId}`)).status, 204);
    assert.equal((await browser.call('GET', '/session')).status, 401);
    assert.equal((await call('DELETE', `/sessions/${session.sessionId}`)).body.code, 'session_not_found');

    await call('POST', '/metrics', { startBusinessDate: '20260310', endBusinessDate: '20260310' });
    const { windows } = (await call('GET', '/limits')).body;
    const long = windows.find(({ name }: { name: string }) => name === 'long-metrics-hour');
    assert.deepEqual([long.quota, long.seconds], [1000, 3600]);
    // A node takes a twentieth of the quota at a time, which others count as used.
    assert.ok(long.left <= 999 && long.left >= (isBalanced ? 900 : 999), String(long.left));
  });

  it('lists the deliveries of a webhook and sends one again', async () => {
    const receiver = await startReceiver();
    try {
      await call('PUT', '/webhook', { url: receiver.url });
      const { webhookId } = (await call('POST', '/webhook/test')).body;
      // Reports that this client created before may be delivered in between.
      const received = async (times: number): Promise<void> => {
        for (let count = times; ; count++) {
          const calls = await receiver.until(count);
          if (calls.filter(({ headers }) => headers['webhook-id'] === webhookId).length >= times) return;
        }
      };
      await received(1);
      assert.equal((await call('POST', `/webhook/deliveries/${webhookId}/replay`)).status, 202);
      await received(2);
      const listed: { webhookId: string }[] = (await call('GET', '/webhook/deliveries')).body;
      assert.equal(listed.filter((one) => one.webhookId === webhookId).length, 1);
      assert.equal((await call('POST', '/webhook/deliveries/msg_none/replay')).body.code, 'delivery_not_found');
      const { clientId } = await make({});
      assert.deepEqual((await call('GET', `/webhook/deliveries?client=${clientId}`)).body, []);
    } finally {
      await receiver.close();
    }
  });

  it('refuses a query parameter that does not exist, instead of listing what was not asked for', async () => {
    const misspelt = ['/clients?grup=a', '/sessions?grup=a', '/limits?clientId=a', '/audit?limits=5'];
    for (const path of [...misspelt, '/webhook/deliveries?clientId=a', '/imports?restaurantGuid=a']) {
      const { status, body } = await call('GET', path);
      const [, name] = /\?(\w+)=/.exec(path) ?? [];
      assert.deepEqual(
        [status, body.code, body.errors?.[0]?.pointer],
        [400, 'unknown_parameter', name],
        `${path}: ${body.message}`,
      );
    }
  });

  it('notes who changed what and when, in the log of the group whose access it is', async () => {
    const { entries } = (await call('GET', '/audit')).body;
    const actions = entries.map(({ action }: { action: string }) => action);
    for (const action of ['client.created', 'client.revoked', 'client.secret_rotated', 'session.ended'])
      assert.ok(actions.includes(action), action);
    assert.ok(
      entries.every(
        ({ byGroup, at }: { byGroup: string; at: string }) => byGroup === 'bistro' && Date.parse(at) >= NOW,
      ),
    );
    assert.ok(!/scrypt|Secret"/.test(JSON.stringify(entries)));
    const trattoria = (await call('GET', '/audit?group=trattoria', undefined, vendor)).body.entries;
    assert.deepEqual(
      trattoria.map(({ action, byGroup }: { action: string; byGroup: string }) => [action, byGroup]),
      [
        ['client.created', 'vendor'],
        ['group.created', 'vendor'],
      ],
    );
    const made = (await call('GET', '/audit?group=trattoria', undefined, vendor)).body.entries[0];
    const listed = (await call('GET', '/clients?group=trattoria', undefined, vendor)).body;
    assert.ok(JSON.stringify(listed).includes(made.detail.client), 'an entry has the id of the client that was made');
    const first = (await call('GET', '/audit?limit=2')).body;
    const second = (await call('GET', `/audit?limit=2&cursor=${first.nextCursor}`)).body;
    assert.deepEqual([...first.entries, ...second.entries], entries.slice(0, 4));
  });

  it('says how the service is', async () => {
    const { status, body } = await call('GET', '/health');
    assert.deepEqual([status, body.status, body.checks.length, body.engineRestarts], [200, 'ok', 3, 0]);
    const { free, ledger, facts } = body.diskBytes;
    assert.ok(free > 0 && body.reports.oldestQueuedAt === null);
    if (isBalanced) assert.deepEqual([ledger, facts], [null, null], 'on servers');
    else assert.ok(ledger > 0 && facts > 0);
  });
});
