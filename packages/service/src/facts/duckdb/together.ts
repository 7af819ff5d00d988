/**
 * Small loads merged together: one transaction and some ten statements for all of them, however many there are. What
 * merge.sql does with statements over a batch is done here in memory, since each of those costs a millisecond or two
 * whatever it holds: 36 ms for one order.
 */
import type { LoadKind, Merged } from '../load.ts';
import type { TouchedDay } from '../loaded.ts';
import { ORDER_PARTS, type OrderPart } from '../order.ts';
import { dayMoves, dayName, isIncluded } from './day-moves.ts';
import { STORED_KINDS } from './kinds.ts';
import { resolveVersions, type Version, type Won } from './resolve-versions.ts';
import { checkedGuid, checkedInteger, type TableRow, type TableRows } from './rows.ts';
import { SHEET_SHAPES, sheetMoves } from './sheet-moves.ts';
import { foldDates, foldSheets, part, partOf, SHEET_TABLES, type SheetTable, whole } from './steps.ts';
import { type Brought, keyOf, partsOf, type Together, versionsOf } from './versions.ts';

/** The restaurants and GUIDs of records, by key. */
type Keys = ReadonlyMap<string, { restaurant: number; guid: string }>;

/** Where order dates come first: an append for each table that a group touches cost 0.3 ms, a third of all. */
const NEW_DATES = 'new_order_dates';
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

/** A list for the text of a statement. Throws where a value is neither a whole number nor a GUID. */
const listOf = (values: Iterable<unknown>): string =>
  [...new Set(values)]
    .map((value) => (typeof value === 'string' ? `'${checkedGuid(value)}'` : checkedInteger(value)))
    .join();

/** As the engine's macro: the first 32 bits of a GUID. */
const headOf = (guid: string): number => Number.parseInt(guid.slice(0, 8), 16);

const columnOf = (rows: readonly TableRow[], name: string): unknown[] => rows.map((row) => row[name]);

/** None where there are no rows to delete. */
const deleteRows = (table: string, rows: readonly TableRow[]): string[] =>
  rows.length === 0 ? [] : [whole('deleteRows', { table, rows: listOf(columnOf(rows, 'rowid')) })];

function keysOf(versions: readonly Version<Brought>[]): Keys {
  return new Map(
    versions.map(({ key }) => {
      const [restaurant = '', guid = ''] = key.split('/');
      return [key, { restaurant: Number(restaurant), guid }];
    }),
  );
}

/** The dates on which orders may be stored, as order_dates has them: some may be those of others. */
async function datesOf(rows: TableRows, keys: Keys): Promise<TableRow[]> {
  const parts = Map.groupBy(keys.values(), ({ restaurant }) => partOf(restaurant));
  const selects = [...parts].map(([digits, orders]) =>
    part('datesOf', {
      table: `order_dates_${digits}`,
      restaurants: listOf(orders.map(({ restaurant }) => restaurant)),
      heads: listOf(orders.map(({ guid }) => headOf(guid))),
    }),
  );
  const all = [...keys.values()];
  const restaurants = listOf(all.map(({ restaurant }) => restaurant));
  const heads = listOf(all.map(({ guid }) => headOf(guid)));
  return await rows.read([...selects, part('datesOf', { table: NEW_DATES, restaurants, heads })].join(' union all '));
}

/** The rows of orders, or of a part of them, on the given dates. */
async function rowsOnDates(
  rows: TableRows,
  table: 'orders' | OrderPart,
  keys: Keys,
  dates: unknown[],
): Promise<TableRow[]> {
  if (keys.size === 0 || dates.length === 0) return [];
  const of = [...keys.values()];
  const found = await rows.read(
    whole('storedOrders', {
      table,
      restaurants: listOf(of.map(({ restaurant }) => restaurant)),
      dates: listOf(dates),
      guids: listOf(of.map(({ guid }) => guid)),
    }),
  );
  return found.filter(({ restaurant_id, order_guid }) => keys.has(keyOf(restaurant_id, order_guid)));
}

/** The stored rows of records that are not found by a date. */
async function storedRecords(rows: TableRows, table: LoadKind, keys: Keys): Promise<TableRow[]> {
  const { key } = STORED_KINDS[table];
  const of = [...keys.values()];
  const found = await rows.read(
    whole('storedRecords', {
      ...{ table, key },
      restaurants: listOf(of.map(({ restaurant }) => restaurant)),
      guids: listOf(of.map(({ guid }) => guid)),
    }),
  );
  return found.filter((row) => keys.has(keyOf(row.restaurant_id, row[key])));
}

/** What a merge changes, as rows: some to append to each table, and some to delete. */
interface Changes {
  append: [table: string, rows: TableRow[]][];
  remove: [table: string, rows: TableRow[]][];
}

/** The stored rows of each part of orders, by the keys of the orders. */
async function storedParts(
  rows: TableRows,
  keys: Keys,
  orders: readonly TableRow[],
): Promise<Record<OrderPart, Map<string, TableRow[]>>> {
  const dates = columnOf(orders, 'business_date');
  const found: [OrderPart, Map<string, TableRow[]>][] = [];
  for (const part of ORDER_PARTS) {
    const theirs = await rowsOnDates(rows, part, keys, dates);
    found.push([part, Map.groupBy(theirs, (row) => keyOf(row.restaurant_id, row.order_guid))]);
  }
  return Object.fromEntries(found) as Record<OrderPart, Map<string, TableRow[]>>;
}

/** What the versions that won, oldest first, and the stored ones that they replace make of the tables of facts. */
function changesOf(
  { of, now }: Together,
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
  for (const [key, winners] of won) {
    const before = stored.get(key);
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
  for (const { restaurant_id, order_guid, business_date } of orders) {
    const row = { restaurant_id, guid_head: headOf(String(order_guid)), business_date };
    if (!had.has(nameOf(row))) missing.set(nameOf(row), row);
  }
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
  rows: TableRows,
  together: Together,
  versions: readonly Version<Brought>[][],
  firstLoad: number,
): Promise<{ merged: Omit<Merged, 'load'>[]; statements: string[] }> {
  const { of } = together;
  const keys = keysOf(versions.flat());
  if (keys.size === 0) return { merged: versions.map(() => ({ accepted: 0, unchanged: 0, days: [] })), statements: [] };
  const dates = of === 'orders' ? await datesOf(rows, keys) : [];
  const found =
    of === 'orders'
      ? await rowsOnDates(rows, 'orders', keys, columnOf(dates, 'business_date'))
      : await storedRecords(rows, of, keys);
  const { key: guidColumn, sheets } = STORED_KINDS[of];
  const records = new Map(found.map((row) => [keyOf(row.restaurant_id, row[guidColumn]), row]));
  const { counts, won } = resolveVersions(versions, (key) => {
    const row = records.get(key);
    return row && checkedInteger(row.modified_at);
  });

  const replaced = new Map([...records].filter(([key]) => won.has(key)));
  const replacedKeys = new Map([...keys].filter(([key]) => replaced.has(key)));
  const theirParts = of === 'orders' ? await storedParts(rows, replacedKeys, [...replaced.values()]) : undefined;
  const stored = new Map(
    [...replaced].map(([key, row]) => [key, { row, parts: partsOf((part) => theirParts?.[part].get(key) ?? []) }]),
  );

  const changes = changesOf(together, won, stored, firstLoad);
  const came = [...won.values()].flatMap((winners) => winners.at(-1)?.fact ?? []);
  const rowsOf = (list: Iterable<Brought>, part?: OrderPart): TableRow[] =>
    [...list].flatMap(({ row, parts }) => (part ? parts[part] : [row]));
  const newSheets = sheets.map(({ table, part }): [string, TableRow[]] => [
    `new_${table}`,
    sheetMoves(SHEET_SHAPES[table], rowsOf(came, part), rowsOf(stored.values(), part)),
  ]);
  const newDates = of === 'orders' ? missingDates(rowsOf(came), dates) : [];
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
  const [count] = await rows.read(whole('countNew'));
  return [
    ...(checkedInteger(count?.dates) >= MOST_NEW_DATES ? foldDates() : []),
    ...SHEET_TABLES.flatMap((table) =>
      checkedInteger(count?.[table]) >= MOST_NEW_SHEETS[table] ? foldSheets(table) : [],
    ),
  ];
}

/** Opens the merge of small loads over the rows of one connection. */
export function openTogether(rows: TableRows): (together: Together) => Promise<Merged[]> {
  let merges = 0;
  /** Merges all of the loads in one transaction, or none. Throws what the engine throws, and TypeError where a value does not fit. */
  return async (together) => {
    const versions = versionsOf(together);
    const { length } = together.loads;
    try {
      const [last] = await rows.read(whole('beginLoads', { loads: String(length) }));
      const firstLoad = checkedInteger(last?.load_id) - length + 1;
      const { merged, statements } = await mergeVersions(rows, together, versions, firstLoad);
      const folded = merges++ % MERGES_TO_FOLD === 0 ? await foldNew(rows) : [];
      await rows.run([...statements, ...folded, 'commit'].join('\n'));
      return merged.map((one, place) => ({ ...one, load: firstLoad + place }));
    } catch (error) {
      // A transaction that failed to commit is gone already: then there is nothing to roll back.
      await rows.run('rollback').catch(() => undefined);
      throw error;
    }
  };
}
