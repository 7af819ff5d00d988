/** Connections over HTTP, to a kind of point of sale of which only this test knows (docs/connections.md#over-http). */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connectionsOf, Daypart } from '@daypart/client';
import { warnIncomplete } from '../../packages/cli/src/incomplete.ts';
import { leaseOf } from '../../packages/service/src/connections/member.ts';
import { namedGuid } from '../../packages/service/src/ingest/guids.ts';
import type { Service } from '../../packages/service/src/serve.ts';
import { type CallOptions, callService, plainOrder } from '../journeys/service.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { openKiosk } from './kiosk-parts.ts';
import { type KioskService, startKioskService } from './kiosk-service.ts';

const NOW = Date.UTC(2026, 2, 10, 18);
const SCOPES = ['enterprise-metrics:read', 'ingest:write', 'access:admin'];
const KEY = 'canary-key-of-the-kiosk';

let running: KioskService;
let service: Service;
let data: string;
let tokens: { owner: string; loader: string; stranger: string };
const world = createWorld({ clock: createClock({ at: NOW }), days: 1 });
const kiosk = openKiosk(world, NOW);
kiosk.session = KEY;
const [CAFE = '', BAR = '', DINER = ''] = world.houses.keys();

const call = (method: string, path: string, options: CallOptions = {}) =>
  callService(service, method, path, { token: tokens.owner, ...options });
const connect = (changes: object = {}, options: CallOptions = {}) =>
  call('POST', '/connections', {
    json: { kind: 'kiosk', url: 'https://kiosk.example', credentials: { key: KEY }, restaurants: [CAFE], ...changes },
    ...options,
  });
const fault = ({ status, body }: { status: number; body: { code: string; errors?: { pointer: string }[] } }) => [
  status,
  body.code,
  body.errors?.[0]?.pointer,
];

before(async () => {
  running = await startKioskService(kiosk.parts, NOW);
  ({ service, data } = running);
  tokens = {
    owner: await running.login('blue', SCOPES),
    loader: await running.login('blue', ['ingest:write']),
    stranger: await running.login('red', SCOPES),
  };
});

after(() => running.close());

/** Removes all connections. */
async function removeAll(): Promise<void> {
  for (const { id } of (await call('GET', '/connections')).body)
    assert.equal((await call('DELETE', `/connections/${id}`)).status, 204);
}

/** When the settings of its restaurants are read (ms since 1970 UTC). */
async function settingsDue(id: string): Promise<number[]> {
  const rows = await service.stores.ledger.connectionStreams(id);
  return rows.filter(({ stream }) => stream === 'settings').map(({ nextAt }) => nextAt);
}

describe('connections over HTTP', () => {
  it('say what credentials reach, and store nothing', async () => {
    const json = { kind: 'kiosk', url: 'https://kiosk.example/', credentials: { key: KEY } };
    const { status, body } = await call('POST', '/connections/check', { json });

    assert.equal(status, 200);
    assert.deepEqual(
      [body.ok, body.access, body.streams],
      [true, 'group', { orders: 'ok', timeEntries: 'ok', names: 'ok', menus: 'ok' }],
    );
    assert.equal(body.restaurants.length, world.houses.size);
    assert.deepEqual(
      body.past.map(({ days }: { days: number }) => days),
      [0, 28, 84, 182, 364, 728],
    );
    const { upstreamId, restaurantGuid, taken } = body.restaurants[0];
    assert.deepEqual([upstreamId, restaurantGuid, taken], [CAFE, CAFE, false]);
    assert.deepEqual((await call('GET', '/connections')).body, []);
    kiosk.refusal = 'restaurant_unknown';
    const refused = await call('POST', '/connections/check', { json });
    kiosk.refusal = undefined;
    assert.deepEqual([refused.status, refused.body.ok, refused.body.code], [200, false, 'restaurant_unknown']);
    assert.match(refused.body.message, /does not have this restaurant/);
  });

  it('store nothing when the credentials are refused, or a field is wrong', async () => {
    for (const [code, status, named] of [
      ['credentials_refused', 422, 'credentials_refused'],
      ['upstream_error', 422, 'upstream_unreachable'],
      ['restaurant_unknown', 422, 'restaurant_unknown'],
    ] as const) {
      kiosk.refusal = code;
      assert.deepEqual(fault(await connect()).slice(0, 2), [status, named]);
    }
    kiosk.refusal = undefined;
    const wrong: [object, string][] = [
      [{ kind: 'till' }, '/kind'],
      [{ name: ' \u200d' }, '/name'],
      [{ url: 'http://kiosk.example' }, '/url'],
      [{ url: 'https://10.0.0.1' }, '/url'],
      [{ credentials: {} }, '/credentials/key'],
      [{ credentials: { key: KEY, more: 'x' } }, '/credentials/more'],
      [{ restaurants: ['x'] }, '/restaurants/0'],
      [{ pollSeconds: 5 }, '/pollSeconds'],
      [{ from: '20261301' }, '/from'],
    ];
    for (const [change, pointer] of wrong) {
      const answer = await connect(change);
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer], [400, pointer]);
      assert.doesNotMatch(answer.text, /canary/);
    }
    const other = await connect({ restaurants: [CAFE, '00000000-0000-4000-8000-000000000009'] });
    assert.deepEqual(fault(other), [422, 'restaurant_unknown', '/restaurants/1']);
    assert.deepEqual((await call('GET', '/connections')).body, []);
    assert.deepEqual((await call('GET', '/restaurants-information')).body, []);
  });

  it('create the restaurants, keep credentials and session encrypted, and are shown without them', async () => {
    kiosk.asked = [];
    const { status, body, text } = await connect({ name: 'Till', backfillDays: 7 });

    assert.equal(status, 201, text);
    assert.match(body.id, /^con_[\w-]{22}$/);
    assert.deepEqual(
      [body.kind, body.name, body.url, body.state, body.backfillDays, body.pollSeconds],
      ['kiosk', 'Till', 'https://kiosk.example', 'active', 7, 120],
    );
    const [member] = body.restaurants;
    const backfill = { from: '20260309', to: '20260309', done: 0, of: 1 };
    assert.deepEqual([member.restaurantGuid, member.state, member.backfill], [CAFE, 'chosen', backfill]);
    assert.deepEqual(Object.keys(member.streams).sort(), [
      ...['backfill', 'check', 'menus', 'names', 'orders', 'settings', 'timeEntries'],
    ]);
    assert.deepEqual(kiosk.woken, [body.id]);
    assert.deepEqual(await settingsDue(body.id), [NOW + 24 * 3_600_000]);
    assert.equal((await call('GET', `/restaurants/${CAFE}`)).body.name, world.houses.get(CAFE)?.settings.name);
    assert.deepEqual((await call('GET', '/connections')).body, [body]);
    assert.deepEqual((await call('GET', `/connections/${body.id}`, { token: tokens.loader })).body, body);
    const stored = await service.stores.ledger.connection(body.id);
    assert.match(stored?.token ?? '', /^eyJ/);

    const audit = await call('GET', '/audit');
    assert.ok(audit.body.entries.some(({ action }: { action: string }) => action === 'connection.created'));
    for (const shown of [text, audit.text, (await call('GET', '/connections')).text])
      assert.doesNotMatch(shown, /canary/);
    for (const file of await readdir(data, { recursive: true, withFileTypes: true }))
      if (file.isFile()) assert.ok(!(await readFile(join(file.parentPath, file.name))).includes('canary'), file.name);
  });

  it('are those of one group, and are changed with access:admin only', async () => {
    const [{ id }] = (await call('GET', '/connections')).body;
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
    ] as const) {
      const strange = await call(method, `/connections/${id}${path}`, { token: tokens.stranger });
      assert.deepEqual(fault(strange).slice(0, 2), [404, 'connection_not_found']);
    }
    const lacking = await call('POST', `/connections/${id}/pause`, { token: tokens.loader });
    assert.deepEqual(fault(lacking).slice(0, 2), [403, 'scope_missing']);
    const taken = await connect({}, { token: tokens.stranger });
    assert.deepEqual(fault(taken).slice(0, 2), [409, 'restaurant_guid_taken']);
    assert.doesNotMatch(taken.text, /blue/);
    assert.deepEqual(fault(await connect()).slice(0, 2), [409, 'restaurant_is_connected']);
  });

  it('repeat nothing under one idempotency key', async () => {
    await removeAll();
    const headers = { 'idempotency-key': 'once' };
    const first = await connect({ restaurants: [BAR] }, { headers });
    const again = await connect({ restaurants: [BAR] }, { headers });
    const other = await connect({ restaurants: [CAFE] }, { headers });

    assert.deepEqual([first.status, again.status, again.body.id], [201, 201, first.body.id]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(fault(other).slice(0, 2), [422, 'idempotency_key_reused']);
    assert.equal((await call('GET', '/connections')).body.length, 1);
  });

  it('change their name, pace and restaurants', async () => {
    await removeAll();
    const { id } = (await connect()).body;
    const json = { name: 'Tills', pollSeconds: 300, requestsPerSecond: 2 };
    const changed = await call('PATCH', `/connections/${id}`, { json });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.body.name, changed.body.pollSeconds, changed.body.requestsPerSecond, changed.body.restaurants.length],
      ['Tills', 300, 2, 1],
    );
    const cleared = await call('PATCH', `/connections/${id}`, { json: { requestsPerSecond: null } });
    assert.deepEqual([cleared.body.requestsPerSecond, cleared.body.pollSeconds], [null, 300]);

    const moved = await call('PATCH', `/connections/${id}`, { json: { restaurants: [BAR, DINER] } });
    assert.deepEqual(
      moved.body.restaurants.map((one: { restaurantGuid: string }) => one.restaurantGuid).sort(),
      [BAR, DINER].sort(),
    );
    assert.equal((await connect()).status, 201, 'the restaurant that left is free');
    const back = await call('PATCH', `/connections/${id}`, { json: { restaurants: [CAFE] } });
    assert.deepEqual(fault(back).slice(0, 2), [409, 'restaurant_is_connected']);
  });

  it('take new credentials only if they work', async () => {
    await removeAll();
    const { id } = (await connect()).body;
    kiosk.refusal = 'credentials_refused';
    const refused = await call('PUT', `/connections/${id}/credentials`, { json: { key: 'canary-wrong' } });
    kiosk.refusal = undefined;
    assert.deepEqual(fault(refused).slice(0, 2), [422, 'credentials_refused']);
    kiosk.asked = [];
    await call('PATCH', `/connections/${id}`, { json: { restaurants: 'all' } });
    assert.deepEqual(kiosk.asked[0]?.credentials, { key: KEY });

    const put = await call('PUT', `/connections/${id}/credentials`, { json: { key: 'canary-new' } });
    assert.deepEqual([put.status, put.body.state], [200, 'active']);
    kiosk.asked = [];
    await call('PATCH', `/connections/${id}`, { json: { restaurants: [CAFE] } });
    assert.deepEqual(kiosk.asked[0]?.credentials, { key: 'canary-new' });
  });

  it('pause, resume, and read dates again', async () => {
    await removeAll();
    const { id } = (await connect()).body;
    const paused = await call('POST', `/connections/${id}/pause`);
    assert.deepEqual(
      [paused.body.state, paused.body.restaurants[0].message],
      ['paused', 'Paused. Nothing is read until it is resumed.'],
    );
    assert.equal((await call('POST', `/connections/${id}/resume`)).body.state, 'active');

    const read = (json: object) => call('POST', `/connections/${id}/read`, { json });
    const answer = await read({ from: '20260301', to: '20260303' });
    assert.deepEqual([answer.status, answer.body], [202, { restaurants: 1, dates: 3 }]);
    const { ledger } = service.stores;
    assert.deepEqual(await ledger.unreadDates(id, CAFE, 9), [20260303, 20260302, 20260301]);
    const wrong: [object, string][] = [
      [{ from: '20260303', to: '20260301' }, 'dates_reversed'],
      [{ from: '20260301', to: '20260401' }, 'date_in_future'],
      [{ from: '20200101', to: '20260301' }, 'span_too_long'],
      [{ from: '20260301', to: '20260301', restaurants: [BAR] }, 'unknown_restaurant'],
    ];
    for (const [json, code] of wrong) assert.deepEqual(fault(await read(json)).slice(0, 2), [400, code]);
  });

  it('are in the list of restaurants, whose tag does not move with every read', async () => {
    await removeAll();
    const { ledger } = service.stores;
    const list = async () => {
      const { body, headers } = await call('GET', '/restaurants');
      const of = body.find(({ guid }: { guid: string }) => guid === CAFE);
      return { etag: headers.get('etag'), connection: of.connection };
    };
    const before = await list();
    assert.equal(before.connection, null);
    const { id } = (await connect()).body;
    const chosen = await list();
    assert.deepEqual(chosen.connection, { id, state: 'chosen', readUntil: null, lastSettledDate: null });

    /** A run that reads until an instant, and checks dates. */
    async function read(readUntil: number, settled: number[] = []): Promise<void> {
      await ledger.setConnectionState(id, { state: 'active', reason: null }, NOW);
      const of = leaseOf((await ledger.claimConnection('w', NOW, NOW + 60_000)) ?? assert.fail());
      const row = (await ledger.connectionStreams(id)).find(({ stream }) => stream === 'orders') ?? assert.fail();
      const date = { connection: id, upstreamId: CAFE, readAt: NOW, checkedAt: NOW, checkFound: 0, differences: null };
      await ledger.saveStream(
        of,
        Object.assign(row, { readUntil, nextAt: NOW }),
        settled.map((businessDate) => ({ ...date, businessDate })),
      );
      await ledger.releaseConnection(of);
    }
    await read(NOW - 60_000, [20260308, 20260309]);
    const one = await list();
    await read(NOW);
    const other = await list();

    assert.notEqual(one.etag, chosen.etag);
    assert.deepEqual([one.connection.lastSettledDate, other.etag], ['20260309', one.etag]);
    const times = [NOW - 60_000, NOW].map((at) => new Date(at).toISOString());
    assert.deepEqual([one.connection.readUntil, other.connection.readUntil], times);
    await call('POST', `/connections/${id}/pause`);
    const paused = await list();
    assert.deepEqual([paused.connection.state, paused.etag === other.etag], ['paused', false]);
  });

  it('are named by reports over dates that are still to be read', async () => {
    await removeAll();
    const { ledger } = service.stores;
    const { id } = (await connect()).body;
    /** As a run that has read the past back to a date. */
    async function readBackTo(backfillDone: number | null): Promise<void> {
      await ledger.setConnectionState(id, { state: 'active', reason: null }, NOW);
      const of = leaseOf((await ledger.claimConnection('w', NOW, NOW + 60_000)) ?? assert.fail());
      const [row] = await ledger.connectedRestaurants(id);
      const past = { backfillFrom: 20260301, backfillTo: 20260310, backfillDone };
      await ledger.saveConnectedRestaurant(of, Object.assign(row ?? assert.fail(), past));
      await ledger.releaseConnection(of);
    }
    let latest = '';
    async function missing(kind: 'metrics' | 'payout', restaurantIds = [CAFE]) {
      const json =
        kind === 'metrics'
          ? { startBusinessDate: '20260302', endBusinessDate: '20260308', restaurantIds }
          : { startDate: '20260302', endDate: '20260308', restaurantIds };
      const { body: guid } = await call('POST', `/${kind}/week`, { json });
      latest = guid;
      const headers = { prefer: 'wait=30' };
      const retrieved = await call('GET', `/${kind}/${guid}`, { headers });
      assert.equal(retrieved.status, 200, retrieved.text);
      const { incomplete } = (await call('GET', `/reports/${guid}`)).body;
      const dates = incomplete?.map((one: Record<string, string>) => [
        one.restaurantGuid,
        one.businessDate,
        one.missing,
      ]);
      return [retrieved.headers.get('x-report-incomplete'), dates];
    }
    const unread = (...dates: string[]) => [
      String(dates.length),
      dates.map((businessDate) => [CAFE, businessDate, 'still_reading']),
    ];

    await readBackTo(null);
    const all = ['02', '03', '04', '05', '06', '07', '08'].map((day) => `202603${day}`);
    assert.deepEqual(await missing('metrics'), unread(...all));
    await readBackTo(20260304);
    assert.deepEqual(await missing('metrics'), unread('20260302', '20260303'));
    assert.deepEqual(await missing('payout'), unread('20260302', '20260303'));
    const partial = latest;
    assert.deepEqual(await missing('metrics', [BAR]), [null, undefined]);
    const client = new Daypart({ baseUrl: service.baseUrl, token: tokens.owner });
    const warnings: string[] = [];
    const incomplete = new Map([[partial, 2]]);
    const { signal } = new AbortController();
    await warnIncomplete(client, { incomplete, warn: (text) => void warnings.push(text) }, signal);
    const { name } = world.houses.get(CAFE)?.settings ?? {};
    assert.deepEqual(warnings, [
      `The figures are incomplete. 2 restaurants and dates are still to be read from the point of sale: ${name} 20260302, 20260303. Read them again later.`,
    ]);
    await readBackTo(20260301);
    assert.deepEqual(await missing('metrics'), [null, undefined]);
  });

  it('read the settings of a restaurant that exists at once only where they differ', async () => {
    await removeAll();
    const { restaurantGuid: _, ...stored } = (await call('GET', `/restaurants/${CAFE}`)).body;
    for (const [name, backfill, wait] of [
      [stored.name, { from: '20260309', to: '20260309', done: 0, of: 1 }, 24 * 3_600_000],
      ['Our own name', null, 0],
    ] as const) {
      const put = await call('PUT', `/restaurants/${CAFE}`, { json: { ...stored, name } });
      assert.equal(put.status, 200, put.text);
      const { body } = await connect({ backfillDays: 1 });
      assert.deepEqual([body.restaurants[0].backfill, await settingsDue(body.id)], [backfill, [NOW + wait]]);
      await removeAll();
    }
    await call('PUT', `/restaurants/${CAFE}`, { json: stored });
  });

  it('are refused where exports were imported, unless they begin later', async () => {
    await removeAll();
    const order = plainOrder({ guid: namedGuid(CAFE, 'order:1') });
    const loaded = await call('POST', `/restaurants/${CAFE}/orders`, { json: [order] });
    assert.equal(loaded.body.accepted, 1, loaded.text);

    assert.deepEqual(fault(await connect()), [409, 'restaurant_has_imports', '/from']);
    const later = await connect({ from: '20260311' });
    assert.deepEqual([later.status, later.body.restaurants[0].notBefore], [201, '20260311']);
    const read = (from: string) =>
      call('POST', `/connections/${later.body.id}/read`, { json: { from, to: '20260310' } });
    const early = await read('20260301');
    assert.deepEqual(fault(early), [400, 'invalid_body', '/from']);
    assert.match(early.body.message, /is read from 2026-03-11 on/);
  });

  it('begin at a date within a month, for those who change from exports', async () => {
    await removeAll();
    assert.deepEqual(fault(await connect({ from: '20270311' })), [400, 'date_in_future', '/from']);
    const { id } = (await connect({ from: '20260401' })).body;
    const moved = await call('PATCH', `/connections/${id}`, { json: { restaurants: [CAFE, BAR], from: '20270311' } });
    assert.deepEqual(fault(moved), [400, 'date_in_future', '/from']);
    const none = await call('PATCH', `/connections/${id}`, { json: { restaurants: 'none' } });
    assert.match(none.body.message, /restaurants must be all, or a list of 1 to 2000 GUIDs/);
  });

  it('are made, changed and removed by the client', async () => {
    await removeAll();
    const connections = connectionsOf(new Daypart({ baseUrl: service.baseUrl, token: tokens.owner }));
    const access = { kind: 'kiosk', url: 'https://kiosk.example', credentials: { key: KEY } };

    const reached = await connections.check(access);
    assert.equal(reached.ok && reached.restaurants.length, world.houses.size);
    const { id } = await connections.create({ ...access, restaurants: [BAR], name: 'Till' });
    assert.deepEqual((await connections.change(id, { name: 'Tills' })).name, 'Tills');
    assert.equal((await connections.replaceCredentials(id, { key: 'canary-new' })).state, 'active');
    assert.equal((await connections.pause(id)).state, 'paused');
    assert.equal((await connections.resume(id)).state, 'active');
    assert.deepEqual(await connections.read(id, { from: '20260301', to: '20260302' }), { restaurants: 1, dates: 2 });
    assert.deepEqual(await connections.list(), [await connections.get(id)]);
    await connections.remove(id);
    assert.deepEqual(await connections.list(), []);
    await connect({ from: '20260311' });
  });

  it('forget their credentials when they are removed', async () => {
    const [{ id }] = (await call('GET', '/connections')).body;
    assert.equal((await call('DELETE', `/connections/${id}`)).status, 204);
    assert.equal((await service.stores.ledger.connection(id))?.credentials, null);
    assert.deepEqual(fault(await call('DELETE', `/connections/${id}`)).slice(0, 2), [404, 'connection_not_found']);
    assert.equal((await call('GET', `/restaurants/${CAFE}`)).status, 200);
  });
});
