/** Loading into the DuckDB facts, and what is loaded. */
import type { LoadedFacts } from '../facts.ts';
import type { LoadKind, Merged, SpoolFiles } from '../load.ts';
import type { LoadedDay } from '../loaded.ts';
import { DETAILS } from '../order.ts';
import { createCoverage, type LoadedCoverage } from './coverage.ts';
import { FACT_TABLES } from './kinds.ts';
import { createLoads } from './loads.ts';
import type { EngineProcess } from './process.ts';
import type { EngineRow, Step } from './protocol.ts';
import type { RowGroups } from './row-groups.ts';
import { rowsOf, type StatementRow } from './row-types.ts';
import { dropSteps, fragment, type MergeForm, mergedOf, mergeSteps, partOf, step } from './steps.ts';

/** A merge takes as long as its body is large; this only keeps a stuck one from blocking all others forever. */
const MERGE_MS = 15 * 60_000;
const FORGET_MS = 10 * 60_000;
const READ_MS = 30_000;

function openCoverage(engine: EngineProcess): LoadedCoverage {
  /** A statement of loaded.sql about all restaurants, or about those named. */
  async function loadedRows<Name extends 'loaded' | 'listsVersion'>(
    name: Name,
    ids?: readonly number[],
  ): Promise<StatementRow<Name>[]> {
    const only = ids ? fragment('onlyOf', { restaurants: ids.join() }) : '';
    const words = { only, days: fragment('daysWithData', { only }) };
    const [rows] = await engine.run(['quick'], [step(name, undefined, words)], { deadlineMs: READ_MS });
    return rowsOf(name, rows);
  }
  return createCoverage({
    loaded: (ids) => loadedRows('loaded', ids),
    lists: (ids) => loadedRows('listsVersion', ids),
    start: () => engine.restarts(),
  });
}

/** Merges loads, and passes each result to the coverage. */
function openLoads(engine: EngineProcess, coverage: LoadedCoverage, rowGroups: RowGroups): LoadedFacts['merge'] {
  function noteMerged(restaurant: number, kind: LoadKind, one: Merged, now: number): void {
    if (kind === 'settlements') coverage.listed(restaurant);
    else coverage.merged(restaurant, one, now);
  }

  async function merged(
    restaurant: number,
    spool: SpoolFiles,
    form: MergeForm,
    run: (steps: Step[]) => Promise<EngineRow[][]>,
  ): Promise<Merged> {
    const now = Date.now();
    const one = mergedOf(await run(mergeSteps(restaurant, spool, now, form)));
    noteMerged(restaurant, spool.kind, one, now);
    return one;
  }
  const bounds = { deadlineMs: MERGE_MS };
  const loads = createLoads({
    async batch(of, loads, isBeside) {
      const lines = loads.map(({ restaurant, spool }) => ({ ...spool, restaurant }));
      const now = Date.now();
      const merged = await engine.merge({ of, loads: lines, now, isBeside }, bounds);
      for (const [index, one] of merged.entries()) noteMerged(lines[index]?.restaurant ?? 0, of, one, now);
      return merged;
    },
    alone: (restaurant, spool) => merged(restaurant, spool, {}, (steps) => engine.run(['write'], steps, bounds, true)),
    large: (restaurant, spool) =>
      merged(restaurant, spool, { isBeside: true }, (steps) =>
        engine.writeBeside({ steps, last: dropSteps() }, bounds),
      ),
  });
  return async (...load) => {
    rowGroups.begun();
    try {
      return await loads(...load);
    } catch (error) {
      // The engine may have committed it before it ended without an answer.
      coverage.forget();
      throw error;
    } finally {
      rowGroups.ended();
    }
  };
}

/** The step that reads what is loaded of a restaurant on the days of a span, both inclusive. */
export function daysStep(restaurant: number, from: number, to: number): Step {
  const all = String(DETAILS.items + DETAILS.payments);
  const days = fragment('daysWithData', { only: fragment('ofDays') });
  return {
    ...step('loadedDays', { restaurant, from, to }, { all, days }),
    only: { orders: fragment('lacksDetails', { all }) },
  };
}

/** The days that the statement `loadedDays` answers. */
export const loadedDaysOf = (answered: readonly EngineRow[] | undefined): LoadedDay[] =>
  rowsOf('loadedDays', answered).map(({ orders, checks, ...day }) => ({
    businessDate: day.business_date,
    orders,
    checks,
    timeEntries: day.time_entries,
    hasDetails: day.has_details,
    loadedAt: day.loaded_at,
  }));

/** A step that answers the orders of a date; `ordersOfDate` reads its rows. */
export const ordersStep = (restaurant: number, date: number): Step => step('ordersOfDate', { restaurant, date });

/** The GUIDs that the statement `ordersOfDate` answers. */
export const ordersOfDate = (answered: readonly EngineRow[] | undefined): string[] =>
  rowsOf('ordersOfDate', answered).map(({ guid }) => guid);

/** Loading, and the coverage, which must be notified when names change or facts are rebuilt. */
export function loadedFacts(
  engine: EngineProcess,
  rowGroups: RowGroups,
): { facts: LoadedFacts; coverage: LoadedCoverage } {
  const coverage = openCoverage(engine);
  const facts: LoadedFacts = {
    merge: openLoads(engine, coverage, rowGroups),
    coverage: coverage.of,
    async lastDates(restaurants, until) {
      const only = fragment('untilDate', { restaurants: restaurants.join() });
      const request = step('lastDates', { until }, { days: fragment('daysWithData', { only }) });
      const [rows] = await engine.run(['quick'], [request], { deadlineMs: READ_MS });
      return new Map(rowsOf('lastDates', rows).map((row) => [row.restaurant_id, row.last_date]));
    },
    async loadedDays(restaurant, from, to) {
      const [rows] = await engine.run(['quick'], [daysStep(restaurant, from, to)], { deadlineMs: READ_MS });
      return loadedDaysOf(rows);
    },
    async ordersOf(restaurant, date) {
      const [rows] = await engine.run(['quick'], [ordersStep(restaurant, date)], { deadlineMs: READ_MS });
      return ordersOfDate(rows);
    },
    async order(restaurant, guid) {
      const found = step('findOrder', { restaurant, order: guid }, { part: partOf(restaurant) });
      const [rows] = await engine.run(['quick'], [found], { deadlineMs: READ_MS });
      return rowsOf('findOrder', rows)[0];
    },
    async forgetReplaced(before) {
      const steps = FACT_TABLES.map((table) => step('forgetReplaced', { before }, { table }));
      await engine.run(['write'], steps, { deadlineMs: FORGET_MS }, true);
    },
  };
  return { facts, coverage };
}
