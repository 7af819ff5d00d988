/** The stored versions of records in small loads. */
import type { LoadKind } from '../load.ts';
import { ORDER_PARTS, type OrderPart } from '../order.ts';
import { checkedGuid, checkedInteger } from './checked.ts';
import { STORED_KINDS } from './kinds.ts';
import type { RecentDates } from './recent-dates.ts';
import type { Version } from './resolve-versions.ts';
import type { TableRow, TableRows } from './rows.ts';
import { part, partOf, whole } from './steps.ts';
import { type Brought, keyOf, partsOf } from './versions.ts';

/** The restaurant and GUID of a record. */
interface Key {
  restaurant: number;
  guid: string;
}
type Keys = ReadonlyMap<string, Key>;

/** New order dates are added to this table first: appending to each restaurant's table took 0.3 ms, a third of a merge. */
export const NEW_DATES = 'new_order_dates';
/** A list for the text of a statement. Throws if a value is neither an integer nor a GUID. */
export const listOf = (values: Iterable<unknown>): string =>
  [...new Set(values)]
    .map((value) => (typeof value === 'string' ? `'${checkedGuid(value)}'` : checkedInteger(value)))
    .join();

/** Equal to the engine's macro: the first 32 bits of a GUID. */
export const headOf = (guid: string): number => Number.parseInt(guid.slice(0, 8), 16);

export const columnOf = (rows: readonly TableRow[], name: string): unknown[] => rows.map((row) => row[name]);

/** The keys of the records to which versions belong. */
export function keysOf(versions: readonly Version<Brought>[]): Keys {
  return new Map(
    versions.map(({ key }) => {
      const [restaurant = '', guid = ''] = key.split('/');
      return [key, { restaurant: Number(restaurant), guid }];
    }),
  );
}

/** A query of where orders may be, by the beginnings of their GUIDs. */
const maybeOn = (table: string, keys: readonly Key[]): string =>
  part('datesOf', {
    table,
    restaurants: listOf(keys.map(({ restaurant }) => restaurant)),
    heads: listOf(keys.map(({ guid }) => headOf(guid))),
  });

/** The dates on which orders may be stored, according to order_dates; some may be those of other orders. */
function datesOf(rows: TableRows, keys: Keys): Promise<TableRow[]> {
  const parts = Map.groupBy(keys.values(), ({ restaurant }) => partOf(restaurant));
  const selects = [...parts].map(([digits, orders]) => maybeOn(`order_dates_${digits}`, orders));
  return rows.read([...selects, maybeOn(NEW_DATES, [...keys.values()])].join(' union all '));
}

/** A row that was read as JSON. */
const storedRow = ({ rowid, line }: TableRow): TableRow => ({ ...(JSON.parse(String(line)) as TableRow), rowid });

/**
 * The orders that are stored on the given dates, each with its parts. They are read as JSON, whose values are those of loads, so
 * that the two can be compared; 400 lines take 3.7 ms instead of 5.4.
 */
async function ordersOn(rows: TableRows, keys: Keys, dates: unknown[]): Promise<[key: string, Brought][]> {
  if (keys.size === 0 || dates.length === 0) return [];
  const of = [...keys.values()];
  const words = {
    restaurants: listOf(of.map(({ restaurant }) => restaurant)),
    dates: listOf(dates),
    guids: listOf(of.map(({ guid }) => guid)),
  };
  const selects = ['orders', ...ORDER_PARTS].map((table) => part('storedRows', { ...words, table }));
  const found = Map.groupBy(await rows.read(selects.join(' union all ')), ({ part }) => part);
  const rowsOf = (table: string): TableRow[] => (found.get(table) ?? []).map(storedRow);
  const keyOfRow = ({ restaurant_id, order_guid }: TableRow): string => keyOf(restaurant_id, order_guid);
  const parts = partsOf(rowsOf);
  const byOrder = Object.fromEntries(ORDER_PARTS.map((part) => [part, Map.groupBy(parts[part], keyOfRow)])) as Record<
    OrderPart,
    Map<string, TableRow[]>
  >;
  return rowsOf('orders')
    .filter((row) => keys.has(keyOfRow(row)))
    .map((row) => [keyOfRow(row), { row, parts: partsOf((part) => byOrder[part].get(keyOfRow(row)) ?? []) }]);
}

/** The row of order_dates for an order. */
export const dateRow = ({ restaurant_id, order_guid, business_date }: TableRow): TableRow => ({
  ...{ restaurant_id, guid_head: headOf(String(order_guid)), business_date },
});

/**
 * The stored orders, by key, and the rows of order_dates that are known of them. Most orders come again soon after they came first: they are looked for on
 * the dates that they were stored on lately, since a look at the order dates of 40 restaurants takes 7 ms, most of it planning.
 */
export async function storedOrders(
  rows: TableRows,
  keys: Keys,
  recent: RecentDates,
): Promise<{ stored: Map<string, Brought>; dates: TableRow[] }> {
  const known = new Map([...keys].filter(([key]) => recent.of(key) !== undefined));
  const stored = new Map(await ordersOn(rows, known, [...known.keys()].map(recent.of)));
  const dates = [...stored.values()].map(({ row }) => dateRow(row));
  const others = new Map([...keys].filter(([key]) => !stored.has(key)));
  if (others.size === 0) return { stored, dates };
  const found = await datesOf(rows, others);
  for (const [key, order] of await ordersOn(rows, others, columnOf(found, 'business_date'))) stored.set(key, order);
  return { stored, dates: [...dates, ...found] };
}

/** The stored versions of records that are not found by a date, by key. */
export async function storedRecords(rows: TableRows, table: LoadKind, keys: Keys): Promise<Map<string, Brought>> {
  const { key } = STORED_KINDS[table];
  const of = [...keys.values()];
  const found = await rows.read(
    whole('storedRecords', {
      ...{ table, key },
      restaurants: listOf(of.map(({ restaurant }) => restaurant)),
      guids: listOf(of.map(({ guid }) => guid)),
    }),
  );
  const versions = found
    .map(storedRow)
    .map((row): [string, Brought] => [keyOf(row.restaurant_id, row[key]), { row, parts: partsOf(() => []) }]);
  return new Map(versions.filter(([key]) => keys.has(key)));
}
