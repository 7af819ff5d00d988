/** The row types of statements: the columns of their rows, by statement name, with a reader for each value. */
import type { EngineRow } from './protocol.ts';
import {
  copied,
  flag,
  guid,
  list,
  maybe,
  type ReadValue,
  row,
  rowReaders,
  text,
  whole,
  wholeRow,
  word,
} from './row-readers.ts';

/**
 * An integer of the engine, which may be a BigInt, as a number; null from 2^53 on, where a number would be another one.
 */
export function exactNumber(value: unknown): number | null {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : null;
}

/** The numbers of a row, some of which the engine returns as BigInt. */
export const numbers = (row: EngineRow = {}): Record<string, number | null> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, exactNumber(value)]));

/** Figures by the fields of a family: a struct, or null if one side has none. */
const figures: ReadValue<Record<string, unknown> | null> = (value) => {
  if (value === null) return null;
  const fields = Object.entries(value as object);
  return Object.fromEntries(fields.map(([name, one]) => [name, typeof one === 'bigint' ? Number(one) : one]));
};

/** Columns by the fields of a family. */
const fields: ReadValue<Record<string, number | string | null>> = (from) =>
  Object.fromEntries(
    Object.entries(wholeRow(from)).map(([name, value]) => [
      name,
      value === null || typeof value === 'string' ? value : exactNumber(value),
    ]),
  );

/** What is loaded of a restaurant: its dates, when, and by which load. */
export const LOADED = {
  restaurant_id: whole,
  first_date: maybe(whole),
  last_date: maybe(whole),
  loaded_at: maybe(whole),
  load_id: whole,
};
export const LAST_DATE = { restaurant_id: whole, last_date: whole };
/** What `StoredOrder` has. */
export const STORED_ORDER = {
  business_date: whole,
  business_hour: whole,
  opened_at: whole,
  modified_at: whole,
  status: word('counted', 'voided', 'excluded'),
  // A column that was added to tables with rows, so it may be null to the engines.
  details: maybe(whole),
  modified_nanos: maybe(whole),
};
/** What is read of the reference data of a restaurant. */
export const NAME = {
  kind: word('dining', 'revenue', 'employee', 'job'),
  guid: text,
  name: maybe(text),
  last_name: maybe(text),
  wage_frequency: maybe(text),
  excluded: maybe(flag),
  chosen_name: maybe(text),
  code: maybe(text),
};
/** What is read of its menus. */
export const MENU_ENTRY = {
  place: whole,
  parent: maybe(whole),
  kind: word('menu', 'group', 'item'),
  guid: text,
  name: text,
};

export const ROW_TYPES = {
  // gather.sql. A snapshot is a number here and text in a node with ClickHouse.
  now: row({ as_of: whole, load_id: String }),
  formTexts: row({ owner: guid, record: text }),
  render: copied,
  // removal.sql
  rowsOf: row({ rows: whole }),
  // identity.sql
  identity: row({ id: text, epoch: text }),
  highest: row({ restaurant_id: whole, load_id: String }),
  // loaded.sql
  loaded: row(LOADED),
  lastDates: row(LAST_DATE),
  listsVersion: row({ restaurant_id: whole, lists_version: text }),
  loadedDays: row({
    business_date: whole,
    orders: whole,
    checks: whole,
    time_entries: whole,
    loaded_at: maybe(whole),
    has_details: flag,
  }),
  ordersOfDate: row({ guid }),
  // records.sql
  timeEntries: row({
    entry_guid: guid,
    business_date: whole,
    in_at: whole,
    out_at: whole,
    job_guid: maybe(text),
    job_title: maybe(text),
    employee_guid: maybe(text),
    regular_micro: whole,
    overtime_micro: whole,
    regular_cents: whole,
    overtime_cents: whole,
  }),
  findCheck: row({ order_guid: text, business_date: whole }),
  checkFound: row({
    order_guid: text,
    check_guid: text,
    business_date: whole,
    order_number: maybe(whole),
    check_number: maybe(whole),
    paid_at: maybe(whole),
    status: text,
    voided: flag,
    total_cents: whole,
    discount_cents: whole,
    tax_cents: whole,
    tip_cents: whole,
    gratuity_cents: whole,
    refund_cents: whole,
  }),
  checkItems: row({
    modifier: flag,
    item_guid: maybe(text),
    item_name: maybe(text),
    group_name: maybe(text),
    menu_name: maybe(text),
    quantity: whole,
    gross_cents: whole,
    discount_cents: whole,
    refund_cents: whole,
    void_cents: whole,
  }),
  checkPayments: row({
    payment_guid: text,
    paid_at: whole,
    card_brand: maybe(text),
    card_type: text,
    total_cents: whole,
    tip_cents: whole,
    gratuity_cents: whole,
    refund_cents: whole,
  }),
  checkRefunds: row({ business_date: whole, refund_cents: whole }),
  // menus.sql
  menus: row(MENU_ENTRY),
  hasMenus: row({ has: flag }),
  // merge.sql
  findOrder: row(STORED_ORDER),
  touched: row({ business_date: whole, has_records: flag }),
  noDays: row({}),
  changing: row({ Count: whole }),
  counts: row({ accepted: whole, unchanged: whole, load: whole }),
  // reference.sql
  names: row(NAME),
  hasReference: row({ has: flag }),
  ping: row({ one: whole }),
  // rollups.sql
  faults: row({ days: whole, restaurant_id: whole, business_date: whole }),
  // batch-merge.sql
  takeNumbers: row({ load_id: whole }),
  countNew: row({
    dates: whole,
    sheets: whole,
    labour_sheets: whole,
    loaded_days: whole,
    menu_sheets: whole,
    large_loads: whole,
  }),
  storedRecords: row({ rowid: whole, line: text }),
  datesOfAll: row({ restaurant_id: whole, guid_head: whole, business_date: whole }),
  rememberedRows: row({ rowid: whole, order_guid: text, load_id: whole }),
  columnsOf: wholeRow,
  // totals.sql, and the control totals of families
  totals: fields,
  guestTotals: fields,
  restaurantTotals: fields,
};
type StatementName = keyof typeof ROW_TYPES;
export type StatementRow<Name extends StatementName> = ReturnType<(typeof ROW_TYPES)[Name]>;

export const { rowsOf, rowOf } = rowReaders(ROW_TYPES);

// Rows of other sources.
/** A day of a report on which details are missing; `days` is how many there are for all restaurants. */
export const readIncomplete = row({ guid, business_date: whole, days: whole });
/** A load that was merged with others, as returned by batch-merge.ts. */
export const readMerged = row({
  accepted: whole,
  unchanged: whole,
  load: whole,
  days: list(row({ businessDate: whole, hasRecords: flag })),
});
/** A difference between two snapshots. */
export const readChange = row({
  restaurantGuid: guid,
  orderGuid: maybe(guid),
  guid: maybe(guid),
  orderNumber: maybe(whole),
  checkNumber: maybe(whole),
  before: figures,
  after: figures,
});
