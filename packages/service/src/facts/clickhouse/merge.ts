/**
 * Merges loads in the node's engine: the stored versions that they may replace are fetched into its empty tables, the
 * same statements run as in the embedded facts, and the changes are read from it as rows to add. Nothing is updated on
 * the server.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DerivedTable } from '../duckdb/derived.ts';
import { STORED_KINDS } from '../duckdb/kinds.ts';
import type { EngineProcess } from '../duckdb/process.ts';
import type { EngineRow, Step, Value } from '../duckdb/protocol.ts';
import { mergedOf, mergeSteps, partOf, step } from '../duckdb/steps.ts';
import { type LoadBatch, versionsOf } from '../duckdb/versions.ts';
import type { LoadKind, Merged, Spool, SpoolFiles } from '../load.ts';
import { fromServer, nodePart, nodeText, rowsOfFiles, toServer } from './fetched.ts';
import { findStored, type Stored, tablesOf, type Wanted, withoutLoad } from './find.ts';
import type { Begun, RowStore } from './protocol.ts';
import { copiedRows, nodeRowsOf } from './row-types.ts';
import type { RowFile, Server } from './server.ts';
import { openServerRows } from './server-rows.ts';
import { columnsOf } from './tables.ts';

/** Merging takes as long as the body is large; this only keeps a stuck merge from blocking all others forever. */
const MERGE_MS = 15 * 60_000;

/** Loads of one kind that are merged together: small ones, or a single one with files. */
export interface MergeLoad {
  restaurant: number;
  spool: Spool;
}

/** Files of rows to add, by table, in a folder of their own. */
export interface Added {
  folder: string;
  files: readonly (readonly [table: string, rows: RowFile])[];
}

export interface Merger extends RowStore<Wanted, Stored, Added> {
  wanted(kind: LoadKind, loads: readonly MergeLoad[]): Promise<Wanted>;
  /**
   * Merges in the engine, one call at a time. Returns what each load did, and the rows to add; undefined if there are
   * none.
   */
  merge(
    kind: LoadKind,
    loads: readonly MergeLoad[],
    stored: Stored,
    begun: Begun,
  ): Promise<{ merged: Merged[]; added: Added | undefined }>;
  /** Removes the files of a merge. */
  clean(stored: Stored | undefined, added: Added | undefined): Promise<void>;
}

const rollupsOf = (kind: LoadKind): readonly DerivedTable[] => [...STORED_KINDS[kind].rollups, 'loaded_days'];

/** Empties the tables of a kind, fills in the stored versions, and sets the numbers of the loads. */
function prepareSteps(kind: LoadKind, restaurants: readonly number[], stored: Stored, first: number): Step[] {
  const tables = tablesOf(kind);
  const dates = [...new Set(restaurants.map(partOf))].map((part) => `order_dates_${part}`);
  const cleared = [
    ...tables.flatMap((table) => [table, `past_${table}`]),
    ...rollupsOf(kind).flatMap((table) => [table, `new_${table}`]),
    ...(kind === 'orders' ? ['new_order_dates', ...dates] : []),
  ];
  return [
    ...cleared.map((table) => step('clear', undefined, { table })),
    ...tables.flatMap((table) => {
      const files = stored.get(table) ?? [];
      const words = { table, columns: columnsOf(table).map(fromServer).join(', '), rows: rowsOfFiles(table, files) };
      return files.length === 0 ? [] : [{ sql: nodeText('fill', words) }];
    }),
    ...(kind === 'orders' && stored.size > 0 ? [{ sql: nodeText('fillDates') }] : []),
    { sql: nodeText('setLoad'), values: { load: first - 1 } },
  ];
}

/** Writes the changes of a merge; returns the steps, and the table of each file. */
function outSteps(kind: LoadKind, folder: string, first: number, last: number): { steps: Step[]; tables: string[] } {
  const { key, date } = STORED_KINDS[kind];
  const out = (name: string, table: string, words: Record<string, string>, values: Record<string, Value>) => ({
    table,
    step: { sql: nodeText(name, words), values: { ...values, file: join(folder, `${table}.parquet`) } },
  });
  const columns = (table: string): string => withoutLoad(table).map(toServer).join(', ');
  const outs = [
    out('recordsOut', kind, { table: kind, columns: columns(kind) }, { first }),
    out('placesOut', 'places', { table: kind, key: `${key}::varchar`, date }, { first }),
    ...STORED_KINDS[kind].parts.map((table) => out('partsOut', table, { table, columns: columns(table) }, { first })),
    ...rollupsOf(kind).map((table) =>
      out('rollupsOut', table, { table, columns: columnsOf(table).map(toServer).join(', ') }, { last }),
    ),
  ];
  return { steps: outs.map((one) => one.step), tables: outs.map(({ table }) => table) };
}

/** The files that are not empty, according to the engine's row counts. */
export const filesOf = (folder: string, tables: readonly string[], answers: readonly EngineRow[][]): Added['files'] =>
  tables.flatMap((table, index) => {
    const rows = copiedRows(answers[index]);
    return rows > 0 ? [[table, { file: join(folder, `${table}.parquet`), rows }] as const] : [];
  });

/** Merges with the versions that were filled in; returns what each load did. */
async function mergeIn(
  engine: EngineProcess,
  kind: LoadKind,
  loads: readonly MergeLoad[],
  now: number,
): Promise<Merged[]> {
  const [one] = loads;
  if (one && 'folder' in one.spool) {
    const steps = mergeSteps(one.restaurant, one.spool, now, { additions: { checks: nodePart('changedChecks') } });
    const rows = await runWrite(engine, steps);
    return [mergedOf(rows)];
  }
  return await engine.merge(batchOf(kind, loads, now), { deadlineMs: MERGE_MS });
}

const runWrite = (engine: EngineProcess, steps: Step[]) => engine.run(['write'], steps, { deadlineMs: MERGE_MS }, true);

/** The GUIDs in a load with files, read by the engine. */
async function guidsOfFiles(engine: EngineProcess, kind: LoadKind, { folder }: SpoolFiles): Promise<string[]> {
  const { key, read } = STORED_KINDS[kind];
  const file = join(folder, `${kind}.ndjson`);
  const rows = await runWrite(engine, [step(read, { file }), { sql: nodeText('readGuids', { key }) }]);
  return nodeRowsOf('readGuids', rows.at(-1)).map(({ guid }) => guid);
}

/** The GUIDs in small loads, by restaurant. */
function guidsOfLines(kind: LoadKind, loads: readonly MergeLoad[]): Map<number, string[]> {
  const guids = new Map<number, string[]>();
  for (const { key } of versionsOf(batchOf(kind, loads, 0)).flat()) {
    const [restaurant = '', guid = ''] = key.split('/');
    const list = guids.get(Number(restaurant)) ?? [];
    guids.set(Number(restaurant), list);
    list.push(guid);
  }
  return guids;
}

/** `scratch` is a folder that the engine reads and writes. */
export function openMerger(server: Server, engine: EngineProcess, scratch: string): Merger {
  let turn: Promise<unknown> = Promise.resolve();
  const newFolder = async (): Promise<string> => {
    const folder = join(scratch, randomUUID());
    await mkdir(folder, { mode: 0o700 });
    return folder;
  };

  /** One after the other, because all merges use the same tables. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work, work);
    turn = done.catch(() => undefined);
    return done;
  }

  return {
    async wanted(kind, loads) {
      const [one] = loads;
      // The GUIDs of small loads are collected here, while others are merged.
      if (!one || !('folder' in one.spool)) return { kind, guids: guidsOfLines(kind, loads) };
      const { spool, restaurant } = one;
      return { kind, guids: new Map([[restaurant, await inTurn(() => guidsOfFiles(engine, kind, spool))]]) };
    },
    find: (wanted, snapshot) => findStored(server, wanted, snapshot, newFolder),
    merge: (kind, loads, stored, begun) =>
      inTurn(async () => {
        const first = begun.loads[0]?.load ?? 0;
        const last = begun.loads.at(-1)?.load ?? first;
        const restaurants = loads.map(({ restaurant }) => restaurant);
        await runWrite(engine, prepareSteps(kind, restaurants, stored, first));
        const merged = await mergeIn(engine, kind, loads, begun.now);
        if (merged.every(({ accepted }) => accepted === 0)) return { merged, added: undefined };
        const folder = await newFolder();
        const { steps, tables } = outSteps(kind, folder, first, last);
        const answers = await runWrite(engine, steps);
        return { merged, added: { folder, files: filesOf(folder, tables, answers) } };
      }),
    async insert({ files }, until) {
      const inserted = await Promise.allSettled(files.map(([table, rows]) => server.insert(table, rows, until)));
      for (const outcome of inserted) if (outcome.status === 'rejected') throw outcome.reason;
    },
    async clean(stored, added) {
      const folders = new Set([...(stored?.values() ?? [])].flat().map((file) => join(file, '..')));
      if (added) folders.add(added.folder);
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
    ...openServerRows(server),
  };
}

/** Small loads in the form in which the engine merges them. */
function batchOf(of: LoadKind, loads: readonly MergeLoad[], now: number): LoadBatch {
  return {
    of,
    now,
    replacesParts: true,
    loads: loads.flatMap(({ restaurant, spool }) => ('folder' in spool ? [] : [{ ...spool, restaurant }])),
  };
}
