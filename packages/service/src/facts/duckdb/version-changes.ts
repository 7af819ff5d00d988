/** What a merge of small loads changes in the tables of facts, once it is decided which versions count. */
import { ORDER_PARTS, type OrderPart } from '../order.ts';
import type { Accepted } from './resolve-versions.ts';
import type { TableRow } from './rows.ts';
import type { Stored } from './stored-versions.ts';
import type { Loaded, PartRows, RecordVersion } from './versions.ts';

/** A version that is stored until another replaces it. */
interface Current extends RecordVersion {
  /** 0-based index of its load. */
  load: number;
}

/**
 * A record that loads change: its stored version, if there is one, and those that replace it, oldest first. Parts of an
 * order that all of them have unchanged are missing in each: their rows stay as they are, current since the load that
 * brought them.
 */
export interface VersionChange {
  before: RecordVersion | undefined;
  accepted: Current[];
}

/** Rows to append to tables, and rows to remove from them. */
export interface RowChanges {
  append: [table: string, rows: TableRow[]][];
  remove: [table: string, rows: TableRow[]][];
}

/** Whether rows of a part say the same as those that are stored, whichever loads brought them. */
function saySame(loaded: readonly TableRow[], stored: readonly TableRow[]): boolean {
  const [first] = stored;
  if (loaded.length !== stored.length || !first) return loaded.length === stored.length;
  const columns = Object.keys(first).filter((name) => name !== 'rowid' && name !== 'load_id');
  const textsOf = (rows: readonly TableRow[]): string[] =>
    rows.map((row) => JSON.stringify(columns.map((name) => row[name] ?? null))).sort();
  const texts = textsOf(stored);
  return textsOf(loaded).every((text, index) => text === texts[index]);
}

/** The change of a record whose versions were accepted, oldest first. With `replacesParts` no part stays as it is. */
export function changeOf(
  accepted: readonly Accepted<Loaded>[],
  stored: Stored | undefined,
  { replacesParts = false }: { replacesParts?: boolean | undefined },
): VersionChange {
  const stays = (part: OrderPart): boolean =>
    stored !== undefined &&
    !replacesParts &&
    (stored.unchanged.has(part) || accepted.every(({ fact }) => saySame(fact.partRows(part), stored.partRows(part))));
  const staying = new Set(ORDER_PARTS.filter(stays));
  const without = ({ row, partRows }: RecordVersion): RecordVersion => ({
    row,
    partRows: (part) => (staying.has(part) ? [] : partRows(part)),
  });
  return {
    before: stored && without(stored),
    accepted: accepted.map(({ load, fact }) => ({ load, ...without(fact) })),
  };
}

/** The newest version of a record that loads change. */
export const newestOf = ({ accepted }: VersionChange): RecordVersion[] => accepted.slice(-1);

/**
 * The rows of records in the table `of`, and of their parts, that changes append and remove; `firstLoad` is the number
 * of the first load.
 */
export function rowChanges(
  of: string,
  changes: readonly VersionChange[],
  { firstLoad, now }: { firstLoad: number; now: number },
): RowChanges {
  const live: RecordVersion[] = [];
  const past: RecordVersion[] = [];
  const gone: RecordVersion[] = [];
  const marked = ({ row, partRows }: RecordVersion, marks: TableRow): RecordVersion => ({
    row: { ...row, ...marks },
    partRows: (part) => partRows(part).map((one) => ({ ...one, ...marks })),
  });
  const until = (load: number): TableRow => ({ until_load: firstLoad + load, until_at: now });
  for (const { before, accepted } of changes) {
    if (before) {
      gone.push(before);
      past.push(marked(before, until(accepted[0]?.load ?? 0)));
    }
    for (const [i, version] of accepted.entries()) {
      const current = marked(version, { load_id: firstLoad + version.load });
      const next = accepted[i + 1];
      if (next) past.push(marked(current, until(next.load)));
      else live.push(current);
    }
  }
  const recordsOf = (list: RecordVersion[]): TableRow[] => list.map(({ row }) => row);
  const partsOf = (list: RecordVersion[], prefix = ''): [table: string, rows: TableRow[]][] =>
    ORDER_PARTS.map((part) => [`${prefix}${part}`, partRowsOf(list, part)]);
  return {
    append: [[of, recordsOf(live)], ...partsOf(live), [`past_${of}`, recordsOf(past)], ...partsOf(past, 'past_')],
    remove: [[of, recordsOf(gone)], ...partsOf(gone)],
  };
}

/** The rows of a part in versions of several orders. */
export const partRowsOf = (list: Iterable<{ partRows: PartRows }>, part: OrderPart): TableRow[] =>
  [...list].flatMap(({ partRows }) => partRows(part));
