/** The law of corrections: what moved between two reports adds up to what their rows differ by. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { Change, Changes, Gathered } from '../../packages/service/src/facts/facts.ts';
import type { Restaurant } from '../../packages/service/src/ledger/ledger.ts';
import { type History, histories } from './arbitraries.ts';
import {
  type Engine,
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

/** From the middle of one clock change to that of another, so that some orders move out of the span and some into it. */
const SPAN = { startDate: 20260308, endDate: 20261025 };
const BOUNDS = { deadlineMs: 120_000 };
const SALES = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'];
const COUNTS = [
  ...['guestCount', 'voidOrdersCount', 'discountOrderCount', 'ordersCount', 'openOrderCount', 'closedOrderCount'],
];
const CHECKS = ['Total', 'Discount', 'Tax', 'Tip', 'Gratuity', 'Refund'].map((name) => `check${name}Amount`);
const PAY = 'hourlyJobTotalPay';

/** What a field moved by, in whole units, over all entries of a list. */
const sum = (list: Change[], field: string): number =>
  list.reduce((total, { before, after }) => total + Number(after?.[field] ?? 0) - Number(before?.[field] ?? 0), 0);

const isMoney = (field: string): boolean => field.endsWith('Amount') || field === PAY;
/** The sum of a field over the rows of a report, in whole units. */
const total = (rows: Json[], field: string): number =>
  rows.reduce((all, row) => all + (isMoney(field) ? Math.round(Number(row[field]) * 100) : row[field]), 0);

interface Compared {
  metrics: [Json[], Json[]];
  checks: [Json[], Json[]];
  moved: Changes;
  movedChecks: Change[];
}

describe('the law of corrections', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  async function load(all: History[], places: Restaurant[], turn: number): Promise<void> {
    for (const [i, { stages }] of all.entries()) {
      const of = places[i] ?? assert.fail();
      const { orders = [], entries = [] } = stages[turn] ?? {};
      if (orders.length > 0) await put(engine, of, 'orders', orders);
      if (entries.length > 0) await put(engine, of, 'shifts', entries);
    }
  }

  /** The rows of both kinds of report for each restaurant, and the load that they were gathered at. */
  async function gather(places: Restaurant[]) {
    const reports = reportsOf(engine, places);
    const rows = (kind: 'metrics' | 'check') => Promise.all(reports.map((report: Report) => report({ kind, ...SPAN })));
    const [metrics, checks] = [await rows('metrics'), await rows('check')];
    const gathered: Gathered = await engine.facts.gather(
      { kind: 'metrics', restaurants: places.map(scopeOf), ...SPAN, aggregate: 'DAY', groups: [] },
      `${engine.folder}/reports/totals.parquet`,
      BOUNDS,
    );
    for (const field of [...SALES, ...COUNTS, PAY]) {
      assert.equal(gathered.totals[field], total(metrics.flat(), field), `control total of ${field}`);
    }
    return { metrics, checks, load: gathered.load };
  }

  async function compare(all: History[]): Promise<Compared[]> {
    const places = all.map(({ restaurant }) => newRestaurant(restaurant));
    for (const [i, { restaurant }] of all.entries()) {
      await putReference(engine, places[i] ?? assert.fail(), restaurant);
    }
    await load(all, places, 0);
    const older = await gather(places);
    await load(all, places, 1);
    const newer = await gather(places);
    // What comes after the newer report is not in the answer.
    await load(all, places, 2);

    const restaurants = places.map(scopeOf);
    const moved = (kind: 'metrics' | 'check', from = older.load) =>
      engine.facts.changes(
        {
          ...{ kind, ...SPAN, offset: 0, limit: 1_000_000 },
          before: { load: from, restaurants },
          after: { load: newer.load, restaurants },
        },
        BOUNDS,
      );
    assert.deepEqual(await moved('metrics', newer.load), { checks: [], orders: [], timeEntries: [] });
    const [ofMetrics, ofChecks] = [await moved('metrics'), await moved('check')];
    return places.map(({ guid }, i) => {
      const own = (list: Change[]): Change[] => list.filter(({ restaurantGuid }) => restaurantGuid === guid);
      return {
        metrics: [older.metrics[i] ?? [], newer.metrics[i] ?? []],
        checks: [older.checks[i] ?? [], newer.checks[i] ?? []],
        moved: {
          checks: own(ofMetrics.checks),
          orders: own(ofMetrics.orders),
          timeEntries: own(ofMetrics.timeEntries),
        },
        movedChecks: own(ofChecks.checks),
      };
    });
  }

  const difference = ([before, after]: [Json[], Json[]], field: string): number =>
    total(after, field) - total(before, field);

  checkLaws(histories(3), compare, {
    'the moves of checks, orders and pay add up to the difference of two reports of metrics': (
      _,
      { metrics, moved },
    ) => {
      for (const field of SALES) assert.equal(sum(moved.checks, field), difference(metrics, field), field);
      for (const field of COUNTS) assert.equal(sum(moved.orders, field), difference(metrics, field), field);
      assert.equal(sum(moved.timeEntries, PAY), difference(metrics, PAY));
    },
    'the moves of checks add up to the difference of two reports of checks': (_, { checks, movedChecks }) => {
      for (const field of CHECKS) assert.equal(sum(movedChecks, field), difference(checks, field), field);
      const added = movedChecks.filter(({ before }) => before === null).length;
      const removed = movedChecks.filter(({ after }) => after === null).length;
      assert.equal(added - removed, checks[1].length - checks[0].length);
    },
  });
});
