/** What every store of facts must return about the loaded data of restaurants. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Coverage } from '../../packages/service/src/facts/loaded.ts';
import { checkFact, lineFact, mergeLines, type OpenedFacts, orderFact, settlementFact, shiftFact } from './facts.ts';

let restaurants = 700;

export function factsLoadedConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: what is loaded`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    const coverageOf = async (restaurant: number): Promise<Coverage> => {
      const coverage = (await opened.facts.coverage([restaurant])).get(restaurant);
      assert.ok(coverage);
      return coverage;
    };
    const datesOf = async (restaurant: number) => {
      const { firstDate, lastDate } = await coverageOf(restaurant);
      return [firstDate, lastDate];
    };
    const daysOf = async (restaurant: number, from = 20260101, to = 20261231) =>
      (await opened.facts.loadedDays(restaurant, from, to)).map(({ loadedAt, hasDetails, ...counts }) =>
        Object.values(counts),
      );

    it('is nothing before the first load', async () => {
      const restaurant = ++restaurants;

      const { version, ...rest } = await coverageOf(restaurant);

      assert.deepEqual(rest, { firstDate: null, lastDate: null, loadedAt: null });
      assert.deepEqual(await daysOf(restaurant), []);
      assert.equal((await coverageOf(restaurant)).version, version);
    });

    it('has the GUIDs of the orders of a date that are neither deleted nor waste', async () => {
      const restaurant = ++restaurants;
      const orders = [
        orderFact({ business_date: 20260310 }),
        orderFact({ seq: 1, business_date: 20260310, status: 'voided' }),
        orderFact({ seq: 2, business_date: 20260310, status: 'excluded' }),
        orderFact({ seq: 3, business_date: 20260311 }),
      ];
      await mergeLines(opened, restaurant, { orders });
      const guids = orders.map(({ order_guid: guid }) => guid);

      assert.deepEqual(await opened.facts.ordersOf(restaurant, 20260310), guids.slice(0, 2).sort());
      assert.deepEqual(await opened.facts.ordersOf(restaurant, 20260311), guids.slice(3));
      assert.deepEqual(await opened.facts.ordersOf(restaurant, 20260312), []);
    });

    it('counts orders and time entries that are not deleted, and the checks that reports list, by date', async () => {
      const restaurant = ++restaurants;
      const orders = [
        orderFact({ business_date: 20260310 }),
        orderFact({ seq: 1, business_date: 20260310, status: 'voided' }),
        orderFact({ seq: 2, business_date: 20260312, status: 'excluded' }),
        orderFact({ seq: 3, business_date: 20260314 }),
      ];
      const [first, second, , last] = orders;
      const checks = [first, first, second, last].flatMap((order) => (order ? checkFact(order) : []));
      const began = Date.now();
      const merged = await mergeLines(opened, restaurant, { orders, checks });
      await mergeLines(opened, restaurant, {
        shifts: [
          shiftFact({ business_date: 20260309 }),
          shiftFact({ seq: 1, business_date: 20260310, out_at: null }),
          shiftFact({ seq: 2, business_date: 20260308, deleted: true }),
        ],
      });

      assert.deepEqual(await daysOf(restaurant), [
        [20260309, 0, 0, 1],
        [20260310, 2, 3, 1],
        [20260314, 1, 1, 0],
      ]);
      assert.deepEqual(await daysOf(restaurant, 20260310, 20260313), [[20260310, 2, 3, 1]]);
      assert.deepEqual(await datesOf(restaurant), [20260309, 20260314]);
      assert.deepEqual(merged.days, [
        { businessDate: 20260310, hasRecords: true },
        { businessDate: 20260312, hasRecords: false },
        { businessDate: 20260314, hasRecords: true },
      ]);
      const { loadedAt } = await coverageOf(restaurant);
      assert.ok(loadedAt !== null && loadedAt >= began && loadedAt <= Date.now());
      for (const day of await opened.facts.loadedDays(restaurant, 20260301, 20260331))
        assert.ok(day.loadedAt !== null && day.loadedAt >= began && day.loadedAt <= loadedAt);
    });

    it('has dates of waste alone, without counting its orders, until it is deleted', async () => {
      const restaurant = ++restaurants;
      const waste = [20260308, 20260312].map((business_date, seq) =>
        orderFact({ seq, business_date, status: 'excluded', details: 3 }),
      );
      const lines = waste.map((order) =>
        lineFact(checkFact(order), { quantity: 0, gross_cents: 0, waste_quantity: 1_000_000, waste_cents: 500 }),
      );
      await mergeLines(opened, restaurant, { orders: waste, lines });
      assert.deepEqual(await datesOf(restaurant), [20260308, 20260312]);
      await mergeLines(opened, restaurant, {
        orders: [
          orderFact({ business_date: 20260310 }),
          orderFact({ seq: 1, business_date: 20260314, status: 'excluded' }),
        ],
      });

      assert.deepEqual(await daysOf(restaurant), [
        [20260308, 0, 0, 0],
        [20260310, 1, 0, 0],
        [20260312, 0, 0, 0],
      ]);
      assert.deepEqual(await datesOf(restaurant), [20260308, 20260312]);
      assert.deepEqual([...(await opened.facts.lastDates([restaurant], 20260309))], [[restaurant, 20260308]]);
      for (const order of waste)
        await mergeLines(opened, restaurant, { orders: [{ ...order, seq: 0, details: 7, modified_at: 3000 }] });
      assert.deepEqual(await datesOf(restaurant), [20260310, 20260310]);
      assert.deepEqual(await daysOf(restaurant), [[20260310, 1, 0, 0]]);
    });

    it('has a last date up to any other, of each restaurant that has one', async () => {
      const [one, other, none] = [++restaurants, ++restaurants, ++restaurants];
      const on = (business_date: number, seq = 0) => orderFact({ seq, business_date });
      await mergeLines(opened, one, { orders: [on(20260310), on(20260312, 1), on(20260420, 2)] });
      await mergeLines(opened, one, { shifts: [shiftFact({ business_date: 20260314 })] });
      const excluded = orderFact({ seq: 1, business_date: 20260313, status: 'excluded' });
      await mergeLines(opened, other, { orders: [on(20260311), excluded] });
      const upTo = async (until: number) => {
        const found = await opened.facts.lastDates([one, other, none], until);
        return [one, other, none].map((id) => found.get(id) ?? null);
      };

      assert.deepEqual(await upTo(20260309), [null, null, null]);
      assert.deepEqual(await upTo(20260313), [20260312, 20260311, null]);
      assert.deepEqual(await upTo(20260320), [20260314, 20260311, null]);
      assert.deepEqual(await upTo(20260420), [20260420, 20260311, null]);
    });

    it('follows orders that move to another date or are deleted, at either end', async () => {
      const restaurant = ++restaurants;
      const dates = [20260301, 20260302, 20260303];
      const orders = dates.map((business_date, seq) => orderFact({ seq, business_date }));
      const checks = orders.map((order) => checkFact(order));
      await mergeLines(opened, restaurant, { orders, checks });
      const [first, , last] = orders;
      assert.ok(first && last);
      assert.deepEqual(await datesOf(restaurant), [20260301, 20260303]);

      const moved = { ...first, seq: 0, business_date: 20260305, modified_at: 2000 };
      const { days } = await mergeLines(opened, restaurant, { orders: [moved], checks: [checkFact(moved)] });

      assert.deepEqual(days, [
        { businessDate: 20260301, hasRecords: false },
        { businessDate: 20260305, hasRecords: true },
      ]);
      assert.deepEqual(await datesOf(restaurant), [20260302, 20260305]);
      for (const [order, dates] of [
        [moved, [20260302, 20260303]],
        [last, [20260302, 20260302]],
        [orders[1], [null, null]],
      ] as const) {
        await mergeLines(opened, restaurant, {
          orders: [orderFact({ ...order, status: 'excluded', modified_at: 3000, seq: 0 })],
        });
        assert.deepEqual(await datesOf(restaurant), dates);
      }
      assert.deepEqual(await daysOf(restaurant), []);
    });

    it('has another version after each load or write of a list that changed anything, and the same after others', async () => {
      const restaurant = ++restaurants;
      const order = orderFact();
      const versions: string[] = [];
      const note = async (): Promise<void> => void versions.push((await coverageOf(restaurant)).version);
      await note();
      await mergeLines(opened, restaurant, { orders: [order] });
      await note();
      await mergeLines(opened, restaurant, { orders: [{ ...order, guests: 3, modified_at: 2000 }] });
      await note();
      await opened.facts.putReference(restaurant, { diningOptions: [{ guid: 'd', name: 'Dine In' }] });
      await note();
      await opened.facts.putReference(restaurant, { diningOptions: [{ guid: 'd', name: 'Dine Out' }] });
      await note();
      const employee = { guid: 'e', firstName: 'Ada', lastName: 'Lovelace', chosenName: '' };
      const job = { guid: 'j', title: 'Server', code: '', wageFrequency: 'HOURLY', excludeFromReporting: false };
      for (const chosenName of ['', 'Countess']) {
        await opened.facts.putReference(restaurant, { employees: [{ ...employee, chosenName }] });
        await note();
      }
      for (const code of ['', 'S1']) {
        await opened.facts.putReference(restaurant, { jobs: [{ ...job, code }] });
        await note();
      }
      const menuOf = (name: string) => [
        { guid: 'm', name, menuGroups: [{ guid: 'g', name: 'Pizza', menuGroups: [], menuItems: [] }] },
      ];
      for (const name of ['Lunch', 'Dinner']) {
        await opened.facts.putMenus(restaurant, menuOf(name));
        await note();
      }
      const settlement = settlementFact();
      for (const change of [
        {},
        { fee_cents: 30, modified_at: 2000 },
        { deleted: true, settled_date: 0, modified_at: 3000 },
      ]) {
        await mergeLines(opened, restaurant, { settlements: [{ ...settlement, ...change }] });
        await note();
      }
      await mergeLines(opened, restaurant, { orders: [{ ...order, status: 'excluded', modified_at: 3000 }] });
      await note();
      assert.equal(new Set(versions).size, versions.length, versions.join(' '));

      const late = await mergeLines(opened, restaurant, { orders: [order] });
      await mergeLines(opened, ++restaurants, { orders: [order] });
      await mergeLines(opened, restaurants, { settlements: [settlement] });
      await mergeLines(opened, restaurant, { settlements: [settlement] });
      await opened.facts.putMenus(restaurants, menuOf('Brunch'));
      await opened.facts.putReference(restaurant, { diningOptions: [{ guid: 'd', name: 'Dine Out' }] });
      await opened.facts.putMenus(restaurant, menuOf('Dinner'));

      assert.deepEqual(late.days, []);
      assert.equal((await coverageOf(restaurant)).version, versions.at(-1));
    });

    it('was loaded when a settlement came, changed or went, which adds no day', async () => {
      for (const spools of ['lines', 'medium', 'large'] as const) {
        const restaurant = ++restaurants;
        const to = { ...opened, spools };
        await mergeLines(to, restaurant, { orders: [orderFact({ business_date: 20260310 })] });
        const days = await daysOf(restaurant);
        let { loadedAt } = await coverageOf(restaurant);
        const settlement = settlementFact({ settled_date: 20260312 });
        for (const change of [
          {},
          { fee_cents: 30, modified_at: 2000 },
          { deleted: true, settled_date: 0, modified_at: 3000 },
        ]) {
          while (Date.now() <= (loadedAt ?? 0)) await setTimeout(1);
          const began = Date.now();
          await mergeLines(to, restaurant, { settlements: [{ ...settlement, ...change }] });

          ({ loadedAt } = await coverageOf(restaurant));
          assert.ok(loadedAt !== null && loadedAt >= began, `${spools} ${Object.keys(change)}`);
          assert.deepEqual(await datesOf(restaurant), [20260310, 20260310]);
          assert.deepEqual(await daysOf(restaurant), days);
        }
      }
      assert.deepEqual(await opened.facts.verify({ deadlineMs: 20_000 }), []);
    });

    it('is the same after everything is computed again', async () => {
      // Stores may compute some restaurants at a time: the second is far from the first.
      const own = [++restaurants, restaurants + 1000];
      for (const restaurant of own) {
        const orders = [orderFact(), orderFact({ seq: 1, business_date: 20260320 })];
        await mergeLines(opened, restaurant, { orders, checks: orders.map((order) => checkFact(order)) });
      }
      const look = () =>
        Promise.all(
          own.map(async (restaurant) => [
            await coverageOf(restaurant),
            await opened.facts.loadedDays(restaurant, 20260101, 20261231),
          ]),
        );
      const before = await look();
      assert.deepEqual(await opened.facts.verify({ deadlineMs: 20_000 }), []);

      await opened.facts.rebuild({ deadlineMs: 20_000 });

      assert.deepEqual(await look(), before);
      assert.deepEqual(await opened.facts.verify({ deadlineMs: 20_000 }), []);
    });

    it('is nothing of a restaurant that was removed, and as before of the others', async () => {
      const [removed, stays] = [++restaurants, ++restaurants];
      const lines = () => {
        const orders = [orderFact({ business_date: 20260310 })];
        return { orders, checks: orders.flatMap((order) => checkFact(order)) };
      };
      for (const restaurant of [removed, stays]) {
        await mergeLines(opened, restaurant, lines());
        await mergeLines(opened, restaurant, { shifts: [shiftFact({ business_date: 20260311 })] });
        await opened.facts.putReference(restaurant, { diningOptions: [{ guid: 'd', name: 'Patio' }] });
      }
      const before = [await daysOf(stays), await opened.facts.reference(stays)];
      const to = await mkdtemp(join(tmpdir(), 'daypart-exported-'));
      const bounds = { deadlineMs: 60_000 };
      try {
        const files = await opened.facts.exportRestaurants([removed], to, bounds);
        assert.deepEqual((await readdir(to)).sort(), [...files].sort());
        for (const table of ['orders', 'checks', 'shifts', 'names'])
          assert.ok(files.includes(`${table}.parquet`), table);
      } finally {
        await rm(to, { recursive: true, force: true });
      }

      await opened.facts.removeRestaurants([removed], bounds, true);
      await opened.facts.removeRestaurants([removed], bounds, false);

      assert.deepEqual([await daysOf(removed), await datesOf(removed)], [[], [null, null]]);
      assert.deepEqual((await opened.facts.reference(removed)).diningOptions, []);
      assert.deepEqual([await daysOf(stays), await opened.facts.reference(stays)], before);
      assert.deepEqual(await opened.facts.verify(bounds), []);
      assert.equal(await opened.facts.lost(bounds), undefined);
      await assert.rejects(
        mergeLines(opened, removed, lines()),
        ({ name: kind }: Error) => kind === 'RestaurantRemoved',
      );
      await mergeLines(opened, stays, lines());
      assert.equal((await daysOf(stays))[0]?.[1], 2);
    });
  });
}
