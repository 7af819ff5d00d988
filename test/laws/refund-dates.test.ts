/** The laws of the date of a refund (docs/metrics.md#the-date-of-a-refund): what it changes, and what it never does. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { cases } from './arbitraries.ts';
import { type Engine, forEach, newRestaurant, openEngine, put, type Query, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import { type Json, list, liveChecks, newestVersions, refundsOf } from './naive.ts';
import { add, textDigits } from './naive-decimal.ts';
import { naiveLines } from './naive-menu.ts';

const QUERIES: Query[] = [
  {},
  { aggregate: 'HOUR', groups: ['DINING_OPTION'] },
  { aggregate: 'HOUR', groups: ['ORDER_SOURCE'] },
  { kind: 'menu', groups: ['MENU_ITEM'] },
  { kind: 'menu', groups: ['MODIFIER'] },
];
const REFUNDS = ['refundAmount', 'netSalesAmount'];
/** What a refund changes: its amount, and what is computed of it. */
const CHANGED = new Set([...REFUNDS, 'avgOrderValue', 'hourlyJobSalesPerLaborHour']);

const inCents = (rows: Json[], field: string): bigint => add(rows.map((row) => textDigits(String(row[field]), 2)));

/** The same without any refund. */
const unrefunded = (holders: Json[] | null): Json[] =>
  list(holders).map((holder) => ({
    ...holder,
    refundDetails: null,
    modifiers: holder.modifiers && unrefunded(holder.modifiers),
  }));
const withoutRefunds = (orders: Json[]): Json[] =>
  orders.map((order) => ({
    ...order,
    checks: list(order.checks).map((check) => ({
      ...check,
      selections: unrefunded(check.selections),
      appliedServiceCharges: unrefunded(check.appliedServiceCharges),
      payments: list(check.payments).map((payment) => ({ ...payment, refund: null })),
    })),
  }));

interface Loaded {
  onRefund: Json[][];
  onOrder: Json[][];
  /** The same orders before anything was refunded, and after. */
  closed: [Json[][], Json[][]];
}

describe('the laws of the date of a refund', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  checkLaws(
    cases(8, 3),
    async (round): Promise<Loaded[]> => {
      const places = (refundsOn: 'refund' | 'order') =>
        round.map(({ restaurant }) => newRestaurant({ ...restaurant, refundsOn }));
      const [onRefund, onOrder, closed] = [places('refund'), places('order'), places('refund')];
      const load = (of: typeof closed, change: (orders: Json[]) => Json[] = (orders) => orders) =>
        forEach([...round.entries()], async ([index, { orders, entries }]) => {
          const restaurant = of[index] ?? assert.fail();
          await put(engine, restaurant, 'orders', change(orders));
          await put(engine, restaurant, 'shifts', entries);
        });
      const rowsOf = async (of: typeof closed): Promise<Json[][][]> => {
        const reports = reportsOf(engine, of);
        return await Promise.all(
          reports.map((report: Report) => Promise.all(QUERIES.map(async (query) => await report(query)))),
        );
      };
      await load(onRefund);
      await load(onOrder);
      await load(closed, withoutRefunds);
      const before = await rowsOf(closed);
      await load(closed);
      const rows = [await rowsOf(onRefund), await rowsOf(onOrder), await rowsOf(closed)];
      assert.deepEqual(await engine.facts.verify({ deadlineMs: 120_000 }), []);
      return round.map((_, index) => {
        const [refund = [], order = [], later = []] = rows.map((all) => all[index] ?? []);
        return { onRefund: refund, onOrder: order, closed: [before[index] ?? [], later] };
      });
    },
    {
      'the refunds of all dates add up to the same, on whichever date they count': (_, { onRefund, onOrder }) => {
        for (const [i, rows] of onRefund.entries())
          for (const field of REFUNDS) assert.equal(inCents(rows, field), inCents(onOrder[i] ?? [], field));
      },
      'refunds change no other figure of a row, and only they have rows of their own': (_, { onRefund, onOrder }) => {
        for (const [i, rows] of onRefund.entries()) {
          const others = (some: Json[]): string[] =>
            some
              .map((row) => {
                // An item has the name of the line opened last, which may be a refunded one.
                const hidden = [
                  row.menuItemGuid && 'menuItemName',
                  row.modifierGuid && 'modifierName',
                  'restaurantGuid',
                ];
                return Object.entries(row).filter(([field]) => !CHANGED.has(field) && !hidden.includes(field));
              })
              .map((fields) => JSON.stringify(fields));
          const found = new Set(others(rows));
          // Labour without orders is in the group of a refund of its time, and in one without a name where there is
          // none.
          const ofOrders = (onOrder[i] ?? []).filter((row) => row.ordersCount !== 0 || row.voidOrdersCount !== 0);
          for (const row of others(ofOrders)) assert.ok(found.has(row), row);
          for (const row of rows)
            assert.equal(
              textDigits(String(row.netSalesAmount), 2),
              inCents([row], 'grossSalesAmount') - inCents([row], 'discountAmount') - inCents([row], 'refundAmount'),
            );
        }
      },
      'a date on which nothing was refunded is the same before and after all refunds, byte for byte': (
        { orders, restaurant },
        { closed: [before, after] },
      ) => {
        const place = { ...restaurant, refundsOn: 'refund' as const };
        const refunds = newestVersions(orders).flatMap((order) =>
          liveChecks(order).flatMap((check) => refundsOf(check, order, place)),
        );
        const ofLines = naiveLines(orders, place).filter(({ refund }) => refund !== 0n);
        const dates = new Set([...refunds, ...ofLines].map(({ date }) => date));
        for (const [i, rows] of after.entries()) {
          const untouched = (some: Json[] = []): string[] =>
            some.filter(({ businessDate }) => !dates.has(businessDate)).map((row) => JSON.stringify(row));
          assert.deepEqual(untouched(rows), untouched(before[i]));
        }
      },
    },
  );
});
