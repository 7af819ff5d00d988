/**
 * Finds the stored versions that loads may replace, by their GUIDs, and fetches them from ClickHouse as Parquet files.
 */
import { join } from 'node:path';
import { STORED_KINDS } from '../duckdb/kinds.ts';
import { keyOf } from '../duckdb/versions.ts';
import type { LoadKind } from '../load.ts';
import { orderDateOf } from '../order.ts';
import { guidList, integers, visible } from './reads.ts';
import type { ServerRow } from './row-types.ts';
import { type Server, serverPart, serverText } from './server.ts';
import type { Snapshot } from './snapshot.ts';
import { columnsOf } from './tables.ts';

/** GUIDs in one statement: some 160 kB of text. */
const MOST_GUIDS = 4000;

/** The GUIDs of the loaded records, by restaurant. */
export interface Wanted {
  kind: LoadKind;
  guids: ReadonlyMap<number, readonly string[]>;
}

/** Fetched files of stored versions, by table. */
export type Stored = ReadonlyMap<string, readonly string[]>;

/** The tables of a kind: its records, then their parts. */
export const tablesOf = (kind: LoadKind) => [kind, ...STORED_KINDS[kind].parts] as const;
export const withoutLoad = (table: string) => columnsOf(table).filter(({ name }) => name !== 'load_id');

function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

type FoundPlace = ServerRow<'found'>;

/** The places of the newest visible versions of the records. */
async function findPlaces(server: Server, { kind, guids }: Wanted, snapshot: Snapshot): Promise<FoundPlace[]> {
  const all = [...guids].flatMap(([restaurant, list]) => list.map((guid) => ({ restaurant, guid })));
  const keys = new Set(all.map(({ restaurant, guid }) => keyOf(restaurant, guid)));
  const found: FoundPlace[] = [];
  for (const chunk of chunksOf(all, MOST_GUIDS)) {
    const words = {
      restaurants: integers(chunk.map(({ restaurant }) => restaurant)),
      guids: guidList(chunk.map(({ guid }) => guid)),
      visible: visible(snapshot),
    };
    found.push(...(await server.rows('found', words, { params: { kind } })));
  }
  return found.filter(({ restaurant_id, guid }) => keys.has(keyOf(restaurant_id, guid)));
}

/** The words of `versions` for these places. */
const wordsOfPlaces = (places: readonly FoundPlace[]): Record<string, string> => ({
  restaurants: integers(places.map(({ restaurant_id }) => restaurant_id)),
  dates: integers(places.map(({ business_date }) => business_date)),
  guids: guidList(places.map(({ guid }) => guid)),
  versions: places
    .map((row) => `(${integers([row.restaurant_id])}, ${guidList([row.guid])}, ${integers([row.born])})`)
    .join(),
});

/** Fetches the versions that a snapshot sees into a folder created by `newFolder`; nothing if none are stored. */
export async function findStored(
  server: Server,
  wanted: Wanted,
  snapshot: Snapshot,
  newFolder: () => Promise<string>,
): Promise<Stored> {
  const { kind } = wanted;
  const { key, date } = STORED_KINDS[kind];
  const found = await findPlaces(server, wanted, snapshot);
  const files = new Map<string, string[]>();
  if (found.length === 0) return files;
  const folder = await newFolder();
  for (const chunk of chunksOf(found, MOST_GUIDS / 4)) {
    const words = wordsOfPlaces(chunk);
    const fetched = tablesOf(kind).map(async (table) => {
      const isRecord = table === kind;
      const list = files.get(table) ?? [];
      const file = join(folder, `${table}-${list.length}.parquet`);
      const own = { key: isRecord ? key : 'order_guid', date: isRecord ? date : orderDateOf(table) };
      const positive = isRecord ? serverPart('positive') : '';
      const columns = withoutLoad(table)
        .map(({ name }) => name)
        .join(', ');
      await server.parquet(serverText('versions', { ...words, ...own, table, columns, positive }), file);
      files.set(table, [...list, file]);
    });
    await Promise.all(fetched);
  }
  return files;
}
