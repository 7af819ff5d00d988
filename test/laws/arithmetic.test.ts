/**
 * The laws (docs/metrics.md#laws) over any orders and time entries: the service's own loading and engine against plain
 * arithmetic.
 */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { totals as clientTotals, type MetricsFigures } from '../../packages/client/src/index.ts';
import type { Daypart } from '../../packages/service/src/contract/dayparts.ts';
import { METRICS } from '../../packages/service/src/families/metrics.ts';
import { cases } from './arbitraries.ts';
import { daypartsOf, type Engine, loadCases, openEngine, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import { dateOf, isGone, type Json, liveChecks, newestVersions, refundsOf, salesOf } from './naive.ts';
import { naiveChecks } from './naive-checks.ts';
import { add, textDigits } from './naive-decimal.ts';
import { naiveMetrics } from './naive-metrics.ts';

const SPAN = { start: '20260101', end: '20261231' };
/** None, each, and each pair. */
const GROUPINGS: string[][] = [
  [],
  ...METRICS.groups.map((group) => [group]),
  ...METRICS.groups.flatMap((first, index) => METRICS.groups.slice(index + 1).map((second) => [first, second])),
];
const AGGREGATES = ['DAY', 'HOUR', 'DAYPART'] as const;

const COUNTS = [
  'guestCount',
  'voidOrdersCount',
  'discountOrderCount',
  'ordersCount',
  'openOrderCount',
  'closedOrderCount',
];
const AMOUNTS = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'];
const LABOUR = ['hourlyJobTotalHours', 'hourlyJobTotalPay'];

/** A rendered amount in cents: it has no more than two decimals. */
function inCents(value: number | string): bigint {
  const cents = textDigits(String(value), 2);
  assert.equal(cents * 1000n, textDigits(String(value), 5));
  return cents;
}

/** What adds up, in whole units. */
const totals = (rows: Json[], amounts = AMOUNTS): bigint[] => [
  ...COUNTS.map((field) => add(rows.map((row) => BigInt(row[field])))),
  ...amounts.map((field) => add(rows.map((row) => inCents(row[field])))),
];
const labourOf = (rows: Json[]): bigint[] => LABOUR.map((field) => add(rows.map((row) => inCents(row[field]))));
const byGuid = (records: Json[]): Json[] =>
  [...records].sort((a, b) => (`${a.orderGuid}${a.checkGuid}` < `${b.orderGuid}${b.checkGuid}` ? -1 : 1));
const timeOf = (row: Json): string => `${row.businessDate} ${row.businessHour} ${row.daypart}`;

interface Loaded {
  guid: string;
  dayparts: readonly Daypart[];
  report: Report;
}

describe('the laws of metrics', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  checkLaws(
    cases(12, 8),
    async (round): Promise<Loaded[]> => {
      const restaurants = await loadCases(engine, round);
      const reports = reportsOf(engine, restaurants);
      return restaurants.map(({ id, guid }, index) => ({
        guid,
        dayparts: daypartsOf(id),
        report: reports[index] as Report,
      }));
    },
    {
      'metrics by day, whole and by each group and pair of groups, are what plain arithmetic makes of the source':
        async ({ orders, entries, restaurant }, { guid, report }) => {
          for (const groups of GROUPINGS) {
            const expected = naiveMetrics(orders, entries, { ...restaurant, guid }, { ...SPAN, groups });
            assert.deepEqual(await report({ groups }), expected);
          }
        },

      'metrics by hour are too, with hours of work and pay spread over the local clock hours': async (
        { orders, entries, restaurant },
        { guid, report },
      ) => {
        for (const groups of GROUPINGS) {
          const query = { ...SPAN, groups, hour: true };
          const expected = naiveMetrics(orders, entries, { ...restaurant, guid }, query);
          assert.deepEqual(await report({ groups, aggregate: 'HOUR' }), expected);
        }
      },

      'metrics by daypart are too, in the order of the business day': async (
        { orders, entries, restaurant },
        { guid, dayparts, report },
      ) => {
        for (const groups of GROUPINGS) {
          const expected = naiveMetrics(orders, entries, { ...restaurant, guid }, { ...SPAN, groups, dayparts });
          assert.deepEqual(await report({ groups, aggregate: 'DAYPART' }), expected);
        }
      },

      'checks are what the source says, and their dates ascend': async ({ orders, restaurant }, { guid, report }) => {
        const checks = await report({ kind: 'check' });
        assert.deepEqual(byGuid(checks), byGuid(naiveChecks(orders, { ...restaurant, guid }, SPAN)));
        const dates = checks.map((check) => check.orderOpenDate);
        assert.deepEqual(dates, [...dates].sort());
      },

      'sums over hours, and over dayparts, are the day, labour included, to the cent': async (_one, { report }) => {
        const days = await report();
        for (const aggregate of ['HOUR', 'DAYPART'] as const) {
          const parts = Map.groupBy(await report({ aggregate }), (row) => row.businessDate);
          assert.deepEqual(
            [...parts.keys()].sort(),
            days.map((day) => day.businessDate),
          );
          for (const day of days) {
            const ofDay = parts.get(day.businessDate) ?? [];
            assert.deepEqual(totals(ofDay), totals([day]));
            assert.deepEqual(labourOf(ofDay), labourOf([day]));
          }
        }
      },

      'ratios are those of the sums: the same from a row, from its hours and from its groups': async (
        _one,
        { report },
      ) => {
        const days = await report();
        const splits = [report({ aggregate: 'HOUR' }), ...GROUPINGS.slice(1).map((groups) => report({ groups }))];
        for (const rows of await Promise.all(splits)) {
          const ofDay = Map.groupBy(rows, (row) => row.businessDate);
          for (const day of days) {
            const [sum = assert.fail()] = clientTotals((ofDay.get(day.businessDate) ?? []) as MetricsFigures[], null);
            const ratio = day.hourlyJobSalesPerLaborHour;
            assert.equal(BigInt(sum.avgOrderValueCents), inCents(day.avgOrderValue));
            assert.equal(sum.hourlyJobSalesPerLaborHourCents, ratio === null ? null : Number(inCents(ratio)));
          }
        }
      },

      'sums over a group, or a pair of groups, are the row without it, and each row repeats its labour': async (
        _one,
        { report },
      ) => {
        for (const aggregate of AGGREGATES) {
          const whole = await report({ aggregate });
          for (const groups of GROUPINGS.slice(1)) {
            const parts = Map.groupBy(await report({ aggregate, groups }), timeOf);
            assert.equal(parts.size, whole.length);
            for (const row of whole) {
              const ofRow = parts.get(timeOf(row)) ?? [];
              assert.deepEqual(totals(ofRow), totals([row]));
              for (const part of ofRow) assert.deepEqual(labourOf([part]), labourOf([row]));
            }
          }
        }
      },

      'reports of single days are the span, row by row': async (_one, { report }) => {
        for (const aggregate of AGGREGATES) {
          const span = await report({ aggregate });
          const singles = [];
          for (const date of new Set(span.map((row) => Number(row.businessDate)))) {
            singles.push(...(await report({ aggregate, startDate: date, endDate: date })));
          }
          assert.deepEqual(singles, span);
        }
      },

      'net, gross, discount and refund are the sums over the checks, and net is what discount and refund leave': async (
        { orders, restaurant },
        { report },
      ) => {
        const days = await report();
        const onDate = Map.groupBy(newestVersions(orders), (order) => dateOf(order, restaurant));
        const refunds = newestVersions(orders).flatMap((order) =>
          liveChecks(order).flatMap((check) => refundsOf(check, order, restaurant)),
        );
        const dates = new Set([
          ...onDate.keys(),
          ...refunds.map(({ date }) => date),
          ...days.map((day) => day.businessDate),
        ]);
        for (const date of dates) {
          const sales = (onDate.get(date) ?? []).flatMap(liveChecks).map(salesOf);
          const [gross, discount] = (['gross', 'discount'] as const).map((field) =>
            add(sales.map((one) => one[field])),
          );
          const refund = add(refunds.filter((one) => one.date === date).map(({ amount }) => amount));
          const sums = [(gross ?? 0n) - (discount ?? 0n) - refund, gross, discount, refund];
          const ofDate = days.filter((day) => day.businessDate === date);
          const fields = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'refundAmount'];
          assert.deepEqual(totals(ofDate, fields).slice(COUNTS.length), sums);
        }
        for (const row of [...days, ...(await report({ aggregate: 'HOUR' }))]) {
          const [net = 0n, gross, discount = 0n, , refund = 0n] = AMOUNTS.map((field) => inCents(row[field]));
          assert.equal(gross, net + discount + refund);
          assert.equal(row.ordersCount, row.openOrderCount + row.closedOrderCount);
        }
      },

      'every order is on exactly one business date': async ({ orders }, { report }) => {
        const counted = newestVersions(orders).filter((order) => !isGone(order) && !order.excessFood && !order.voided);
        let found = 0;
        for (const { businessDate } of await report()) {
          const date = Number(businessDate);
          for (const row of await report({ startDate: date, endDate: date })) found += row.ordersCount;
        }
        assert.equal(found, counted.length);
        const checks = Map.groupBy(await report({ kind: 'check' }), (check) => check.orderGuid);
        for (const ofOrder of checks.values()) {
          assert.equal(new Set(ofOrder.map((check) => check.orderOpenDate)).size, 1);
        }
      },
    },
  );
});
