/** What every store of facts must do with loads that come at once: the outcome is that of one after another. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Merged } from '../../packages/service/src/facts/load.ts';
import type { OrderFact } from '../../packages/service/src/facts/order.ts';
import type { RestaurantScope } from '../../packages/service/src/facts/report.ts';
import {
  checkFact,
  type Lines,
  lineFact,
  linesOf,
  mergeLines,
  type OpenedFacts,
  orderFact,
  recordsOf,
  shiftFact,
} from './facts.ts';

const BOUNDS = { deadlineMs: 20_000 };
const SPAN = { startDate: 20260309, endDate: 20260310 };
let restaurants = 900;

const scopeOf = (id: number): RestaurantScope => ({
  id,
  guid: 'b1500000-0000-4000-8000-000000000001',
  name: 'Bistro',
  timeZone: 'America/New_York',
  closeoutHour: 4,
  currencyCode: null,
});
function withCheck(order: OrderFact, check_guid = order.order_guid): Lines {
  const check = checkFact(order, { check_guid });
  const lines = [lineFact(check), lineFact(check, { modifier: true, item_guid: null, item_name: 'no onions' })];
  return { orders: [order], checks: [check], lines };
}

export function factsBatchMergeConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: loads at once`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    /**
     * Small loads in this order, none of which waits for another. The first keeps the engine busy while the rest come.
     */
    const merge = (loads: [restaurant: number, Lines][]): Promise<Merged>[] =>
      loads.map(([restaurant, lines]) => opened.facts.merge(restaurant, linesOf(lines)));
    const countsOf = (merged: Merged[]): number[][] => merged.map(({ accepted, unchanged }) => [accepted, unchanged]);

    it('answers each with its own counts and number, as if they had come one after another', async () => {
      const [mine, theirs] = [++restaurants, ++restaurants];
      const order = orderFact({ modified_at: 50 });
      const version = (modified_at: number, guests: number): Lines => withCheck({ ...order, modified_at, guests });

      const merged = await Promise.all(
        merge([
          [mine, version(50, 1)],
          [mine, version(70, 2)],
          [theirs, version(60, 3)],
          [mine, version(60, 4)],
          [mine, version(70, 5)],
          [
            theirs,
            { orders: [60, 59, 61].map((modified_at, seq) => ({ ...order, seq, modified_at, guests: 6 + seq })) },
          ],
        ]),
      );

      assert.deepEqual(countsOf(merged), [
        [1, 0],
        [1, 0],
        [1, 0],
        [0, 1],
        [1, 0],
        [2, 1],
      ]);
      // One that changes nothing may have none.
      const numbers = merged.flatMap(({ load, accepted }) => (accepted > 0 ? [load] : []));
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((one, other) => one - other),
      );
      const guests = async (restaurant: number) => (await recordsOf(opened, restaurant)).map((row) => row.guestCount);
      assert.deepEqual([await guests(mine), await guests(theirs)], [[5], [8]]);
    });

    it('shows what changed between any two of them', async () => {
      const id = ++restaurants;
      const order = orderFact();
      const version = (turn: number, changes: Partial<OrderFact> = {}): [number, Lines] => [
        id,
        withCheck({ ...order, modified_at: 1000 + turn, gross_cents: 1000 * turn, ...changes }, order.order_guid),
      ];
      const elsewhere = { business_date: 20260301 };

      const merged = await Promise.all(
        merge([
          version(1),
          version(2),
          version(3, elsewhere),
          version(4),
          version(0),
          version(5, { status: 'excluded' }),
        ]),
      );

      // One that changed nothing and was merged alone has no number: what it saw is what the one before it left.
      const loads: number[] = [];
      for (const { load } of merged) loads.push(load || (loads.at(-1) ?? 0));
      const net = async (from: number, to: number) => {
        const query = { kind: 'metrics' as const, ...SPAN, offset: 0, limit: 10 };
        const { checks, orders } = await opened.facts.changes(
          {
            ...query,
            before: { snapshot: String(loads[from]), restaurants: [scopeOf(id)] },
            after: { snapshot: String(loads[to]), restaurants: [scopeOf(id)] },
          },
          BOUNDS,
        );
        const sides = checks.map((check) => [
          check.before?.netSalesAmount ?? null,
          check.after?.netSalesAmount ?? null,
        ]);
        return [sides, orders.length];
      };
      assert.deepEqual(await net(0, 1), [[[900, 1900]], 0]);
      assert.deepEqual(await net(1, 2), [[[1900, null]], 1]);
      assert.deepEqual(await net(2, 3), [[[null, 3900]], 1]);
      assert.deepEqual(await net(0, 3), [[[900, 3900]], 0]);
      assert.deepEqual(await net(3, 4), [[], 0]);
      assert.equal((await net(4, 5))[1], 1);
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });

    it('corrects orders after a load with files has replaced or moved them', async () => {
      const id = ++restaurants;
      const [one, other] = [orderFact({ guests: 1 }), orderFact({ guests: 2 })];
      const version = (order: OrderFact, changes: Partial<OrderFact>): Lines =>
        withCheck({ ...order, ...changes }, order.order_guid);
      await Promise.all(merge([one, other].map((order) => [id, version(order, {})])));
      const replaced = version(one, { modified_at: 1001, guests: 3 });
      const moved = version(other, { modified_at: 1001, guests: 4, business_date: 20260309 });
      for (const lines of [replaced, moved]) await mergeLines({ ...opened, spools: 'files' }, id, lines);

      const merged = await Promise.all(
        merge([
          [id, version(one, { modified_at: 1000, guests: 9 })],
          [id, version(one, { modified_at: 1002, guests: 5, gross_cents: 2000 })],
          [id, version(other, { modified_at: 1002, guests: 6, business_date: 20260309 })],
        ]),
      );

      assert.deepEqual(countsOf(merged), [
        [0, 1],
        [1, 0],
        [1, 0],
      ]);
      const rows = await recordsOf(opened, id, SPAN);
      assert.deepEqual(
        rows.map((row) => [row.businessDate, row.guestCount, row.netSalesAmount]),
        [
          ['20260309', 6, 9],
          ['20260310', 5, 19],
        ],
      );
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });

    it('fails a load that does not fit alone, and keeps those that came with it', async () => {
      const id = ++restaurants;
      const broken = { ...orderFact(), gross_cents: 'a lot' } as unknown as OrderFact;
      const loads = Array.from({ length: 9 }, (_, i): [number, Lines] => [
        id,
        { orders: [i === 6 ? broken : orderFact()] },
      ]);

      const outcomes = await Promise.allSettled(merge(loads));

      assert.deepEqual(
        outcomes.map(({ status }) => status === 'rejected'),
        loads.map((_, i) => i === 6),
      );
      assert.equal((await recordsOf(opened, id))[0]?.ordersCount, 8);
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });

    it('answers each of many clients, and fails one that sends what does not fit', async () => {
      const id = ++restaurants;
      const order = orderFact({ modified_at: 0, business_date: 20260309 });
      const broken = { ...orderFact(), gross_cents: 'a lot' } as unknown as OrderFact;
      let version = 0;
      const answers = Array.from({ length: 48 }, async (_, client) => {
        for (let turn = 0; turn < 4; turn++) {
          const bad = client === 13 && turn === 2;
          const one = opened.facts.merge(id, linesOf(bad ? { orders: [broken] } : withCheck(orderFact())));
          if (bad) await assert.rejects(one);
          else assert.deepEqual(countsOf([await one]), [[1, 0]]);
          const corrected = { ...order, modified_at: ++version, guests: version };
          await opened.facts.merge(id, linesOf(withCheck(corrected, order.order_guid)));
        }
      });

      await Promise.all(answers);

      const rows = await recordsOf(opened, id, SPAN);
      assert.deepEqual([rows[0]?.guestCount, rows[1]?.ordersCount], [48 * 4, 48 * 4 - 1]);
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });

    it('merges orders, time entries and large loads that come mixed', async () => {
      const id = ++restaurants;
      const large = { ...opened, spools: 'files' as const };
      const mixed = [
        mergeLines(large, id, { orders: [orderFact(), orderFact({ seq: 1 })] }),
        ...merge([
          [id, { shifts: [shiftFact()] }],
          [id, withCheck(orderFact())],
          [id, { shifts: [shiftFact()] }],
        ]),
        mergeLines(large, id, { orders: [orderFact()] }),
        ...merge([[id, withCheck(orderFact())]]),
      ];

      const merged = await Promise.all(mixed);

      assert.deepEqual(
        countsOf(merged).map(([accepted]) => accepted),
        [2, 1, 1, 1, 1, 1],
      );
      assert.equal(new Set(merged.map(({ load }) => load)).size, merged.length);
      const [row] = await recordsOf(opened, id);
      assert.deepEqual([row?.ordersCount, row?.hourlyJobTotalHours], [5, '16.00']);
    });

    it('puts names while loads come without a pause', async () => {
      const id = ++restaurants;
      let over = false;
      const loading = Array.from({ length: 4 }, async () => {
        while (!over) await opened.facts.merge(id, linesOf({ orders: [orderFact()] }));
      });
      try {
        await opened.facts.putReference(id, { diningOptions: [{ guid: 'd', name: 'Bar' }] });
      } finally {
        over = true;
        await Promise.all(loading);
      }

      assert.deepEqual((await opened.facts.reference(id)).diningOptions, [{ guid: 'd', name: 'Bar' }]);
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });
  });
}
