/** The embedded facts: DuckDB in a child process. */
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFamilies, type Families } from '../../families/index.ts';
import type { Priority } from '../../nice.ts';
import {
  type Bounds,
  type Change,
  EngineGone,
  type Facts,
  type Form,
  type Gathered,
  type GatherQuery,
  type Merged,
  type Reference,
  type SheetFault,
  type StoredOrder,
  type WorkLane,
} from '../facts.ts';
import type { TouchedDay } from '../loaded.ts';
import { type Answers, createBatches } from './batches.ts';
import { createCoverage } from './coverage.ts';
import type { FamilySql } from './families/family.ts';
import { FAMILY_SQL } from './families/index.ts';
import { currenciesOf, type EngineFamily, gatherSteps, incompleteOf, isSmall, renderSteps } from './gather.ts';
import { FACT_TABLES } from './kinds.ts';
import { createLoads } from './loads.ts';
import { countsOf, entriesOf, menusOf } from './menus.ts';
import { factsFolder } from './place.ts';
import { startEngine } from './process.ts';
import type { Lane, Row } from './protocol.ts';
import { namesOf, referenceOf } from './reference-rows.ts';
import { loadOf, snapshotOf } from './snapshot.ts';
import { changesSteps, mergeSteps, partOf, rebuildSteps, step, text, verifySteps } from './steps.ts';
import { totalsRowOf, totalsStep } from './totals.ts';

export interface DuckdbFacts extends Facts {
  /** The engine's process, for those who watch it. */
  enginePid(): number;
  /** How often the engine was started again. */
  engineRestarts(): number;
}

/** A load is as long as its body: this only keeps a stuck one from holding up all others for ever. */
const MERGE_MS = 15 * 60_000;
const REFERENCE_MS = 30_000;
/** It reads a column of every order. */
const HIGHEST_MS = 5 * 60_000;

const FORGET_MS = 10 * 60_000;
/** What is short takes whichever of the two is free, so it never waits behind what is long. */
const MAY_RUN: Record<WorkLane, Lane[]> = {
  short: ['short', 'long'],
  long: ['long'],
  quick: ['quick'],
  render: ['render'],
};
const lanesOf = ({ lane = 'short' }: Bounds): Lane[] => MAY_RUN[lane];

/** Opens the facts of a folder, making it where it is missing. `readable` are folders that the engine may use besides. */
export async function openDuckdbFacts(options: {
  folder: string;
  memoryMb: number;
  priority?: Priority | undefined;
  readable?: string[];
  families?: Families;
  /** The SQL of families besides those of the service. */
  familySql?: Record<string, FamilySql>;
  log?: Logger;
}): Promise<DuckdbFacts> {
  const { folder, memoryMb, priority, readable = [], families = createFamilies(), familySql, log } = options;
  const engine = await startEngine({ folder, memoryMb, priority, readable, log });

  const sqlOf: Record<string, FamilySql> = { ...FAMILY_SQL, ...familySql };
  function engineFamily(kind: string): EngineFamily {
    const sql = sqlOf[kind];
    if (!sql) throw new Error(`no SQL for the report family ${kind}`);
    return [families.of(kind), sql];
  }

  const gatherSmall = createBatches((steps, bounds) => engine.run(lanesOf(bounds), steps, bounds, true));

  /** A statement of loaded.sql about all restaurants, or about those named. */
  async function loadedRows(name: string, ids?: readonly number[]): Promise<Row[]> {
    const only = ids ? text('onlyOf', { restaurants: ids.join() }) : '';
    const [rows = []] = await engine.run(['quick'], [step(name, undefined, { only })], { deadlineMs: REFERENCE_MS });
    return rows;
  }
  const coverage = createCoverage({
    loaded: (ids) => loadedRows('loaded', ids),
    names: (ids) => loadedRows('namesVersion', ids),
    start: () => engine.restarts(),
  });

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
        stands: day.stands === true,
      }));
      const merged = mergedOf(rows.at(-1)?.[0], days);
      coverage.merged(restaurant, merged, now);
      return merged;
    },
  });
  const merge: Facts['merge'] = async (...load) => {
    try {
      return await loads(...load);
    } catch (error) {
      // It may have been merged all the same, when the engine ended before it said so.
      coverage.forget();
      throw error;
    }
  };

  async function reference(restaurant: number): Promise<Reference> {
    const [rows = []] = await engine.run(['quick'], [step('names', { restaurant })], { deadlineMs: REFERENCE_MS });
    return referenceOf(rows);
  }

  return {
    merge,
    coverage: coverage.of,
    async loadedDays(restaurant, from, to) {
      const [rows = []] = await engine.run(['quick'], [step('loadedDays', { restaurant, from, to })], {
        deadlineMs: REFERENCE_MS,
      });
      return rows.map(({ business_date, orders, checks, time_entries, loaded_at }) => ({
        businessDate: Number(business_date),
        orders: Number(orders),
        checks: Number(checks),
        timeEntries: Number(time_entries),
        loadedAt: loaded_at === null ? null : Number(loaded_at),
      }));
    },
    reference,
    async order(restaurant, guid) {
      const found = step('findOrder', { restaurant, order: guid }, { part: partOf(restaurant) });
      const [[row] = []] = await engine.run(['quick'], [found], { deadlineMs: REFERENCE_MS });
      if (!row) return undefined;
      const { standing, ...others } = row;
      return { ...numbers(others), standing } as StoredOrder;
    },
    async putReference(restaurant, lists) {
      const steps = Object.entries(namesOf(lists)).flatMap(([kind, rows]) => [
        step('deleteNames', { restaurant, kind }),
        step('insertNames', { restaurant, kind, rows: JSON.stringify(rows) }),
      ]);
      const rows = await engine
        .run(['write'], [...steps, step('names', { restaurant })], { deadlineMs: REFERENCE_MS }, true)
        .finally(() => coverage.named(restaurant));
      return referenceOf(rows.at(-1) ?? []);
    },
    async putMenus(restaurant, menus) {
      const entries = entriesOf(menus);
      const steps = [
        step('deleteMenus', { restaurant }),
        step('insertMenus', { restaurant, entries: JSON.stringify(entries) }),
      ];
      await engine.run(['write'], steps, { deadlineMs: REFERENCE_MS }, true);
      return countsOf(entries);
    },
    async menus(restaurant) {
      const [rows = []] = await engine.run(['quick'], [step('menus', { restaurant })], { deadlineMs: REFERENCE_MS });
      return menusOf(rows);
    },
    async gather(query, parquet, bounds, first) {
      const family = families.of(query.kind);
      if (isSmall(family, query)) {
        const gathered = gatheredOf(
          query,
          await gatherSmall({ family: engineFamily(query.kind), query, file: parquet, first }, bounds),
        );
        if (first) await closeArray(first.form, first.file, gathered.rows);
        return { ...gathered, rendered: first !== undefined };
      }
      const { onProgress } = bounds;
      const steps = gatherSteps(engineFamily(query.kind), query, parquet);
      // Of the first three steps, the copy in the middle is what takes time.
      const onSteps = onProgress && ((done: number) => onProgress(Math.min(Math.max(done * steps.length - 1, 0), 1)));
      const answers = await engine.run(lanesOf(bounds), steps, { ...bounds, onProgress: onSteps }, true);
      const incomplete = family.needs ? incompleteOf(answers.pop() ?? []) : null;
      const [now, , ...totals] = answers;
      return {
        ...gatheredOf(query, { now: now?.[0], totals: totals.map(([row]) => row), incomplete }),
        rendered: false,
      };
    },
    async render(parquet, form, file, bounds) {
      const lanes = lanesOf({ lane: 'quick', ...bounds });
      const [copied] = await engine.run(lanes, renderSteps(families.of(form.kind), parquet, form, file), bounds);
      await closeArray(form, file, Number(copied?.[0]?.Count));
    },
    async totals(parquet, query, bounds) {
      const family = families.of(query.kind);
      const [rows = []] = await engine.run(lanesOf(bounds), [totalsStep(family, query, parquet)], bounds);
      return rows.map((row) => totalsRowOf(family, row));
    },
    async changes(query, bounds) {
      const lists = await engine.run(lanesOf(bounds), changesSteps(engineFamily(query.kind), query), bounds, true);
      const named = families.of(query.kind).changes.map((name, place) => [name, lists[place]?.map(changeOf)]);
      return { checks: [], orders: [], lines: [], timeEntries: [], ...Object.fromEntries(named) };
    },
    async forgetReplaced(before) {
      const steps = FACT_TABLES.map((table) => step('forgetReplaced', { before }, { table }));
      await engine.run(['write'], steps, { deadlineMs: FORGET_MS }, true);
    },
    async verify(bounds) {
      const { steps, faults } = verifySteps();
      return faultsOf(await engine.run(['long'], steps, bounds, true), faults);
    },
    async rebuild(bounds) {
      await engine.run(['write'], rebuildSteps(), bounds, true).finally(coverage.forget);
    },
    async identity() {
      const [[row] = []] = await engine.run(['quick'], [step('identity')], { deadlineMs: REFERENCE_MS });
      return row && { id: String(row.id), epoch: String(row.epoch) };
    },
    async identify({ id, epoch }) {
      const steps = [step('forgetIdentity'), step('identify', { id, epoch })];
      await engine.run(['write'], steps, { deadlineMs: REFERENCE_MS }, true);
    },
    covers: (snapshot, other) => loadOf(snapshot) >= loadOf(other),
    async highest() {
      const [[row] = []] = await engine.run(['quick'], [step('highest')], { deadlineMs: HIGHEST_MS });
      return { restaurantId: Number(row?.restaurant_id), snapshot: snapshotOf(row) };
    },
    async backup(to, meanwhile) {
      const target = factsFolder(to);
      await mkdir(target, { recursive: true, mode: 0o700 });
      await engine.hold('write', async (run) => {
        // Refused while a gather still reads what a load has replaced since: then the journal is copied with what it holds.
        await run([{ sql: 'checkpoint' }]).catch((error: Error) => {
          if (!/Cannot CHECKPOINT/.test(error.message)) throw error;
        });
        const pid = engine.pid();
        for (const name of ['facts.duckdb', 'facts.duckdb.wal']) {
          if (existsSync(join(folder, name))) {
            await copyFile(join(folder, name), join(target, name), constants.COPYFILE_FICLONE);
          }
        }
        await meanwhile();
        // An engine that took over wrote to the file as it opened it.
        if (engine.pid() !== pid) throw new EngineGone('the reporting engine ended while its file was copied');
      });
    },
    async ping(deadlineMs) {
      await engine.run(['quick'], [step('ping')], { deadlineMs });
    },
    enginePid: () => engine.pid(),
    engineRestarts: () => engine.restarts(),
    close: () => engine.close(),
  };
}

/** DuckDB writes an empty array over three lines. */
async function closeArray({ format }: Form, file: string, rows: number): Promise<void> {
  if (format === 'json' && rows === 0) await writeFile(file, '[]', { mode: 0o600 });
}

function gatheredOf({ restaurants }: GatherQuery, { now, totals, incomplete }: Answers): Omit<Gathered, 'rendered'> {
  const sums = totals.map(numbers);
  const rows = sums.reduce((all, { rows: some = 0 }) => all + some, 0);
  const byCurrency = currenciesOf(restaurants).map((currencyCode, place) => {
    const { rows: _, ...summed } = sums[place] ?? {};
    return { currencyCode, sums: summed };
  });
  return { rows, asOf: Number(now?.as_of), snapshot: snapshotOf(now), totals: byCurrency, incomplete };
}

/** The numbers of a row, which the engine may answer as BigInt. */
const numbers = (row: Row = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));

const mergedOf = (row: Row = {}, days: TouchedDay[] = []): Merged => ({
  accepted: Number(row.accepted),
  unchanged: Number(row.unchanged),
  load: Number(row.load),
  days,
});

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

function changeOf(row: Row): Change {
  const side = (figures: unknown): Record<string, unknown> | null =>
    figures === null
      ? null
      : Object.fromEntries(Object.entries(figures as object).map(([name, value]) => [name, plain(value)]));
  return {
    restaurantGuid: String(row.restaurantGuid),
    orderGuid: row.orderGuid === null ? null : String(row.orderGuid),
    guid: row.guid === null ? null : String(row.guid),
    orderNumber: row.orderNumber === null ? null : Number(row.orderNumber),
    checkNumber: row.checkNumber === null ? null : Number(row.checkNumber),
    before: side(row.before),
    after: side(row.after),
  };
}

/** The kinds of sheets that have any fault. */
function faultsOf(answers: Row[][], places: { sheet: SheetFault['sheet']; place: number }[]): SheetFault[] {
  return places.flatMap(({ sheet, place }) => {
    const rows = answers[place] ?? [];
    if (rows.length === 0) return [];
    const first = rows.map(({ restaurant_id, business_date }) => ({
      restaurantId: Number(restaurant_id),
      businessDate: Number(business_date),
    }));
    return [{ sheet, days: Number(rows[0]?.days), first }];
  });
}
