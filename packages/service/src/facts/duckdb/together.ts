/**
 * Small loads merged together: one transaction and some ten statements for all of them, however many there are. What
 * merge.sql does with statements over a batch is done here in memory, since each of those costs a millisecond or two
 * whatever it holds: 36 ms for one order.
 */
import type { Merged } from '../load.ts';
import type { TouchedDay } from '../loaded.ts';
import { ORDER_PARTS, type OrderPart } from '../order.ts';
import { checkedInteger } from './checked.ts';
import { dayMoves, dayName, isIncluded } from './day-moves.ts';
import { STORED_KINDS } from './kinds.ts';
import { createRecentDates, type RecentDates } from './recent-dates.ts';
import { resolveVersions, type Version, type Won } from './resolve-versions.ts';
import { rowOf } from './row-types.ts';
import type { TableRow, TableRows } from './rows.ts';
import { SHEET_SHAPES, sheetMoves } from './sheet-moves.ts';
import { foldDates, foldSheets, SHEET_TABLES, type SheetTable, whole } from './steps.ts';
import { columnOf, dateRow, keysOf, listOf, NEW_DATES, storedOrders, storedRecords } from './stored-versions.ts';
import { type Brought, partsOf, type Together, versionsOf } from './versions.ts';

/** With so many of them they are moved, which takes some 0.1 s. */
const MOST_NEW_DATES = 20_000;
/** With so many rows beside the sheets they are folded into them: reports read them besides, some 0.1 ms. */
const MOST_NEW_SHEETS: Readonly<Record<SheetTable, number>> = {
  sheets: 10_000,
  labour_sheets: 10_000,
  loaded_days: 10_000,
  // An order has some six lines.
  menu_sheets: 60_000,
};
/** How often is looked: to count takes 0.5 ms. */
const MERGES_TO_FOLD = 64;

/** None where there are no rows to delete. */
const deleteRows = (table: string, rows: readonly TableRow[]): string[] =>
  rows.length === 0 ? [] : [whole('deleteRows', { table, rows: listOf(columnOf(rows, 'rowid')) })];

/** What a merge changes, as rows: some to append to each table, and some to delete. */
interface Changes {
  append: [table: string, rows: TableRow[]][];
  remove: [table: string, rows: TableRow[]][];
}

/** Whether rows of a part say the same as those that are stored, whichever loads brought them. */
function saySame(brought: readonly TableRow[], stored: readonly TableRow[]): boolean {
  const [first] = stored;
  if (brought.length !== stored.length || !first) return brought.length === stored.length;
  const columns = Object.keys(first).filter((name) => name !== 'rowid' && name !== 'load_id');
  const textsOf = (rows: readonly TableRow[]): string[] =>
    rows.map((row) => JSON.stringify(columns.map((name) => row[name] ?? null))).sort();
  const texts = textsOf(stored);
  return textsOf(brought).every((text, place) => text === texts[place]);
}

/**
 * The versions of an order without the parts that no version changes: those rows stay as they are, current since the load that
 * brought them. Most corrections change the order, and none of its some six lines.
 */
function withoutKept(
  before: Brought | undefined,
  winners: Won<Brought>[],
): { before?: Brought; winners: Won<Brought>[] } {
  if (!before) return { winners };
  const isKept = (part: OrderPart): boolean =>
    winners.every(({ fact }) => saySame(fact.parts[part], before.parts[part]));
  const kept = new Set(ORDER_PARTS.filter(isKept));
  const changed = ({ row, parts }: Brought): Brought => ({
    row,
    parts: partsOf((part) => (kept.has(part) ? [] : parts[part])),
  });
  return { before: changed(before), winners: winners.map(({ load, fact }) => ({ load, fact: changed(fact) })) };
}

/** What the versions that won, oldest first, and the stored ones that they replace make of the tables of facts. */
function changesOf(
  { of, now, replacesParts = false }: Together,
  won: ReadonlyMap<string, Won<Brought>[]>,
  stored: ReadonlyMap<string, Brought>,
  firstLoad: number,
): Changes {
  const live: Brought[] = [];
  const past: Brought[] = [];
  const gone: Brought[] = [];
  const marked = ({ row, parts }: Brought, marks: TableRow): Brought => ({
    row: { ...row, ...marks },
    parts: partsOf((part) => parts[part].map((one) => ({ ...one, ...marks }))),
  });
  for (const [key, versions] of won) {
    const known = stored.get(key);
    const { before, winners } = replacesParts ? { before: known, winners: versions } : withoutKept(known, versions);
    const until = (load: number): TableRow => ({ until_load: firstLoad + load, until_at: now });
    if (before) {
      gone.push(before);
      past.push(marked(before, until(winners[0]?.load ?? 0)));
    }
    for (const [i, { load, fact }] of winners.entries()) {
      const brought = marked(fact, { load_id: firstLoad + load });
      const next = winners[i + 1];
      if (next) past.push(marked(brought, until(next.load)));
      else live.push(brought);
    }
  }
  const recordsOf = (list: Brought[]): TableRow[] => list.map(({ row }) => row);
  const rowsOf = (list: Brought[], prefix = ''): [table: string, rows: TableRow[]][] =>
    ORDER_PARTS.map((part) => [`${prefix}${part}`, list.flatMap(({ parts }) => parts[part])]);
  return {
    append: [[of, recordsOf(live)], ...rowsOf(live), [`past_${of}`, recordsOf(past)], ...rowsOf(past, 'past_')],
    remove: [[of, recordsOf(gone)], ...rowsOf(gone)],
  };
}

/** The rows of order_dates that are missing for orders. */
function missingDates(orders: readonly TableRow[], known: readonly TableRow[]): Changes['append'] {
  const nameOf = (row: TableRow): string => [row.restaurant_id, row.guid_head, row.business_date].join('/');
  const had = new Set(known.map(nameOf));
  const missing = new Map<string, TableRow>();
  for (const row of orders.map(dateRow)) if (!had.has(nameOf(row))) missing.set(nameOf(row), row);
  return [[NEW_DATES, [...missing.values()]]];
}

/** The days that each load changed: those of the versions that came with it, and of those that they replaced. */
function touchedDays(
  { of, loads }: Together,
  won: ReadonlyMap<string, Won<Brought>[]>,
  stored: ReadonlyMap<string, Brought>,
): TouchedDay[][] {
  const days = loads.map(() => new Map<number, boolean>());
  for (const [key, winners] of won) {
    let before = stored.get(key);
    for (const { load, fact } of winners) {
      const touched = days[load];
      const note = (brought: Brought, isThere: boolean): void => {
        const date = checkedInteger(brought.row.business_date);
        touched?.set(date, isThere || touched.get(date) === true);
      };
      if (before) note(before, false);
      note(fact, isIncluded(of, fact));
      before = fact;
    }
  }
  return days.map((touched) =>
    [...touched]
      .sort(([one], [other]) => one - other)
      .map(([businessDate, isThere]) => ({ businessDate, hasRecords: isThere })),
  );
}

/** Merges within the transaction; answers what each load did, and the statements that are left to run. */
async function mergeVersions(
  { rows, recent }: { rows: TableRows; recent: RecentDates },
  together: Together,
  versions: readonly Version<Brought>[][],
  firstLoad: number,
): Promise<{ merged: Omit<Merged, 'load'>[]; statements: string[] }> {
  const { of } = together;
  const keys = keysOf(versions.flat());
  if (keys.size === 0) return { merged: versions.map(() => ({ accepted: 0, unchanged: 0, days: [] })), statements: [] };
  const { stored: found, dates } =
    of === 'orders'
      ? await storedOrders(rows, keys, recent)
      : { stored: await storedRecords(rows, of, keys), dates: [] };
  const { sheets } = STORED_KINDS[of];
  const { counts, won } = resolveVersions(versions, (key) => {
    const row = found.get(key)?.row;
    return row && checkedInteger(row.modified_at);
  });
  const stored = new Map([...found].filter(([key]) => won.has(key)));
  const changes = changesOf(together, won, stored, firstLoad);
  const came = [...won.values()].flatMap((winners) => winners.at(-1)?.fact ?? []);
  const rowsOf = (list: Iterable<Brought>, part?: OrderPart): TableRow[] =>
    [...list].flatMap(({ row, parts }) => (part ? parts[part] : [row]));
  const newSheets = sheets.map(({ table, part }): [string, TableRow[]] => [
    `new_${table}`,
    sheetMoves(SHEET_SHAPES[table], rowsOf(came, part), rowsOf(stored.values(), part)),
  ]);
  const newDates = of === 'orders' ? missingDates(rowsOf(came), dates) : [];
  if (of === 'orders') {
    for (const [key, winners] of won) recent.stored(key, checkedInteger(winners.at(-1)?.fact.row.business_date));
  }
  for (const [table, some] of [...changes.append, ...newDates, ...newSheets]) await rows.append(table, some);
  const days = of === 'settlements' ? [] : touchedDays(together, won, stored);
  const loads = new Map(
    days.flatMap((touched, place) =>
      touched.map((day) => [dayName(together.loads[place]?.restaurant, day.businessDate), firstLoad + place] as const),
    ),
  );
  if (of !== 'settlements') {
    const moves = dayMoves(of, { came, went: [...stored.values()] }, { loads, now: together.now });
    await rows.append('new_loaded_days', moves);
  }
  const statements = changes.remove.flatMap(([table, some]) => deleteRows(table, some));
  return { merged: counts.map((count, load) => ({ ...count, days: days[load] ?? [] })), statements };
}

/** What small loads wrote beside the tables that it belongs to is moved there, where it has become much: as text. */
async function foldNew(rows: TableRows): Promise<string[]> {
  const count = rowOf('countNew', await rows.read(whole('countNew')));
  return [
    ...(count.dates >= MOST_NEW_DATES ? foldDates() : []),
    ...SHEET_TABLES.flatMap((table) => (count[table] >= MOST_NEW_SHEETS[table] ? foldSheets(table) : [])),
    // Their numbers are below the one that this merge took.
    ...(count.large_loads > 0 ? [whole('clear', { table: 'large_loads' })] : []),
  ];
}

/** Opens the merge of small loads over the rows of one connection. */
export function openTogether(rows: TableRows): (together: Together) => Promise<Merged[]> {
  const recent = createRecentDates();
  let untilFold = 0;
  /** Merges all of the loads in one transaction, or none. Throws what the engine throws, and TypeError where a value does not fit. */
  return async (together) => {
    const versions = versionsOf(together);
    const { length } = together.loads;
    try {
      const last = rowOf('beginLoads', await rows.read(whole('beginLoads', { loads: String(length) })));
      const firstLoad = last.load_id - length + 1;
      const { merged, statements } = await mergeVersions({ rows, recent }, together, versions, firstLoad);
      // Folding replaces rows of all restaurants, also those that a large load reads or replaces.
      const folded = untilFold <= 0 && !together.isBeside ? await foldNew(rows) : undefined;
      untilFold = folded ? MERGES_TO_FOLD - 1 : untilFold - 1;
      await rows.run([...statements, ...(folded ?? []), 'commit'].join('\n'));
      return merged.map((one, place) => ({ ...one, load: firstLoad + place }));
    } catch (error) {
      // A transaction that failed to commit is gone already: then there is nothing to roll back.
      await rows.run('rollback').catch(() => undefined);
      throw error;
    }
  };
}
