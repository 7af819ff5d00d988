/**
 * Merges loads in the node's engine: the stored versions that they may replace are fetched into its empty tables, the same
 * statements run as in the embedded form, and what they changed is read from it: rows to add, and nothing else.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { STORED_KINDS } from '../duckdb/kinds.ts';
import type { EngineProcess } from '../duckdb/process.ts';
import type { Row, Step, Value } from '../duckdb/protocol.ts';
import { mergeSteps, partOf, type SheetTable, step } from '../duckdb/steps.ts';
import { keyOf, type Together, versionsOf } from '../duckdb/versions.ts';
import type { LoadKind, Merged, Spool } from '../load.ts';
import type { TouchedDay } from '../loaded.ts';
import { fromServer, nodePart, nodeText, rowsOfFiles, toServer } from './fetched.ts';
import type { Begun, RowStore } from './protocol.ts';
import { guidList, integers, visible } from './reads.ts';
import { type Server, serverPart, serverText } from './server.ts';
import { openServerRows } from './server-rows.ts';
import type { Snapshot } from './snapshot.ts';
import { columnsOf } from './tables.ts';

/** A load is as long as its body: this only keeps a stuck one from holding up all others for ever. */
const MERGE_MS = 15 * 60_000;
/** GUIDs in one statement: some 160 kB of text. */
const MOST_GUIDS = 4000;

/** Loads of one kind that are merged together: small ones, or one with files. */
export interface MergeLoad {
  restaurant: number;
  spool: Spool;
}

/** The records that loads bring, by restaurant. */
export interface Wanted {
  kind: LoadKind;
  guids: ReadonlyMap<number, readonly string[]>;
}

/** Fetched files of stored versions, by table. */
export type Stored = ReadonlyMap<string, readonly string[]>;

/** Files of rows to add, by table, in a folder of their own. */
export interface Added {
  folder: string;
  files: readonly (readonly [table: string, file: string])[];
}

export interface Merger extends RowStore<Wanted, Stored, Added> {
  wanted(kind: LoadKind, loads: readonly MergeLoad[]): Promise<Wanted>;
  /** Merges in the engine, one call at a time. Answers what each load did, and what is to be added; undefined for nothing. */
  merge(
    kind: LoadKind,
    loads: readonly MergeLoad[],
    stored: Stored,
    begun: Begun,
  ): Promise<{ merged: Merged[]; added: Added | undefined }>;
  /** Removes the files of a merge. */
  clean(stored: Stored | undefined, added: Added | undefined): Promise<void>;
}

function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** The tables of a kind: its records, then their parts. */
const tablesOf = (kind: LoadKind) => [kind, ...STORED_KINDS[kind].parts] as const;
const sheetsOf = (kind: LoadKind): readonly SheetTable[] =>
  kind === 'settlements' ? [] : [...STORED_KINDS[kind].sheets.map(({ table }) => table), 'loaded_days'];
const withoutLoad = (table: string) => columnsOf(table).filter(({ name }) => name !== 'load_id');

/** Empties the tables of a kind, fills in the stored versions, and says which numbers the loads have. */
function prepareSteps(kind: LoadKind, restaurants: readonly number[], stored: Stored, first: number): Step[] {
  const tables = tablesOf(kind);
  const dates = [...new Set(restaurants.map(partOf))].map((part) => `order_dates_${part}`);
  const cleared = [
    ...tables.flatMap((table) => [table, `past_${table}`]),
    ...sheetsOf(kind).flatMap((table) => [table, `new_${table}`]),
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

/** Writes what the merge has changed; the table of each file. */
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
    ...sheetsOf(kind).map((table) =>
      out('sheetsOut', table, { table, columns: columnsOf(table).map(toServer).join(', ') }, { last }),
    ),
  ];
  return { steps: outs.map((one) => one.step), tables: outs.map(({ table }) => table) };
}

const daysOf = (rows: readonly Row[] = []): TouchedDay[] =>
  rows.map((day) => ({ businessDate: Number(day.business_date), hasRecords: day.has_records === true }));

/** `scratch` is a folder that the engine reads and writes. */
export function openMerger(server: Server, engine: EngineProcess, scratch: string): Merger {
  let turn: Promise<unknown> = Promise.resolve();
  const newFolder = async (): Promise<string> => {
    const folder = join(scratch, randomUUID());
    await mkdir(folder, { mode: 0o700 });
    return folder;
  };
  const run = (steps: Step[]) => engine.run(['write'], steps, { deadlineMs: MERGE_MS }, true);

  /** One after the other: all merges use the same tables. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work, work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function mergeIn(kind: LoadKind, loads: readonly MergeLoad[], first: number, now: number): Promise<Merged[]> {
    const [one] = loads;
    if (one && 'folder' in one.spool) {
      const rows = await run(mergeSteps(one.restaurant, one.spool, now, { checks: nodePart('changedChecks') }));
      const counts = rows.at(-1)?.[0];
      const [accepted, unchanged] = [Number(counts?.accepted), Number(counts?.unchanged)];
      return [{ accepted, unchanged, load: first, days: daysOf(rows.at(-2)) }];
    }
    const rows = await engine.merge(togetherOf(kind, loads, now), { deadlineMs: MERGE_MS });
    return rows.map(({ accepted, unchanged, load, days }) => ({
      ...{ accepted: Number(accepted), unchanged: Number(unchanged), load: Number(load) },
      days: days as TouchedDay[],
    }));
  }

  async function findPlaces({ kind, guids }: Wanted, snapshot: Snapshot): Promise<Row[]> {
    const all = [...guids].flatMap(([restaurant, list]) => list.map((guid) => ({ restaurant, guid })));
    const keys = new Set(all.map(({ restaurant, guid }) => keyOf(restaurant, guid)));
    const found: Row[] = [];
    for (const chunk of chunksOf(all, MOST_GUIDS)) {
      const words = {
        restaurants: integers(chunk.map(({ restaurant }) => restaurant)),
        guids: guidList(chunk.map(({ guid }) => guid)),
        visible: visible(snapshot),
      };
      found.push(...(await server.rows(serverText('found', words), { params: { kind } })));
    }
    return found.filter(({ restaurant_id, guid }) => keys.has(keyOf(restaurant_id, guid)));
  }

  return {
    async wanted(kind, loads) {
      const guids = new Map<number, string[]>();
      const add = (restaurant: number, some: readonly string[]): void => {
        guids.set(restaurant, [...(guids.get(restaurant) ?? []), ...some]);
      };
      const [one] = loads;
      if (one && 'folder' in one.spool) {
        const { key, read } = STORED_KINDS[kind];
        const file = join(one.spool.folder, `${kind}.ndjson`);
        const rows = await inTurn(() => run([step(read, { file }), { sql: nodeText('readGuids', { key }) }]));
        add(
          one.restaurant,
          (rows.at(-1) ?? []).map(({ guid }) => String(guid)),
        );
      } else {
        for (const { key } of versionsOf(togetherOf(kind, loads, 0)).flat()) {
          const [restaurant = '', guid = ''] = key.split('/');
          add(Number(restaurant), [guid]);
        }
      }
      return { kind, guids };
    },
    async find(wanted, snapshot) {
      const { kind } = wanted;
      const { key, date } = STORED_KINDS[kind];
      const found = await findPlaces(wanted, snapshot);
      const files = new Map<string, string[]>();
      if (found.length === 0) return files;
      const folder = await newFolder();
      for (const chunk of chunksOf(found, MOST_GUIDS / 4)) {
        const words = {
          restaurants: integers(chunk.map(({ restaurant_id }) => restaurant_id)),
          dates: integers(chunk.map(({ business_date }) => business_date)),
          guids: guidList(chunk.map(({ guid }) => guid)),
          versions: chunk
            .map((row) => `(${integers([row.restaurant_id])}, ${guidList([row.guid])}, ${integers([row.born])})`)
            .join(),
        };
        for (const table of tablesOf(kind)) {
          const isRecord = table === kind;
          const file = join(folder, `${table}-${files.get(table)?.length ?? 0}.parquet`);
          const own = { key: isRecord ? key : 'order_guid', date: isRecord ? date : 'business_date' };
          const positive = isRecord ? serverPart('positive') : '';
          const columns = withoutLoad(table)
            .map(({ name }) => name)
            .join(', ');
          await server.parquet(serverText('versions', { ...words, ...own, table, columns, positive }), file);
          files.set(table, [...(files.get(table) ?? []), file]);
        }
      }
      return files;
    },
    merge: (kind, loads, stored, begun) =>
      inTurn(async () => {
        const first = begun.loads[0]?.load ?? 0;
        const last = begun.loads.at(-1)?.load ?? first;
        const restaurants = loads.map(({ restaurant }) => restaurant);
        await run(prepareSteps(kind, restaurants, stored, first));
        const merged = await mergeIn(kind, loads, first, begun.now);
        if (merged.every(({ accepted }) => accepted === 0)) return { merged, added: undefined };
        const folder = await newFolder();
        const { steps, tables } = outSteps(kind, folder, first, last);
        const answers = await run(steps);
        const files = tables.flatMap((table, place) =>
          Number(answers[place]?.[0]?.Count) > 0 ? [[table, join(folder, `${table}.parquet`)] as const] : [],
        );
        return { merged, added: { folder, files } };
      }),
    async insert({ files }, until) {
      const inserted = await Promise.allSettled(files.map(([table, file]) => server.insert(table, { file }, until)));
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

/** Small loads as the engine merges them. */
function togetherOf(of: LoadKind, loads: readonly MergeLoad[], now: number): Together {
  return {
    ...{ of, now },
    loads: loads.flatMap(({ restaurant, spool }) =>
      'folder' in spool ? [] : [{ restaurant, records: spool.records, parts: spool.parts }],
    ),
  };
}
