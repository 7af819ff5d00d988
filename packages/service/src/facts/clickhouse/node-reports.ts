/**
 * Reports from ClickHouse: the tables that the steps of a report name are fetched as of one snapshot, restricted to the
 * report's restaurants and dates, and shadow the tables of the node's engine. Then the same steps run as in the
 * embedded facts.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bounds } from '../bounds.ts';
import { type FamilySql, tablesCompared } from '../duckdb/families/family.ts';
import type { EngineFamily } from '../duckdb/gather.ts';
import { lanesOf, openLanes } from '../duckdb/lanes.ts';
import type { EngineProcess } from '../duckdb/process.ts';
import type { EngineRow, Lane, Step } from '../duckdb/protocol.ts';
import type { ReportEngine } from '../duckdb/report-facts.ts';
import { changesSteps } from '../duckdb/steps.ts';
import type { ChangesQuery } from '../report.ts';
import { nodeText, viewStep } from './fetched.ts';
import type { PostgresLog } from './load-log/postgres-log.ts';
import type { Seen } from './protocol.ts';
import { isReadIn, READABLE, readChanges, readTable, schemaOf } from './reads.ts';
import type { Server } from './server.ts';
import { coversSnapshot, parseSnapshot, textOfSnapshot } from './snapshot.ts';
import { columnNames, type FactTable, LIST_TABLES } from './tables.ts';

/** Steps over facts, and the facts that they require. */
interface FactsWork {
  steps: Step[];
  restaurants: readonly number[] | undefined;
  from: number;
  to: number;
  /** As `FamilySql.dates`. */
  dates?: FamilySql['dates'] | undefined;
  linked?: FamilySql['linked'] | undefined;
}

export interface NodeReports extends ReportEngine {
  /** Returns the result of each step, all as of one snapshot: the given one, or now. */
  over(work: FactsWork, bounds: Bounds & { lanes: Lane[] }, seen?: Seen): Promise<EngineRow[][]>;
}

const stepsText = (steps: readonly Step[]): string => steps.map(({ sql }) => sql).join('\n');

/** The words of steps. Found again for each table, they took 0.15 ms of processor in a report of a day. */
const stepsWords = (steps: readonly Step[]): ReadonlySet<string> => new Set(stepsText(steps).match(/\w+/g));

/** The columns of a table that steps may use: those whose names are among their words. */
const columnsAmong = (words: ReadonlySet<string>, schema: string): string[] =>
  columnNames(schema).filter((name) => words.has(name));

/**
 * A condition for the rows of a table that suffices for all of the steps; undefined if one of them has no such
 * condition.
 */
function onlyOf(table: string, steps: readonly Step[]): string | undefined {
  const conditions = steps.filter(({ sql }) => isReadIn(sql, table)).map(({ only }) => only?.[table]);
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length < conditions.length ? undefined : [...new Set(known)].join(' or ');
}

/** Versions of the first snapshot count as load 0 in `changesSteps`, those of the second as load 1. */
const [BEFORE, AFTER] = [0, 1];

/** A lane of the engine, a folder, and the remaining time. */
interface Room {
  lane: Lane;
  folder: string;
  bounds: Bounds;
}
type InLane = <T>(among: Lane[], bounds: Bounds, work: (room: Room) => Promise<T>) => Promise<T>;

/** Gives each piece of work a lane of the engine and a folder in `scratch` while it runs. */
function createRooms(scratch: string): InLane {
  const lanes = openLanes();
  return async (among, bounds, work) => {
    const until = performance.now() + bounds.deadlineMs;
    const { lane, free } = await lanes.take(among);
    const folder = join(scratch, randomUUID());
    try {
      bounds.signal?.throwIfAborted();
      await mkdir(folder, { mode: 0o700 });
      return await work({ lane, folder, bounds: { ...bounds, deadlineMs: Math.max(1, until - performance.now()) } });
    } finally {
      free();
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** What is fetched of a table: its columns, and the query of ClickHouse that returns them. */
export interface Fetch {
  table: string;
  columns: string[];
  text: string;
}

/** What the steps read from some tables. */
export function fetchesOf(work: FactsWork, seen: Seen, among: readonly string[] = READABLE): Fetch[] {
  const { steps, restaurants, from, to, dates = {}, linked = [] } = work;
  const [sql, words] = [stepsText(steps), stepsWords(steps)];
  const tables = among.filter((table) => isReadIn(sql, table));
  const only = Object.fromEntries(tables.map((table) => [table, onlyOf(table, steps)]));
  return tables.map((table) => {
    const schema = schemaOf(table);
    const isList = (LIST_TABLES as readonly string[]).includes(table);
    const columns = isList ? columnNames(schema) : columnsAmong(words, schema);
    // That of records is their load (server.sql); rollups have their own.
    const fetched = table === schema ? columns.filter((name) => name !== 'load_id') : columns;
    const isLinked = linked.some((one) => one === table);
    const cut = { restaurants, from, to, date: dates[table], only: only[table], linked: isLinked ? only : undefined };
    return { table, columns, text: readTable(table, cut, seen, fetched) };
  });
}

/** Fetches what the steps read from some tables; returns the steps that make it shadow the engine's tables. */
async function fetchTables(
  server: Server,
  work: FactsWork,
  seen: Seen,
  { folder, bounds: { deadlineMs, signal } }: Room,
  among?: readonly string[],
): Promise<Step[]> {
  const steps = await Promise.all(
    fetchesOf(work, seen, among).map(async ({ table, columns, text }) => {
      const file = join(folder, `${table}.parquet`);
      await server.parquet(text, file, { deadlineMs, signal });
      const view = viewStep(table, file, schemaOf(table), columns);
      const isRepeated = table === 'all_menu_sheets' && /\brepeated_menu_sheets\b/.test(stepsText(work.steps));
      return isRepeated ? [view, { sql: nodeText('repeated') }] : [view];
    }),
  );
  return steps.flat();
}

/**
 * Fetches the versions of a table that differ between two snapshots; returns the steps that make them shadow the table.
 */
async function fetchChanges(
  server: Server,
  table: FactTable,
  words: ReadonlySet<string>,
  { query, restaurants, forgotten }: { query: ChangesQuery; restaurants: readonly number[]; forgotten: number },
  { folder, bounds: { deadlineMs, signal } }: Room,
): Promise<Step[]> {
  const columns = columnsAmong(words, table).filter((name) => name !== 'load_id');
  const file = join(folder, `${table}.parquet`);
  const sides = { before: parseSnapshot(query.before.snapshot), after: parseSnapshot(query.after.snapshot) };
  const cut = { restaurants, from: query.startDate, to: query.endDate };
  const isIn = (side: 'before' | 'after', id: number): boolean => query[side].restaurants.some((one) => one.id === id);
  const alone = restaurants.filter((id) => isIn('before', id) !== isIn('after', id));
  const text = readChanges(table, cut, { ...sides, forgotten }, columns, alone);
  await server.parquet(text, file, { deadlineMs, signal });
  return [...versionSteps(table, file, columns)];
}

/** `scratch` is a folder that the engine reads. */
export function openReports(server: Server, log: PostgresLog, engine: EngineProcess, scratch: string): NodeReports {
  const inLane = createRooms(scratch);

  async function over(
    request: FactsWork | (() => FactsWork),
    bounds: Bounds & { lanes: Lane[] },
    known?: Seen,
  ): Promise<EngineRow[][]> {
    return await inLane(bounds.lanes, bounds, async (room) => {
      const work = typeof request === 'function' ? request() : request;
      const seen = known ?? (await log.seen());
      const views = await fetchTables(server, work, seen, room);
      const snapshot = { sql: nodeText('snapshot', { snapshot: textOfSnapshot(seen.snapshot) }) };
      const all = [...views, snapshot, ...work.steps];
      const answers = (await engine.run([room.lane], all, room.bounds, true)).slice(views.length + 1);
      // The time of a snapshot is that of the load log, which is the same for all nodes.
      const [now] = answers[0] ?? [];
      if (now && 'as_of' in now) now.as_of = seen.now;
      return answers;
    });
  }

  async function changes(family: EngineFamily, query: ChangesQuery, bounds: Bounds): Promise<EngineRow[][]> {
    const steps = changesSteps(family, query, BEFORE, AFTER);
    const words = stepsWords(steps);
    const restaurants = [...new Set([...query.before.restaurants, ...query.after.restaurants].map(({ id }) => id))];
    const tables = tablesCompared(family[1]);
    return await inLane(lanesOf(bounds), bounds, async (room) => {
      const seen = await log.seen();
      const compared = { query, restaurants, forgotten: seen.forgotten };
      const versions = [...tables].map((table) => fetchChanges(server, table, words, compared, room));
      const views = (await Promise.all(versions)).flat();
      const named = { steps, restaurants, from: query.startDate, to: query.endDate };
      const lists = await fetchTables(server, named, seen, room, LIST_TABLES);
      const lead = [...views, ...lists];
      return (await engine.run([room.lane], [...lead, ...steps], room.bounds, true)).slice(lead.length);
    });
  }

  return {
    run: engine.run,
    over,
    gather: (work, bounds) =>
      over(
        () => {
          const { family, query, steps } = work();
          const restaurants = query.restaurants.map(({ id }) => id);
          const { dates, linked } = family[1];
          return { steps, restaurants, from: query.startDate, to: query.endDate, dates, linked };
        },
        { ...bounds, lanes: lanesOf(bounds) },
      ),
    changes,
    covers: (snapshot, other) => coversSnapshot(parseSnapshot(snapshot), parseSnapshot(other)),
  };
}

/** Replaces a table, and that of its replaced versions, by fetched versions. */
function* versionSteps(table: string, file: string, columns: readonly string[]): Generator<Step> {
  for (const [name, condition] of [
    [table, 'until_load is null'],
    [`past_${table}`, 'until_load is not null'],
  ] as const) {
    yield viewStep(name, file, name, [...columns, 'load_id', 'until_load', 'until_at'], condition);
  }
}
