/**
 * The law of totals: for any fields, they equal the sums of the records of the report, separately for each currency.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { GatherQuery } from '../../packages/service/src/facts/report.ts';
import { CHECK } from '../../packages/service/src/families/check.ts';
import type { ReportFamily } from '../../packages/service/src/families/family.ts';
import { LABOR } from '../../packages/service/src/families/labor.ts';
import { METRICS } from '../../packages/service/src/families/metrics.ts';
import type { ReportRequest } from '../../packages/service/src/ledger/report.ts';
import { readTotalsRequest, shownTotalsRows, totalsQuery } from '../../packages/service/src/requests/totals.ts';
import { cases } from './arbitraries.ts';
import { type Engine, loadCases, openEngine, scopeOf } from './engine.ts';
import { LAWS } from './laws.ts';
import type { Json } from './naive.ts';
import { decimal, money, quotient, textDigits } from './naive-decimal.ts';

const BOUNDS = { deadlineMs: 120_000 };
const SPAN = { startDate: 20260101, endDate: 20261231 };

const METRICS_COUNTS = [
  ...['guestCount', 'voidOrdersCount', 'discountOrderCount', 'ordersCount', 'openOrderCount', 'closedOrderCount'],
];
const METRICS_AMOUNTS = [
  ...['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'],
];
const CHECK_AMOUNTS = [
  ...['checkTotalAmount', 'checkDiscountAmount', 'checkTaxAmount'],
  ...['checkTipAmount', 'checkGratuityAmount', 'checkRefundAmount'],
];
/** The words that name a group: labour cannot be split by them. */
const GROUPS = ['diningOption', 'revenueCenter', 'orderSource'];

const hundredths = (value: unknown): bigint => textDigits(String(value), 2);
const sum = (values: bigint[]): bigint => values.reduce((a, b) => a + b, 0n);

/** The value of a key of a record. */
function keyOf(word: string, record: Json): [string, unknown] {
  const date = String(record.businessDate ?? record.orderOpenDate);
  if (word === 'restaurant') return ['restaurantGuid', record.restaurantGuid];
  if (word === 'businessDate') return [word, date];
  if (word !== 'weekday') return [word, record[word]];
  const day = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`).getUTCDay();
  return [word, day === 0 ? 7 : day];
}

/** A restaurant and date, which is worked if any record of the report has hours there. */
const dateOf = ({ restaurantGuid, businessDate }: Json): string => `${restaurantGuid} ${businessDate}`;
const workedIn = (records: readonly Json[]): Set<string> =>
  new Set(records.filter((row) => Number(row.hourlyJobTotalHours ?? row.totalHours) !== 0).map(dateOf));

function metricsFigures(records: Json[], by: readonly string[], worked: ReadonlySet<string>): Json {
  const figures: Json = {};
  for (const field of METRICS_COUNTS) figures[field] = Number(sum(records.map((row) => BigInt(row[field]))));
  for (const field of METRICS_AMOUNTS) figures[field] = money(sum(records.map((row) => hundredths(row[field]))));
  const times = new Map(
    records.map((row) => [`${row.restaurantGuid} ${row.businessDate} ${row.businessHour} ${row.daypart}`, row]),
  );
  const split = !by.some((word) => GROUPS.includes(word));
  const labour = (field: string): bigint => sum([...times.values()].map((row) => hundredths(row[field])));
  const [net, hours] = [hundredths(figures.netSalesAmount), labour('hourlyJobTotalHours')];
  figures.avgOrderValue = figures.ordersCount === 0 ? 0 : money(quotient(net, BigInt(figures.ordersCount)));
  figures.hourlyJobTotalHours = split ? decimal(hours) : null;
  figures.hourlyJobTotalPay = split ? decimal(labour('hourlyJobTotalPay')) : null;
  const workedNet = sum(records.filter((row) => worked.has(dateOf(row))).map((row) => hundredths(row.netSalesAmount)));
  figures.hourlyJobSalesPerLaborHour = split && hours > 0n ? decimal(quotient(workedNet * 100n, hours)) : null;
  return figures;
}

function laborFigures(records: Json[], _by: readonly string[], worked: ReadonlySet<string>): Json {
  const figures: Json = {};
  const ofDates = records.filter((row) => worked.has(dateOf(row)));
  const add = (field: string, rows: Json[], places = 2): bigint =>
    sum(rows.map((row) => textDigits(String(row[field]), places)));
  for (const field of ['regularHours', 'overtimeHours', 'totalHours'])
    figures[field] = Number(add(field, records, 3)) / 1000;
  for (const field of ['regularCost', 'overtimeCost', 'totalCost', 'netSalesAmount', 'grossSalesAmount'])
    figures[field] = money(add(field, records));
  const [hours, cost] = [add('totalHours', records, 3), add('totalCost', records)];
  for (const name of ['Net', 'Gross']) {
    const sales = add(`${name.toLowerCase()}SalesAmount`, ofDates);
    figures[`${name.toLowerCase()}SalesPerEmployeeHour`] = hours === 0n ? null : money(quotient(sales * 1000n, hours));
    const share = sales < 0n ? quotient(-cost * 10_000n, -sales) : sales > 0n ? quotient(cost * 10_000n, sales) : null;
    figures[`totalCostPer${name}Sales`] = share === null ? null : money(share);
  }
  return figures;
}

const checkFigures = (records: Json[]): Json =>
  Object.fromEntries(CHECK_AMOUNTS.map((field) => [field, money(sum(records.map((row) => hundredths(row[field]))))]));

/** The rows that plain arithmetic makes of records, in no order. */
function naiveTotals(
  records: Json[],
  by: readonly string[],
  currencyOf: ReadonlyMap<string, string | null>,
  figures: Asked['figures'],
): Json[] {
  const worked = workedIn(records);
  const groups = Map.groupBy(records, (record) =>
    JSON.stringify([by.map((word) => keyOf(word, record)), currencyOf.get(record.restaurantGuid) ?? null]),
  );
  return [...groups.values()].map((rows) => ({
    ...Object.fromEntries(by.map((word) => keyOf(word, rows[0]))),
    currencyCode: currencyOf.get(rows[0].restaurantGuid) ?? null,
    rows: rows.length,
    ...figures(rows, by, worked),
  }));
}

/** Rows in an order of their own, each with its fields in theirs. */
function sorted(rows: Json[]): Json[] {
  const inOrder = rows.map((row) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
  const byText = inOrder.map((row) => [JSON.stringify(row), row] as const);
  return byText.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

interface Asked {
  family: ReportFamily;
  figures: typeof metricsFigures;
  aggregate: GatherQuery['aggregate'];
  groups: string[];
}

const plain = { family: METRICS, figures: metricsFigures, aggregate: 'DAY', groups: [] } as const;
const ASKED: Asked[] = [
  { ...plain, groups: [] },
  { ...plain, groups: ['DINING_OPTION'] },
  { ...plain, groups: ['REVENUE_CENTER', 'ORDER_SOURCE'] },
  { ...plain, groups: [], aggregate: 'HOUR' },
  { ...plain, groups: ['DINING_OPTION', 'ORDER_SOURCE'], aggregate: 'HOUR' },
  { ...plain, groups: [], aggregate: 'DAYPART' },
  { ...plain, groups: ['REVENUE_CENTER'], aggregate: 'DAYPART' },
  { ...plain, groups: [], family: CHECK, figures: checkFigures },
  { ...plain, groups: [], family: LABOR, figures: laborFigures },
];

const figureNames = ({
  totals,
  reportTotals: { sums = [], ratios = {}, counts = {} } = {},
}: ReportFamily): string[] => [...new Set([...totals, ...sums, ...Object.keys(ratios), ...Object.keys(counts)])];

/** The fields of a row whose names are kept. */
const only = <T extends object>(row: T, keeps: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => keeps(name)));

/**
 * All that `by` may be for the report: nothing, each word, each pair either way round, each word after a date and a
 * restaurant.
 */
function everyBy(family: ReportFamily, report: ReportRequest): string[][] {
  const known = ['restaurant', 'businessDate', 'weekday', ...Object.keys(family.reportTotals?.splits ?? {})];
  const pairs = known.flatMap((one) => known.map((other) => [one, other]));
  const all = [
    [],
    ...known.map((word) => [word]),
    ...pairs,
    ...known.map((word) => ['businessDate', 'restaurant', word]),
  ];
  return all.filter((by) => {
    try {
      readTotalsRequest(by.length === 0 ? {} : { by: by.join(',') }, family, report, 'reference');
      return true;
    } catch {
      return false;
    }
  });
}

describe('the law of totals', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  it('holds for metrics by day, by hour and by daypart, whole and by groups, for checks and for labor, by everything that they have', async () => {
    const round = fc.sample(cases(12, 8), LAWS);
    const restaurants = await loadCases(engine, round);
    const currencyOf = new Map(restaurants.map(({ guid, currencyCode }) => [guid, currencyCode]));
    let compared = 0;
    for (const { family, figures, aggregate, groups } of ASKED) {
      const { kind } = family;
      const file = join(engine.folder, 'reports', randomUUID());
      const query = { kind, aggregate, groups, ...SPAN, restaurants: restaurants.map(scopeOf) };
      const { totals } = await engine.facts.gather(query, `${file}.parquet`, BOUNDS);
      const form: Form = { format: 'json', kind, aggregate, groups, dialect: 'reference', names: false };
      await engine.facts.render(`${file}.parquet`, form, `${file}.json`, BOUNDS);
      const records: Json[] = JSON.parse(await readFile(`${file}.json`, 'utf8'));
      const report = { kind, plan: { groups, aggregate }, totals } as unknown as ReportRequest;
      for (const [index, by] of everyBy(family, report).entries()) {
        // Every fourth adds up one weekday alone, every third some dates.
        const weekday = index % 4 === 3 ? (index % 7) + 1 : undefined;
        const [from, to] = index % 3 === 2 ? [20260309, 20260312] : [undefined, undefined];
        const all = figureNames(family);
        // Every fifth asks for a few of the figures, other ones each time.
        const some = index % 5 === 1 ? all.filter((_, at) => at % 4 === index % 4) : undefined;
        const ask = { by, from, to, weekday, figures: some };
        const rows = await engine.facts.totals(`${file}.parquet`, totalsQuery(family, report, ask), BOUNDS);
        const shown = shownTotalsRows(family, report, { ...ask, dialect: 'reference', rows });
        const requested = records.filter((record) => {
          const date = Number(keyOf('businessDate', record)[1]);
          const isOfDay = weekday === undefined || keyOf('weekday', record)[1] === weekday;
          return isOfDay && (from === undefined || (date >= from && date <= to));
        });
        const expected = naiveTotals(requested, by, currencyOf, figures);
        const what = `${kind} ${aggregate} ${groups} by ${by} of weekday ${weekday} from ${from}`;
        // The whole has a row for each currency of the report, of 0 where it has no records.
        if (by.length === 0) assert.equal(shown.length, totals.length, what);
        const withRecords = shown.filter(({ rows }) => by.length > 0 || rows !== 0);
        const wanted = expected.map((row) => only(row, (name) => !all.includes(name) || (some ?? all).includes(name)));
        assert.deepEqual(sorted(withRecords), sorted(wanted), what);
        assert.equal(
          new Set(
            shown.map((row) => JSON.stringify([by.map((word) => row[word]), row.currencyCode, row.restaurantGuid])),
          ).size,
          shown.length,
          what,
        );
        compared++;
      }
    }
    assert.ok(compared > 80, String(compared));
  });
});
