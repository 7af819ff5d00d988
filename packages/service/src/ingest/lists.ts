/** Reads the lists of a restaurant that are replaced as a whole: its reference data and its menus. */
import type { Reference } from '../facts/reference.ts';
import { menusBody, type ReadMenus } from './menus.ts';
import { readPruned } from './pruned-json.ts';
import { readReference, referenceBody } from './reference.ts';

/** What is made of each body. */
export interface Lists {
  menus: ReadMenus;
  /** Only the lists that are present. */
  reference: Partial<Reference>;
}
export type ListsKind = keyof Lists;

/**
 * The most entries of a body, skipped ones included: several times the largest menus and lists of a POS. The engine
 * stores as many in 0.3 s, in which no other load is merged.
 */
const MOST_ENTRIES = 50_000;
/** The longest body, in bytes. Names and GUIDs are only some percent of the menus of a POS. */
export const LARGEST_LISTS: Record<ListsKind, number> = {
  menus: 32 * 1024 * 1024,
  reference: 16 * 1024 * 1024,
};

const READERS: { [Kind in ListsKind]: { names: readonly string[]; read(body: unknown): Lists[Kind] } } = {
  menus: { names: menusBody.names, read: menusBody.read },
  reference: { names: referenceBody.names, read: readReference },
};

export interface ListsQuery<Kind extends ListsKind = ListsKind> {
  lists: Kind;
  /** The management group, among whose bodies it has its turn (reading-turns.ts). */
  group: string;
}

/** The type of `readLists` and `ReadThread.readLists`. */
export type ReadLists = <Kind extends ListsKind>(
  query: ListsQuery<Kind>,
  body: AsyncIterable<Buffer>,
) => Promise<Lists[Kind]>;

/**
 * Reads and checks a body whole; nothing is stored. Throws Problem invalid_json, invalid_body or unknown_field, and
 * what the body throws. Between its pieces it waits for `untilTurn`.
 */
export async function readLists<Kind extends ListsKind>(
  { lists }: Pick<ListsQuery<Kind>, 'lists'>,
  body: AsyncIterable<Buffer>,
  untilTurn?: () => Promise<void>,
): Promise<Lists[Kind]> {
  const { names, read } = READERS[lists];
  return read(await readPruned(body, { names: new Set(names), mostEntries: MOST_ENTRIES }, untilTurn));
}
