/** What is loaded into the DuckDB facts: merging loads, and what is there. */
import type { LoadedFacts } from '../facts.ts';
import type { Merged } from '../load.ts';
import type { TouchedDay } from '../loaded.ts';
import { DETAILS, type StoredOrder } from '../order.ts';
import { createCoverage } from './coverage.ts';
import { FACT_TABLES } from './kinds.ts';
import { createLoads } from './loads.ts';
import { numbers } from './numbers.ts';
import type { EngineProcess } from './process.ts';
import type { Row } from './protocol.ts';
import { mergeSteps, part, partOf, step } from './steps.ts';

/** A load is as long as its body: this only keeps a stuck one from holding up all others for ever. */
const MERGE_MS = 15 * 60_000;
const FORGET_MS = 10 * 60_000;
const READ_MS = 30_000;

const mergedOf = (row: Row = {}, days: TouchedDay[] = []): Merged => ({
  accepted: Number(row.accepted),
  unchanged: Number(row.unchanged),
  load: Number(row.load),
  days,
});

function openCoverage(engine: EngineProcess) {
  /** A statement of loaded.sql about all restaurants, or about those named. */
  async function loadedRows(name: string, ids?: readonly number[]): Promise<Row[]> {
    const only = ids ? part('onlyOf', { restaurants: ids.join() }) : '';
    const [rows = []] = await engine.run(['quick'], [step(name, undefined, { only })], { deadlineMs: READ_MS });
    return rows;
  }
  return createCoverage({
    loaded: (ids) => loadedRows('loaded', ids),
    names: (ids) => loadedRows('namesVersion', ids),
    start: () => engine.restarts(),
  });
}

/** Merges loads, and tells the coverage of each. */
function openLoads(engine: EngineProcess, coverage: LoadedCoverage): LoadedFacts['merge'] {
  const loads = createLoads({
    async together(of, loads) {
      const lines = loads.map(({ restaurant, spool: { records, parts } }) => ({ restaurant, records, parts }));
      const now = Date.now();
      const rows = await engine.merge({ of, loads: lines, now }, { deadlineMs: MERGE_MS });
      const merged = rows.map(({ days, ...row }) => mergedOf(row, days as TouchedDay[]));
      for (const [place, one] of merged.entries()) coverage.merged(lines[place]?.restaurant ?? 0, one, now);
      return merged;
    },
    async alone(restaurant, spool) {
      const now = Date.now();
      const rows = await engine.run(['write'], mergeSteps(restaurant, spool, now), { deadlineMs: MERGE_MS }, true);
      const days = (rows.at(-2) ?? []).map((day) => ({
        businessDate: Number(day.business_date),
        hasRecords: day.has_records === true,
      }));
      const merged = mergedOf(rows.at(-1)?.[0], days);
      coverage.merged(restaurant, merged, now);
      return merged;
    },
  });
  return async (...load) => {
    try {
      return await loads(...load);
    } catch (error) {
      // It may have been merged all the same, when the engine ended before it said so.
      coverage.forget();
      throw error;
    }
  };
}

export type LoadedCoverage = ReturnType<typeof openCoverage>;

/** The facts that are loaded, and their coverage for those who change names or rebuild. */
export function loadedFacts(engine: EngineProcess): { facts: LoadedFacts; coverage: LoadedCoverage } {
  const coverage = openCoverage(engine);
  const facts: LoadedFacts = {
    merge: openLoads(engine, coverage),
    coverage: coverage.of,
    async loadedDays(restaurant, from, to) {
      const [rows = []] = await engine.run(
        ['quick'],
        [step('loadedDays', { restaurant, from, to }, { all: String(DETAILS.items + DETAILS.payments) })],
        {
          deadlineMs: READ_MS,
        },
      );
      return rows.map(({ business_date, orders, checks, time_entries, loaded_at, has_details }) => ({
        businessDate: Number(business_date),
        orders: Number(orders),
        checks: Number(checks),
        timeEntries: Number(time_entries),
        hasDetails: has_details === true,
        loadedAt: loaded_at === null ? null : Number(loaded_at),
      }));
    },
    async order(restaurant, guid) {
      const found = step('findOrder', { restaurant, order: guid }, { part: partOf(restaurant) });
      const [[row] = []] = await engine.run(['quick'], [found], { deadlineMs: READ_MS });
      if (!row) return undefined;
      const { status, ...others } = row;
      return { ...numbers(others), status } as StoredOrder;
    },
    async forgetReplaced(before) {
      const steps = FACT_TABLES.map((table) => step('forgetReplaced', { before }, { table }));
      await engine.run(['write'], steps, { deadlineMs: FORGET_MS }, true);
    },
  };
  return { facts, coverage };
}
