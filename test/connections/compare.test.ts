/** What a date that is read again says of what had been stored, beside two states of the point of sale. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SourceError } from '@daypart/client/source';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { openRig } from './rig.ts';

const HOUR_MS = 3_600_000;
const TODAY = 20260310;
const GHOST = '90000000-0000-4000-8000-000000000001';

for (const seed of ['one', 'two'])
  it(`names each order that had been stored otherwise, and counts time entries (${seed})`, async (t) => {
    const rig = await openRig({ backfillDays: 1, seed });
    t.after(() => rig.close());
    await rig.run();
    const { upstreamId } = await rig.member();
    const house = rig.world.houses.get(upstreamId) ?? assert.fail();
    const state = (kind: 'orders' | 'entries'): Map<string, string> =>
      new Map(house.ofDate(kind, TODAY, rig.clock.now()).map((one) => [String(one.guid), JSON.stringify(one)]));
    const [orders, entries] = [state('orders'), state('entries')];
    const [some] = house.ofDate('orders', TODAY, rig.clock.now());
    await rig.deps.loadPage(
      await rig.restaurant(),
      'orders',
      [Object.assign({}, some, { guid: GHOST }) as never],
      new AbortController().signal,
    );

    // What happens from now on is not read, as if live reading lost it.
    rig.onCall = ({ stream }) => {
      if (stream === 'orders' || stream === 'timeEntries') throw new SourceError('upstream_unreachable', 'away');
    };
    rig.clock.advance(2 * HOUR_MS);
    await rig.makeDue('backfill', upstreamId, TODAY);
    await rig.run();

    const [row] = await rig.ledger.connectionDates('con_kiosk00000000000000000', upstreamId, TODAY, TODAY);
    const [now, later] = [state('orders'), state('entries')];
    const expected = [...now]
      .filter(([guid, text]) => orders.get(guid) !== text)
      .map(([orderGuid]) => ({ orderGuid, difference: orders.has(orderGuid) ? 'changed' : 'missing' }));
    const both = [...expected, { orderGuid: GHOST, difference: 'deleted' }];
    const sorted = (all: readonly { orderGuid: string }[]) =>
      all.toSorted((a, b) => (a.orderGuid < b.orderGuid ? -1 : 1));
    assert.ok(expected.length > 0);
    assert.deepEqual(sorted(row?.differences?.orders ?? []), sorted(both));
    assert.equal(row?.differences?.orderCount, both.length);
    assert.equal(
      row?.differences?.timeEntryCount,
      [...later].filter(([guid, text]) => entries.get(guid) !== text).length,
    );

    // What is missing is deleted when it is missing again, an hour later.
    rig.clock.advance(HOUR_MS + 1);
    await rig.makeDue('backfill', upstreamId, TODAY);
    await rig.run();
    const [again] = await rig.ledger.connectionDates('con_kiosk00000000000000000', upstreamId, TODAY, TODAY);
    assert.ok(again?.differences?.orders.some(({ orderGuid }) => orderGuid === GHOST));
    const [read, posted] = await rig.bothReports({ from: addDays(TODAY, -1), to: addDays(TODAY, 2) });
    const without = (rows: Record<string, unknown>[]) => rows.map(({ restaurantGuid: _, ...each }) => each);
    assert.deepEqual(without(await read({ kind: 'check' })), without(await posted({ kind: 'check' })));

    await rig.makeDue('backfill', upstreamId, TODAY);
    await rig.run();
    const [last] = await rig.ledger.connectionDates('con_kiosk00000000000000000', upstreamId, TODAY, TODAY);
    assert.deepEqual(last?.differences, { orders: [], orderCount: 0, timeEntryCount: 0 });
  });

it('deletes nothing of a date of which the point of sale shows nothing', async (t) => {
  const rig = await openRig({ backfillDays: 1 });
  t.after(() => rig.close());
  await rig.run();
  const { upstreamId } = await rig.member();
  const house = rig.world.houses.get(upstreamId) ?? assert.fail();
  const [some] = house.ofDate('orders', TODAY, rig.clock.now());
  const restaurant = await rig.restaurant();
  const date = addDays(TODAY, -40);
  const ghost = Object.assign({}, some, { guid: GHOST, businessDate: date }) as never;
  await rig.deps.loadPage(restaurant, 'orders', [ghost], new AbortController().signal);

  await rig.makeDue('backfill', upstreamId, date);
  await rig.run();

  assert.deepEqual(await rig.deps.facts.ordersOf(restaurant.id, date), [GHOST]);
});

it('restores what the point of sale did not show twice, once it shows it', async (t) => {
  const rig = await openRig({ backfillDays: 1 });
  t.after(() => rig.close());
  await rig.run();
  const { upstreamId } = await rig.member();
  const house = rig.world.houses.get(upstreamId) ?? assert.fail();
  const date = addDays(TODAY, -1);
  const { id } = await rig.restaurant();
  const before = await rig.deps.facts.ordersOf(id, date);
  const { ofDate, find } = house;
  const hidden = before.slice(1);
  const isShown = ({ guid }: { guid: string }): boolean => !hidden.includes(guid);
  Object.assign(house, {
    ofDate: (...of: Parameters<typeof ofDate>) => ofDate.call(house, ...of).filter(isShown),
    find: (...of: Parameters<typeof find>) => (hidden.includes(of[1]) ? undefined : find.call(house, ...of)),
  });
  for (const left of [before.length, 1]) {
    await rig.makeDue('backfill', upstreamId, date);
    await rig.run();
    assert.equal((await rig.deps.facts.ordersOf(id, date)).length, left);
    rig.clock.advance(HOUR_MS + 1);
  }
  Object.assign(house, { ofDate, find });
  await rig.makeDue('backfill', upstreamId, date);
  await rig.run();

  assert.deepEqual(await rig.deps.facts.ordersOf(id, date), before);
});
