/**
 * The laws of what changes: the daily rollups kept are those that the facts make, whatever was loaded and wherever it
 * was cut off; and what moved between two reports adds up to what their rows differ by.
 */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { EngineGone } from '../../packages/service/src/facts/errors.ts';
import type { Spool } from '../../packages/service/src/facts/load.ts';
import type { Change, Changes, Gathered } from '../../packages/service/src/facts/report.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { type History, histories } from './arbitraries.ts';
import {
  type Engine,
  inTurns,
  newRestaurant,
  openEngine,
  put,
  putReference,
  type Report,
  reportsOf,
  scopeOf,
} from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';

/**
 * From the middle of one clock change to that of another, so that some orders move out of the span and some into it.
 */
const SPAN = { startDate: 20260308, endDate: 20261025 };
const BOUNDS = { deadlineMs: 120_000 };
const SALES = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'];
const COUNTS = [
  ...['guestCount', 'voidOrdersCount', 'discountOrderCount', 'ordersCount', 'openOrderCount', 'closedOrderCount'],
];
const CHECKS = ['Total', 'Discount', 'Tax', 'Tip', 'Gratuity', 'Refund'].map((name) => `check${name}Amount`);
const PAY = 'hourlyJobTotalPay';
const LINES = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'refundAmount', 'voidAmount', 'wasteAmount'];
const COSTS = ['regularCost', 'overtimeCost', 'totalCost'];
type Kind = 'metrics' | 'check' | 'labor' | 'menu';

/** What a field moved by, in whole units, over all entries of a list. */
const sum = (list: Change[], field: string): number =>
  list.reduce((total, { before, after }) => total + Number(after?.[field] ?? 0) - Number(before?.[field] ?? 0), 0);

const isMoney = (field: string): boolean => /(Amount|Cost)$/.test(field) || field === PAY;
/** The sum of a field over the rows of a report, in whole units. */
const total = (rows: Json[], field: string): number =>
  rows.reduce((all, row) => all + (isMoney(field) ? Math.round(Number(row[field]) * 100) : row[field]), 0);

const NAMELESS = { diningOptions: {}, revenueCenters: {}, employees: {} };
/** Every so many loads the engine is killed while it is at one. */
const LOADS_BETWEEN_KILLS = 150;

interface Compared {
  /** The dates whose rollups are wrong. */
  faults: number[];
  metrics: [Json[], Json[]];
  checks: [Json[], Json[]];
  labor: [Json[], Json[]];
  moved: Changes;
  movedChecks: Change[];
  movedLabor: Change[];
  menu: [Json[], Json[]];
  modifiers: [Json[], Json[]];
  movedLines: Change[];
}

describe('the laws of what changes', () => {
  let engine: Engine;
  let loads = 0;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  /** Loads, and once more where the engine was killed in the midst of it. */
  async function putAgain(of: Restaurant, kind: Spool['kind'], records: Json[]): Promise<void> {
    if (records.length === 0) return;
    loads++;
    const killed =
      loads % LOADS_BETWEEN_KILLS === 0
        ? setTimeout((loads / LOADS_BETWEEN_KILLS) % 25).then(() => process.kill(engine.facts.enginePid(), 'SIGKILL'))
        : undefined;
    for (let again = 0; ; again++) {
      try {
        await put(engine, of, kind, records);
        break;
      } catch (error) {
        assert.ok(error instanceof EngineGone && again < 5, String(error));
      }
    }
    // Reports are asked for afterwards: those that a kill takes with it would have to be asked for again.
    await killed;
    if (killed) await engine.facts.ping(BOUNDS.deadlineMs).catch(() => engine.facts.ping(BOUNDS.deadlineMs));
  }

  /** A stage of every history, in turns, as loads come to a service. */
  async function load(all: History[], places: Restaurant[], turn: number): Promise<void> {
    await inTurns([...all.entries()], async ([i, { stages }]) => {
      const of = places[i] ?? assert.fail();
      await putAgain(of, 'orders', stages[turn]?.orders ?? []);
      await putAgain(of, 'shifts', stages[turn]?.entries ?? []);
    });
  }

  /** The rows of both kinds of report for each restaurant, and the load that they were gathered at. */
  async function gather(places: Restaurant[]) {
    const reports = reportsOf(engine, places);
    const rows = (kind: Kind, groups: string[] = []) =>
      Promise.all(reports.map((report: Report) => report({ kind, ...SPAN, groups })));
    const [metrics, checks, labor] = [await rows('metrics'), await rows('check'), await rows('labor')];
    const [menu, modifiers] = [await rows('menu', ['MENU_ITEM']), await rows('menu', ['MODIFIER'])];
    const gathered: Gathered = await engine.facts.gather(
      { kind: 'metrics', restaurants: places.map(scopeOf), ...SPAN, aggregate: 'DAY', groups: [] },
      `${engine.folder}/reports/totals.parquet`,
      BOUNDS,
    );
    const rowsOf = Map.groupBy(places.entries(), ([, { currencyCode }]) => currencyCode);
    assert.deepEqual(new Set(gathered.totals.map(({ currencyCode }) => currencyCode)), new Set(rowsOf.keys()));
    for (const { currencyCode, sums } of gathered.totals) {
      const rows = (rowsOf.get(currencyCode) ?? []).flatMap(([i]) => metrics[i] ?? []);
      for (const field of [...SALES, ...COUNTS, PAY]) {
        assert.equal(sums[field], total(rows, field), `control total of ${field} in ${currencyCode}`);
      }
    }
    return { metrics, checks, labor, menu, modifiers, snapshot: gathered.snapshot };
  }

  async function compare(all: History[]): Promise<Compared[]> {
    const places = all.map(({ restaurant }) => newRestaurant(restaurant));
    for (const [i, { restaurant }] of all.entries()) {
      // Names change nothing of this, jobs do.
      await putReference(engine, places[i] ?? assert.fail(), { ...restaurant, ...NAMELESS });
    }
    await load(all, places, 0);
    const older = await gather(places);
    await load(all, places, 1);
    const newer = await gather(places);
    // What comes after the newer report is not in the answer.
    await load(all, places, 2);

    const faults = await engine.facts.verify(BOUNDS);
    // What one round left behind is not the next one's fault.
    if (faults.length > 0) await engine.facts.rebuild(BOUNDS);
    const wrong = faults.flatMap(({ first }) => first);
    const restaurants = places.map(scopeOf);
    const moved = (kind: Kind, from = older.snapshot) =>
      engine.facts.changes(
        {
          kind,
          ...SPAN,
          offset: 0,
          limit: 1_000_000,
          before: { snapshot: from, restaurants },
          after: { snapshot: newer.snapshot, restaurants },
        },
        BOUNDS,
      );
    assert.deepEqual(await moved('metrics', newer.snapshot), { checks: [], orders: [], lines: [], timeEntries: [] });
    const [ofMetrics, ofChecks, ofLabor] = [await moved('metrics'), await moved('check'), await moved('labor')];
    const ofMenu = await moved('menu');
    return places.map(({ id, guid }, i) => {
      const own = (list: Change[]): Change[] => list.filter(({ restaurantGuid }) => restaurantGuid === guid);
      return {
        faults: wrong.filter(({ restaurantId }) => restaurantId === id).map(({ businessDate }) => businessDate),
        metrics: [older.metrics[i] ?? [], newer.metrics[i] ?? []],
        checks: [older.checks[i] ?? [], newer.checks[i] ?? []],
        labor: [older.labor[i] ?? [], newer.labor[i] ?? []],
        moved: {
          checks: own(ofMetrics.checks),
          orders: own(ofMetrics.orders),
          lines: own(ofMetrics.lines),
          timeEntries: own(ofMetrics.timeEntries),
        },
        movedChecks: own(ofChecks.checks),
        movedLabor: own(ofLabor.timeEntries),
        menu: [older.menu[i] ?? [], newer.menu[i] ?? []],
        modifiers: [older.modifiers[i] ?? [], newer.modifiers[i] ?? []],
        movedLines: own(ofMenu.lines),
      };
    });
  }

  const difference = ([before, after]: [Json[], Json[]], field: string): number =>
    total(after, field) - total(before, field);

  checkLaws(histories(3), compare, {
    'daily rollups are what the facts make, after any loads, corrections, moves of business date and restarts': (
      _,
      { faults },
    ) => assert.deepEqual(faults, []),
    'the moves of checks, orders and pay add up to the difference of two reports of metrics': (
      _,
      { metrics, moved },
    ) => {
      for (const field of SALES) assert.equal(sum(moved.checks, field), difference(metrics, field), field);
      for (const field of COUNTS) assert.equal(sum(moved.orders, field), difference(metrics, field), field);
      assert.equal(sum(moved.timeEntries, PAY), difference(metrics, PAY));
    },
    'the moves of time entries add up to the difference of two reports of labor, hours within their rounding': (
      _,
      { labor, movedLabor },
    ) => {
      for (const field of COSTS) assert.equal(sum(movedLabor, field), difference(labor, field), field);
      const hours = labor.map((rows) => rows.reduce((all, row) => all + Math.round(row.totalHours * 1000), 0));
      const apart = sum(movedLabor, 'totalHours') - ((hours[1] ?? 0) - (hours[0] ?? 0));
      const rounded = movedLabor.length * 2 + labor[0].length + labor[1].length;
      assert.ok(Math.abs(apart) <= rounded, `${apart} of ${rounded}`);
    },
    'the moves of lines add up to the difference of two reports of items, and those of modifiers to that of modifiers':
      (_, { menu, modifiers, movedLines }) => {
        for (const [rows, isModifier] of [
          [menu, false],
          [modifiers, true],
        ] as const) {
          const own = movedLines.filter(({ before, after }) => (after ?? before)?.modifier === isModifier);
          for (const field of LINES) assert.equal(sum(own, field), difference(rows, field), field);
          const quantities = rows.map((some) => some.reduce((all, row) => all + Math.round(row.quantitySold * 1e6), 0));
          assert.equal(sum(own, 'quantitySold'), (quantities[1] ?? 0) - (quantities[0] ?? 0));
        }
      },
    'the moves of checks add up to the difference of two reports of checks': (_, { checks, movedChecks }) => {
      for (const field of CHECKS) assert.equal(sum(movedChecks, field), difference(checks, field), field);
      const added = movedChecks.filter(({ before }) => before === null).length;
      const removed = movedChecks.filter(({ after }) => after === null).length;
      assert.equal(added - removed, checks[1].length - checks[0].length);
    },
  });
});
