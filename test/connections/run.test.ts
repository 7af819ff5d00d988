/** What a run of a connection reads, over real stores, on a clock that only the test moves. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { instantsOf } from '../../packages/service/src/contract/clock.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { START, small } from '../upstream/caller.ts';
import { openRig, type Rig } from './rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The business date at the first instant. */
const TODAY = 20260310;

describe('a connection that is new', () => {
  let rig: Rig;
  before(async () => {
    rig = await openRig({ backfillDays: 3 });
  });
  after(() => rig.close());

  it('reads the settings first, then what is current, then the past from the newest date on', async () => {
    assert.equal(await rig.run(), true);

    const order = rig.calls.map(({ stream }) => stream).filter((stream, at, all) => stream !== all[at - 1]);
    assert.deepEqual(order, ['settings', 'orders', 'timeEntries', 'names', 'menus', 'backfill']);
    const dates = rig.calls
      .filter(({ stream, kind }) => stream === 'backfill' && kind === 'orders')
      .map(({ from }) => from);
    assert.deepEqual([...new Set(dates)].slice(0, 5), [TODAY, 20260309, 20260308, 20260307, 20260311]);
  });

  it('has the settings of the point of sale, with a line in the audit log', async () => {
    const { currencyCode, locationName, overtimeMultiplier } = await rig.restaurant();
    const [entry] = await rig.ledger.audit('bistro group', { limit: 1 });

    assert.deepEqual([currencyCode, locationName, overtimeMultiplier], ['USD', 'Portland Pier', 1.5]);
    assert.deepEqual([entry?.action, entry?.clientId], ['restaurant.changed', 'connection']);
    assert.ok(!('name' in (entry?.detail ?? {})));
  });

  it('is current, and was so after it was read', async () => {
    const { state, backfillFrom, backfillTo, backfillDone } = await rig.member();

    assert.deepEqual(
      rig.changes.map((change) => change.state),
      ['chosen', 'reading', 'current'].slice(1),
    );
    assert.deepEqual([state, backfillFrom, backfillTo, backfillDone], ['current', 20260307, 20260309, 20260307]);
    assert.equal((await rig.streams()).get('orders')?.readUntil, START);
  });

  it('reports what it would report if everything had been loaded by hand', async () => {
    const [read, posted] = await rig.bothReports({ from: addDays(TODAY, -3), to: addDays(TODAY, 2) });
    const without = (rows: Record<string, unknown>[]) => rows.map(({ restaurantGuid: _, ...row }) => row);
    const rows = without(await read({ kind: 'check' }));

    assert.ok(rows.length > 50);
    assert.deepEqual(rows, without(await posted({ kind: 'check' })));
    assert.deepEqual(without(await read({ kind: 'labor' })), without(await posted({ kind: 'labor' })));
  });

  it('is due again when the first of its streams is', async () => {
    assert.equal(await rig.run(), false);
    rig.clock.advance(119_000);
    assert.equal(await rig.run(), false);
    rig.clock.advance(1000);
    rig.calls.length = 0;
    assert.equal(await rig.run(), true);
    assert.deepEqual(
      rig.calls.map(({ stream }) => stream),
      ['orders'],
    );
  });

  it('keeps everything current, and checks each date an hour after it ended', async () => {
    rig.calls.length = 0;
    rig.clock.advance(9 * HOUR_MS);
    await rig.pass(HOUR_MS + 5 * MINUTE_MS);
    const { upstreamId } = await rig.member();
    const [checked] = await rig.ledger.connectionDates('con_kiosk00000000000000000', upstreamId, TODAY, TODAY);

    assert.equal(checked?.checkFound, 0);
    assert.equal(new Date(checked?.checkedAt ?? 0).toISOString(), '2026-03-11T09:00:00.000Z');
    const [read, posted] = await rig.bothReports({ from: addDays(TODAY, -3), to: addDays(TODAY, 2) });
    const without = (rows: Record<string, unknown>[]) => rows.map(({ restaurantGuid: _, ...row }) => row);
    assert.deepEqual(without(await read({ kind: 'metrics' })), without(await posted({ kind: 'metrics' })));
  });
});

it('a date that ended between connecting and the first reading is read, too', async (t) => {
  const restaurant = small();
  const { until } = instantsOf({ startDate: TODAY, endDate: TODAY }, restaurant);
  const described = [{ ...restaurant, upstreamId: restaurant.guid, currencyCode: 'USD', archived: false }];
  const rig = await openRig({ restaurants: [restaurant], backfillDays: 1, at: until - MINUTE_MS, described });
  t.after(() => rig.close());
  assert.equal((await rig.member()).backfillTo, addDays(TODAY, -1));
  rig.clock.advance(2 * MINUTE_MS);
  await rig.run();

  const { facts } = rig.engine;
  const { id } = await rig.restaurant();
  const orders = rig.world.houses.get(restaurant.guid)?.ofDate('orders', TODAY, rig.clock.now()) ?? [];
  assert.ok(orders.length > 10);
  assert.deepEqual((await facts.ordersOf(id, TODAY)).sort(), orders.map(({ guid }) => guid).sort());
  assert.deepEqual(
    rig.calls.filter(({ stream }) => stream === 'settings'),
    [],
  );
});

it('a connection whose past is long gives way to others after a minute, and continues from there', async (t) => {
  const rig = await openRig({ backfillDays: 8 });
  t.after(() => rig.close());
  rig.onCall = ({ stream }) => {
    if (stream === 'backfill') rig.clock.advance(20_000);
  };
  await rig.run();
  const { backfillFrom, backfillDone } = await rig.member();
  const { nextAt, worker } = await rig.connection();
  assert.ok(backfillDone === null || backfillDone > (backfillFrom ?? 0));
  assert.deepEqual([nextAt, worker], [rig.now(), null]);

  rig.onCall = () => undefined;
  await rig.run();
  const { backfillDone: done, state } = await rig.member();
  assert.deepEqual([done, state], [backfillFrom, 'current']);
});

describe('the menus of a connection', () => {
  it('are stored, with the number of their entries that are not', async () => {
    const rig = await openRig();
    try {
      const { open } = rig;
      const groups = [{ guid: 'g', name: 'Grill' }, { items: [{ guid: 'i', name: 'Soup' }] }];
      const read = async () => ({ menus: [{ guid: 'm', name: 'Dinner', groups }], cursor: {} });
      rig.open = async (...of) => {
        const opened = await open(...of);
        const source = Object.assign({}, opened.source, { menus: { everySeconds: 60, read } });
        return Object.assign({}, opened, { source });
      };
      await rig.run();

      const { id } = await rig.restaurant();
      assert.deepEqual(
        (await rig.engine.facts.menus(id)).map(({ name }) => name),
        ['Dinner'],
      );
      assert.equal((await rig.streams()).get('menus')?.rejected, 2);
    } finally {
      await rig.close();
    }
  });
});
