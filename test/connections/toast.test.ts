/** The source `toast` against the stand-in: what it reads is what is there. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Cursor, type JsonObject, type RecordPage, type RecordStream, SourceError } from '@daypart/client/source';
import { toast } from '../../packages/service/src/connections/sources/toast/toast.ts';
import { HOUR_MS, MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { menusBody } from '../../packages/service/src/ingest/menus.ts';
import { readReference } from '../../packages/service/src/ingest/reference.ts';
import { houseOf, small } from '../upstream/caller.ts';
import type { UpstreamOptions } from '../upstream/upstream.ts';
import type { Change } from '../upstream/world.ts';
import { type Connected, connected } from './connected.ts';

async function open(
  t: TestContext,
  options: UpstreamOptions = {},
  credentials?: Record<string, string>,
): Promise<Connected> {
  const one = await connected(options, credentials ? { credentials } : {});
  t.after(() => one.close());
  return one;
}
const PARTNER = { clientId: 'rehearsal-partner', clientSecret: 'rehearsal-partner-secret' };
const TWO = { restaurants: [small(0), small(1)] };

/** Reads everything that has changed; returns records by GUID, and the last cursor. */
async function readAll(one: Connected, pages: AsyncIterable<RecordPage>, into = new Map<unknown, JsonObject>()) {
  let cursor: Cursor | undefined;
  await one.run(
    (async () => {
      for await (const page of pages) {
        for (const record of page.records) into.set(record.guid, record);
        cursor = page.cursor ?? cursor;
      }
    })(),
  );
  return { records: into, cursor };
}
const entriesOf = (records: Iterable<object>) =>
  [...records]
    .map((record) => {
      const { guid, modifiedDate } = record as JsonObject;
      return `${guid} ${modifiedDate}`;
    })
    .sort();

describe('the restaurants of Toast', () => {
  it('are those of the group that one of them is in, with their settings', async (t) => {
    const one = await open(t, TWO);
    const first = houseOf(one.upstream);
    const found = await one.run(toast.restaurants(one.context(null), first.guid));
    assert.deepEqual([found.access, found.restaurants.length], ['group', 2]);
    const { name, locationName, locationCode, timeZone, closeoutHour, currencyCode } = first.settings;
    const expected = {
      upstreamId: first.guid,
      guid: first.guid,
      name,
      locationName,
      locationCode,
      timeZone,
      closeoutHour,
      currencyCode,
    };
    assert.deepEqual(found.restaurants[0], {
      ...expected,
      archived: false,
      firstBusinessDate: first.firstBusinessDate,
    });
  });

  it('of a partner need none of them', async (t) => {
    const one = await open(t, TWO, PARTNER);
    const { access, restaurants } = await one.run(toast.restaurants(one.context(null), undefined));
    assert.deepEqual([access, restaurants.length], ['partner', 2]);
  });

  it('are unknown without one that the credentials reach', async (t) => {
    const one = await open(t);
    for (const first of [undefined, 'b1500000-0000-4000-8000-000000000001', 'no guid'])
      await assert.rejects(one.run(toast.restaurants(one.context(null), first)), { code: 'restaurant_unknown' });
  });

  it('are lost when the credentials do not reach them, and archived when they are', async (t) => {
    const one = await open(t);
    one.upstream.world.change({ settings: { archived: true } });
    assert.equal((await one.run(toast.settings(one.context())))?.archived, true);
    one.upstream.world.change({ restaurants: [] });
    assert.equal(await one.run(toast.settings(one.context())), null);
  });
});

describe('the orders and time entries of Toast', () => {
  const STREAMS = { orders: toast.orders, entries: toast.timeEntries as RecordStream };
  for (const [kind, stream] of Object.entries(STREAMS) as [keyof typeof STREAMS, RecordStream][])
    it(`${kind} that changed are read, with those of the past on their dates`, async (t) => {
      const one = await open(t, { limits: 'off' });
      const house = houseOf(one.upstream);
      const past = await readAll(one, stream.dates(one.context(), 20260309, 20260309));
      assert.deepEqual(
        entriesOf(past.records.values()),
        entriesOf(house.ofDate(kind, 20260309, one.time.timers.now())),
      );

      let cursor = stream.begin(one.time.timers.now());
      const read = new Map(past.records);
      for (let hour = 0; hour < 6; hour++) {
        one.time.advance(HOUR_MS);
        const changes = await readAll(one, stream.changed(one.context(), cursor), read);
        cursor = changes.cursor ?? cursor;
      }
      assert.ok(stream.readUntil(cursor) > one.time.timers.now() - MINUTE_MS);
      const now = one.time.timers.now();
      const today = house.ofDate(kind, 20260310, stream.readUntil(cursor)).filter(({ guid }) => read.has(guid));
      const later = house.modified(kind, { from: now - 5 * HOUR_MS, until: stream.readUntil(cursor) }, now);
      assert.ok(today.length > 0 && later.length > 0);
      for (const { guid, modifiedDate } of later) assert.equal(read.get(guid)?.modifiedDate, modifiedDate);
    });

  it('have deleted time entries, also by date', async (t) => {
    const one = await open(t);
    const entry = houseOf(one.upstream).ofDate('entries', 20260309, one.time.timers.now())[0];
    const guid = entry?.guid ?? '';
    const cursor = STREAMS.entries.begin(one.time.timers.now());
    one.upstream.world.change({ entry: { guid, deleted: true } });
    one.time.advance(MINUTE_MS);
    const { records } = await readAll(one, STREAMS.entries.changed(one.context(), cursor));
    assert.equal(records.get(guid)?.deleted, true);
    const byDate = await readAll(one, STREAMS.entries.dates(one.context(), 20260301, 20260309));
    assert.equal(byDate.records.get(guid)?.deleted, true);
  });

  it('are all read although pages come twice, or empty', async (t) => {
    const one = await open(t, { restaurants: [small(0, { ordersPerDay: 150 })], limits: 'off' });
    const all = entriesOf(houseOf(one.upstream).ofDate('orders', 20260309, one.time.timers.now()));
    assert.ok(all.length > 100);
    for (const kind of ['repeatPage', 'emptyPage'] as const) {
      one.upstream.faults.add({ route: 'ordersBulk', page: 2, times: 1, fault: { kind } });
      const { records } = await readAll(one, toast.orders.dates(one.context(), 20260309, 20260309));
      assert.deepEqual(entriesOf(records.values()), all, kind);
    }
    one.upstream.faults.add({ route: 'ordersBulk', fault: { kind: 'endlessNext' } });
    await assert.rejects(readAll(one, toast.orders.dates(one.context(), 20260309, 20260309)), {
      code: 'upstream_changed',
    });
  });

  it('are all read although one that is modified meanwhile moves the others between pages', async (t) => {
    const one = await open(t, { restaurants: [small(0, { ordersPerDay: 150 })], limits: 'off' });
    one.upstream.faults.add({ route: 'ordersBulk', page: 2, times: 1, fault: { kind: 'modify', orders: 1 } });
    const from = one.time.timers.now() - 23 * HOUR_MS;
    const first = await readAll(one, toast.orders.changed(one.context(), { until: from }));
    assert.equal(one.upstream.faults.rules[0]?.applied, 1);
    one.time.advance(MINUTE_MS);
    const { records, cursor } = await readAll(
      one,
      toast.orders.changed(one.context(), first.cursor ?? {}),
      first.records,
    );
    const span = { from, until: toast.orders.readUntil(cursor ?? {}) };
    const modified = houseOf(one.upstream).modified('orders', span, one.time.timers.now());
    assert.ok(modified.length > 100);
    for (const { guid, modifiedDate } of modified) assert.equal(records.get(guid)?.modifiedDate, modifiedDate);
  });

  it('are read more slowly where they are old', async (t) => {
    const one = await open(t, { restaurants: [small(0, { ordersPerDay: 150 })] });
    await readAll(one, toast.orders.dates(one.context(), 20260101, 20260101));
    const at = one.upstream.calls.filter(({ route }) => route === 'ordersBulk').map((call) => call.at);
    assert.ok(at.length >= 4);
    for (const [index, time] of at.slice(1).entries()) assert.ok(time - (at[index] ?? 0) >= 5000);
  });

  it('can be read one by one', async (t) => {
    const one = await open(t);
    const [order] = houseOf(one.upstream).ofDate('orders', 20260309, one.time.timers.now());
    const guid = order?.guid ?? '';
    assert.equal((await one.run(Promise.resolve(toast.orders.one?.(one.context(), guid))))?.guid, guid);
    one.upstream.world.change({ removeOrder: guid });
    assert.equal(await one.run(Promise.resolve(toast.orders.one?.(one.context(), guid))), null);
  });
});

describe('the names of Toast', () => {
  const names = (one: Connected, known?: Record<string, string[]>) =>
    one.run(toast.names?.read(one.context(), known) ?? Promise.reject(new SourceError('upstream_changed', '')));

  it('are lists that the service takes, read again when they are published meanwhile', async (t) => {
    const one = await open(t, { configPageSize: 1 });
    const change: Change = { publishConfig: true };
    one.upstream.faults.add({ route: 'diningOptions', skip: 1, times: 1, fault: { kind: 'change', change } });
    const { lists, forbidden } = await names(one);
    assert.deepEqual(forbidden, []);
    const { diningOptions, revenueCenters, employees, jobs } = readReference(lists);
    assert.ok(diningOptions?.length && revenueCenters?.length && employees?.length && jobs?.length);
    assert.ok(one.upstream.calls.some(({ status }) => status === 409));
    assert.equal(JSON.stringify(lists).includes('staff.example'), false);
  });

  it('lack those that the credentials may not read', async (t) => {
    const one = await open(t);
    one.upstream.world.change({ scopes: ['labor:read', 'config:read'] });
    const { lists, forbidden } = await names(one);
    assert.deepEqual([forbidden, lists.employees], [['employees'], undefined]);
    assert.ok(lists.jobs?.length);
  });

  it('have jobs that were deleted, if they were known', async (t) => {
    const one = await open(t);
    const before = await names(one);
    const guids = (before.lists.jobs ?? []).map(({ guid }) => String(guid));
    one.upstream.world.change({ deleteJob: guids[0] ?? '' });
    assert.equal((await names(one)).lists.jobs?.length, guids.length - 1);
    assert.equal((await names(one, { jobs: guids })).lists.jobs?.length, guids.length);
  });
});

describe('the menus of Toast', () => {
  it('are read only if they were published since', async (t) => {
    const one = await open(t);
    const read = (cursor: Cursor) => one.run(toast.menus?.read(one.context(), cursor) ?? Promise.resolve(null));
    const first = await read({});
    assert.ok(menusBody.read(first?.menus).menus.length > 0);
    assert.equal(await read(first?.cursor ?? {}), null);
    one.time.advance(HOUR_MS);
    one.upstream.world.change({ publishMenus: true });
    assert.notDeepEqual((await read(first?.cursor ?? {}))?.cursor, first?.cursor);
    const count = (route: string): number => one.upstream.calls.filter((call) => call.route === route).length;
    assert.deepEqual([count('menusMetadata'), count('menus')], [3, 2]);
  });
});
