/** The stored versions of records in small loads. */
import type { LoadKind } from '../load.ts';
import { ORDER_PARTS, type OrderPart, orderDateOf } from '../order.ts';
import { STORED_KINDS } from './kinds.ts';
import { checkedGuid, checkedInteger } from './literals.ts';
import type { Head, OrderHeads } from './order-heads.ts';
import type { RememberedOrder, RememberedOrders } from './remembered-orders.ts';
import { rowsOf } from './row-types.ts';
import type { TableRow, TableRows } from './rows.ts';
import { fragment, partOf, statement } from './steps.ts';
import { byPart, keyOf, type Loaded, type RecordVersion } from './versions.ts';

/** The restaurant and GUID of a record. */
export interface Key {
  restaurant: number;
  guid: string;
}
type Keys = ReadonlyMap<string, Key>;

/** A stored version of a record. */
export interface Stored extends RecordVersion {
  /** The parts of an order that all of its new versions have unchanged; they were not read. */
  unchanged: ReadonlySet<OrderPart>;
}

/**
 * New order dates are added to this table first: appending to each restaurant's table took 0.3 ms, a third of a merge.
 */
export const NEW_DATES = 'new_order_dates';
/** A list for the text of a statement. Throws if a value is neither an integer nor a GUID. */
export const listOf = (values: Iterable<unknown>): string =>
  [...new Set(values)]
    .map((value) => (typeof value === 'string' ? `'${checkedGuid(value)}'` : checkedInteger(value)))
    .join();

/** Equal to the engine's macro: the first 32 bits of a GUID. */
export const headOf = (guid: string): number => Number.parseInt(guid.slice(0, 8), 16);

export const columnOf = (rows: readonly TableRow[], name: string): unknown[] => rows.map((row) => row[name]);

/** The values of the texts of keys. */
export function keysOf(texts: Iterable<string>): Keys {
  return new Map(
    [...texts].map((key) => {
      const [restaurant = '', guid = ''] = key.split('/');
      return [key, { restaurant: Number(restaurant), guid }];
    }),
  );
}

/** Lists of the restaurants and GUIDs of records, for the text of a statement. */
const listsOf = (keys: readonly Key[]): { restaurants: string; guids: string } => ({
  restaurants: listOf(keys.map(({ restaurant }) => restaurant)),
  guids: listOf(keys.map(({ guid }) => guid)),
});

/** A query of where orders may be, by the beginnings of their GUIDs. */
const maybeOn = (table: string, keys: readonly Key[]): string =>
  fragment('datesOf', {
    table,
    restaurants: listOf(keys.map(({ restaurant }) => restaurant)),
    heads: listOf(keys.map(({ guid }) => headOf(guid))),
  });

/** Where stored orders are found. */
interface OrderSearch {
  rows: TableRows;
  /**
   * What this process knows of the stored orders; undefined if the tables have only those that the loads may replace,
   * and are filled for each merge.
   */
  memory: OrderMemory | undefined;
}

export interface OrderMemory {
  remembered: RememberedOrders;
  heads: OrderHeads;
}

/** An order by its table of order dates and the beginning of its GUID. */
export const headedKey = (key: Key): Key & Head => ({ ...key, part: partOf(key.restaurant), head: headOf(key.guid) });

/** The dates on which orders may be stored; some may be those of other orders. */
async function datesOf({ rows, memory }: OrderSearch, keys: readonly Key[]): Promise<TableRow[]> {
  if (keys.length === 0) return [];
  if (!memory) return await rows.read(statement('datesOfAll'));
  const maybe = await memory.heads.maybeStored(rows.readIntegers, keys.map(headedKey));
  if (maybe.length === 0) return [];
  const parts = Map.groupBy(maybe, ({ part }) => part);
  const selects = [...parts].map(([digits, orders]) => maybeOn(`order_dates_${digits}`, orders));
  return await rows.read([...selects, maybeOn(NEW_DATES, maybe)].join(' union all '));
}

/** A row that was read as JSON. */
const storedRow = ({ rowid, line }: TableRow): TableRow => ({ ...(JSON.parse(String(line)) as TableRow), rowid });

/** Rows to read from a table: those of orders, on the dates. */
interface Wanted {
  table: 'orders' | OrderPart;
  keys: readonly Key[];
  dates: readonly unknown[];
}
/** The rows that were read from a table, by the keys of their orders. */
type RowsRead = (table: Wanted['table']) => ReadonlyMap<string, TableRow[]>;

/**
 * Reads rows with one statement, as JSON, whose values are those of loads, so that the two can be compared; 400 lines
 * take 3.7 ms instead of 5.4.
 */
async function readRows(rows: TableRows, wanted: readonly Wanted[]): Promise<RowsRead> {
  const selects = wanted
    .filter(({ keys, dates }) => keys.length > 0 && dates.length > 0)
    .map(({ table, keys, dates }) =>
      fragment('storedRows', { table, date: orderDateOf(table), ...listsOf(keys), dates: listOf(dates) }),
    );
  const read = selects.length === 0 ? [] : await rows.read(selects.join(' union all '));
  const byTable = Map.groupBy(read, ({ part }) => part);
  const keyOfRow = ({ restaurant_id, order_guid }: TableRow): string => keyOf(restaurant_id, order_guid);
  return (table) => Map.groupBy((byTable.get(table) ?? []).map(storedRow), keyOfRow);
}

/** The row of order_dates for an order. */
export const dateRow = ({ restaurant_id, order_guid, business_date }: TableRow): TableRow => ({
  restaurant_id,
  guid_head: headOf(String(order_guid)),
  business_date,
});

/** The parts of a remembered order that all of its new versions have unchanged. */
function unchangedParts({ row, digests }: RememberedOrder, versions: readonly Loaded[]): ReadonlySet<OrderPart> {
  const { business_date, opened_at } = row;
  const isUnchanged = (part: OrderPart): boolean =>
    versions.every(
      (version) =>
        // The rows of a part have both.
        version.row.business_date === business_date &&
        version.row.opened_at === opened_at &&
        version.digestOf(part) === digests[part],
    );
  return new Set(ORDER_PARTS.filter(isUnchanged));
}

interface KnownOrder {
  key: string;
  row: TableRow;
  unchanged: Stored['unchanged'];
}

/** The remembered orders among those to which versions belong, if they are still stored as remembered. */
async function knownOrders(
  { rows, memory }: OrderSearch,
  versions: ReadonlyMap<string, readonly Loaded[]>,
): Promise<KnownOrder[]> {
  const orders = [...versions].flatMap(([key, loaded]) => {
    const order = memory?.remembered.of(key);
    return order ? [{ key, loaded, order }] : [];
  });
  if (orders.length === 0) return [];
  const columnOfAll = (name: string): string => listOf(orders.map(({ order }) => order.row[name]));
  const sql = statement('rememberedRows', { dates: columnOfAll('business_date'), loads: columnOfAll('load_id') });
  // A load is of one restaurant and stores an order once, so its number and the GUID of an order identify a row.
  const nameOf = ({ load_id, order_guid }: TableRow): string => `${load_id} ${order_guid}`;
  const found = new Map(rowsOf('rememberedRows', await rows.read(sql)).map((row) => [nameOf(row), row.rowid] as const));
  return orders.flatMap(({ key, loaded, order }) => {
    const rowid = found.get(nameOf(order.row));
    return rowid === undefined ? [] : [{ key, row: { ...order.row, rowid }, unchanged: unchangedParts(order, loaded) }];
  });
}

/**
 * The stored orders, by key, and the rows of order_dates that are known of them. Of remembered orders nothing is read
 * but the parts that a version changes. The others are searched by their dates, which takes 7 ms for 40 restaurants,
 * most of it planning.
 */
export async function storedOrders(
  search: OrderSearch,
  versions: ReadonlyMap<string, readonly Loaded[]>,
): Promise<{ stored: Map<string, Stored>; dates: TableRow[] }> {
  const known = await knownOrders(search, versions);
  const keys = keysOf(versions.keys());
  const others = new Map(keys);
  for (const { key } of known) others.delete(key);
  const found = await datesOf(search, [...others.values()]);
  // Without a date, none of them is stored.
  const searched = found.length === 0 ? [] : [...others.values()];
  const dates = columnOf(found, 'business_date');
  const wantedOf = (table: OrderPart): Wanted => {
    const changed = known.filter(({ unchanged }) => !unchanged.has(table));
    return {
      table,
      keys: [...searched, ...changed.flatMap(({ key }) => keys.get(key) ?? [])],
      dates: [...dates, ...changed.map(({ row }) => row.business_date)],
    };
  };
  const read = await readRows(search.rows, [{ table: 'orders', keys: searched, dates }, ...ORDER_PARTS.map(wantedOf)]);
  const parts = byPart(read);
  const stored = new Map<string, Stored>();
  const add = (key: string, row: TableRow, unchanged: Stored['unchanged']): void => {
    stored.set(key, { row, unchanged, partRows: (part) => parts[part].get(key) ?? [] });
  };
  for (const [key, [row]] of read('orders')) if (row && others.has(key)) add(key, row, new Set());
  for (const { key, row, unchanged } of known) add(key, row, unchanged);
  return { stored, dates: [...[...stored.values()].map(({ row }) => dateRow(row)), ...found] };
}

/** The stored versions of records that are not found by a date, by key. */
export async function storedRecords(
  rows: TableRows,
  table: LoadKind,
  texts: Iterable<string>,
): Promise<Map<string, Stored>> {
  const { key } = STORED_KINDS[table];
  const keys = keysOf(texts);
  if (keys.size === 0) return new Map();
  const found = await rows.read(statement('storedRecords', { table, key, ...listsOf([...keys.values()]) }));
  const versions = found
    .map(storedRow)
    .map((row): [string, Stored] => [
      keyOf(row.restaurant_id, row[key]),
      { row, partRows: () => [], unchanged: new Set() },
    ]);
  return new Map(versions.filter(([key]) => keys.has(key)));
}
