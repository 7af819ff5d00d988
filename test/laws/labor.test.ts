/** The laws of labor (docs/metrics.md#laws) over any orders and time entries. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { Facts } from '../../packages/service/src/facts/facts.ts';
import type { CountingEntry } from '../../packages/service/src/facts/shift.ts';
import { cases } from './arbitraries.ts';
import { type Engine, loadCases, openEngine, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';
import { add, textDigits } from './naive-decimal.ts';
import { type LaborGroup, naiveEntries, naiveLabor } from './naive-labor.ts';

const GROUPINGS: (LaborGroup | undefined)[] = [undefined, 'JOB', 'EMPLOYEE'];
const HOURS = ['regularHours', 'overtimeHours', 'totalHours'];
const COSTS = ['regularCost', 'overtimeCost', 'totalCost'];

/** A number as whole units of a decimal place: it has no more decimals than these. */
function units(value: number | string, places: number): bigint {
  const whole = textDigits(String(value), places);
  assert.equal(whole * 1000n, textDigits(String(value), places + 3));
  return whole;
}
const figures = (row: Json): bigint[] => [
  ...HOURS.map((field) => units(row[field], 3)),
  ...COSTS.map((field) => units(row[field], 2)),
];
const sums = (rows: Json[]): bigint[] => [0, 1, 2, 3, 4, 5].map((at) => add(rows.map((row) => figures(row)[at] ?? 0n)));

interface Loaded {
  guid: string;
  metrics: () => Promise<Json[]>;
  labor: (group?: LaborGroup) => Promise<Json[]>;
  /** The time entries that count, of an employee or all, in pages of three. */
  entries: (employee?: string) => Promise<CountingEntry[]>;
}

async function readEntries(facts: Facts, id: number, employee?: string): Promise<CountingEntry[]> {
  const entries: CountingEntry[] = [];
  for (;;) {
    const page = await facts.timeEntries(id, {
      from: 20260101,
      to: 20261231,
      employee,
      after: entries.at(-1),
      limit: 3,
    });
    entries.push(...page);
    if (page.length < 3) return entries;
  }
}

describe('the laws of labor', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  checkLaws(
    cases(4, 10),
    async (round): Promise<Loaded[]> => {
      const restaurants = await loadCases(engine, round);
      const reports = reportsOf(engine, restaurants);
      return restaurants.map(({ id, guid }, index) => {
        const report = reports[index] as Report;
        let all: ReturnType<typeof readEntries> | undefined;
        const readAll = () => (all ??= readEntries(engine.facts, id));
        return {
          guid,
          metrics: () => report(),
          labor: (group) => report({ kind: 'labor', groups: group ? [group] : [] }),
          entries: (employee) => (employee === undefined ? readAll() : readEntries(engine.facts, id, employee)),
        };
      });
    },
    {
      'labor, whole and by each group, is what plain arithmetic makes of the source': async (
        { orders, entries, restaurant },
        { guid, labor },
      ) => {
        for (const group of GROUPINGS) {
          assert.deepEqual(await labor(group), naiveLabor(orders, entries, { ...restaurant, guid }, group));
        }
      },

      'the cost of a date is its pay in metrics, to the cent, and its sales are those of metrics': async (
        _one,
        { metrics, labor },
      ) => {
        const days = await metrics();
        const rows = await labor();
        assert.deepEqual(
          rows.map((row) => [row.businessDate, units(row.totalCost, 2), row.netSalesAmount, row.grossSalesAmount]),
          days.map((day) => [
            ...[day.businessDate, units(day.hourlyJobTotalPay, 2)],
            ...[day.netSalesAmount, day.grossSalesAmount],
          ]),
        );
      },

      'the hours of a date are those of metrics, but for the rounding of two parts to thousandths': async (
        _one,
        { metrics, labor },
      ) => {
        const days = await metrics();
        for (const [index, row] of (await labor()).entries()) {
          const apart = units(row.totalHours, 3) - units(days[index]?.hourlyJobTotalHours, 2) * 10n;
          assert.ok(apart >= -6n && apart <= 6n, `${row.totalHours} ${days[index]?.hourlyJobTotalHours}`);
        }
      },

      'hours and costs by job and by employee add up to those of the date': async (_one, { labor }) => {
        const days = await labor();
        for (const group of ['JOB', 'EMPLOYEE'] as const) {
          const parts = Map.groupBy(await labor(group), (row) => row.businessDate);
          for (const day of days) assert.deepEqual(sums(parts.get(day.businessDate) ?? []), figures(day));
          for (const date of parts.keys()) assert.ok(days.some((day) => day.businessDate === date));
        }
      },

      'the time entries that are read are those of the source that count, of each employee': async (
        { entries: loaded, restaurant },
        { entries },
      ) => {
        const all = naiveEntries(loaded, restaurant);
        assert.deepEqual(await entries(), all);
        for (const [employee, own] of Map.groupBy(all, (entry) => entry.employee_guid))
          if (employee !== null) assert.deepEqual(await entries(employee), own);
      },

      'the time entries that are read add up to labor: costs to the cent, hours to the thousandth': async (
        _one,
        { labor, entries },
      ) => {
        const read = Map.groupBy(await entries(), (entry) => `${entry.business_date} ${entry.employee_guid}`);
        const rows = await labor('EMPLOYEE');
        assert.equal(read.size, rows.length);
        for (const row of rows) {
          const own = read.get(`${row.businessDate} ${row.employeeGuid}`) ?? [];
          const sum = (of: (entry: CountingEntry) => number): bigint => add(own.map((entry) => BigInt(of(entry))));
          const [regular = 0n, overtime = 0n, , ...costs] = figures(row);
          assert.deepEqual(costs, [
            sum((entry) => entry.regular_cents),
            sum((entry) => entry.overtime_cents),
            sum((entry) => entry.regular_cents + entry.overtime_cents),
          ]);
          for (const [shown, micro] of [
            [regular, sum((entry) => entry.regular_micro)],
            [overtime, sum((entry) => entry.overtime_micro)],
          ] as const)
            assert.ok(shown === micro / 1000n || shown === micro / 1000n + 1n, `${shown} ${micro}`);
        }
      },

      'totals are the sums of their parts, keys are unique, and nothing is negative that is not negative in the source':
        async ({ entries }, { labor }) => {
          const negative = entries.some(({ hourlyWage, regularPay }) => hourlyWage < 0 || regularPay < 0);
          for (const group of GROUPINGS) {
            const rows = await labor(group);
            const keys = rows.map((row) => `${row.businessDate} ${row.jobGuid ?? row.employeeGuid}`);
            assert.equal(new Set(keys).size, keys.length);
            for (const row of rows) {
              const [regular = 0n, overtime = 0n, hours, regularCost = 0n, overtimeCost = 0n, cost] = figures(row);
              assert.deepEqual([hours, cost], [regular + overtime, regularCost + overtimeCost]);
              assert.ok(regular >= 0n && overtime >= 0n && (negative || (regularCost >= 0n && overtimeCost >= 0n)));
            }
          }
        },
    },
  );
});
