/** Queries of ClickHouse: what a snapshot sees of some tables, restricted to restaurants and dates. */
import { DERIVED_TABLES, type DerivedTable } from '../duckdb/derived.ts';
import type { LinkedTable } from '../duckdb/families/family.ts';
import { checkedGuid, checkedInteger } from '../duckdb/literals.ts';
import { orderDateOf } from '../order.ts';
import type { Promoted, Seen } from './protocol.ts';
import { serverPart, serverText } from './server.ts';
import type { Snapshot } from './snapshot.ts';
import {
  dateOf,
  FACT_TABLES,
  type FactTable,
  keyOfTable,
  LIST_TABLES,
  type ListTable,
  promotedOf,
  RECORD_TABLES,
  recordOf,
  rollupColumns,
  SUMMED,
  SUMMED_TABLES,
  type SummedTable,
} from './tables.ts';

/** The rows to read from a table. */
export interface Cut {
  /** Undefined for all restaurants. */
  restaurants: readonly number[] | undefined;
  /** Business dates, inclusive. */
  from: number;
  to: number;
  /** The column to which `from` and `to` apply; null for all dates. By default the date of the table. */
  date?: string | null | undefined;
  /** Further conditions of records, in SQL that both engines understand. */
  only?: string | undefined;
  /** If the table is one of `FamilySql.linked`: the further conditions of all tables. */
  linked?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Integers as a list for a query. Throws TypeError for anything else. */
export const integers = (values: Iterable<unknown>): string => [...new Set(values)].map(checkedInteger).join();
/** GUIDs as a list for a query. Throws TypeError for anything else. */
export const guidList = (values: Iterable<unknown>): string =>
  [...new Set(values)].map((value) => `'${checkedGuid(value)}'`).join();

/** A condition: the snapshot sees the load of a row. */
export function visible({ high, except }: Snapshot, column = 'load'): string {
  const words = { column, high: String(checkedInteger(high)), except: integers(except) };
  return serverPart(except.length > 0 ? 'visible' : 'visibleAll', words);
}

const visiblePromotion = ({ promotion, except }: Promoted): string => visible({ high: promotion, except }, 'promotion');

export const ofRestaurants = (restaurants: readonly number[] | undefined): string => {
  if (!restaurants) return 'true';
  return restaurants.length === 0 ? 'false' : `restaurant_id in (${integers(restaurants)})`;
};

export const ofDates = ({ from, to }: Pick<Cut, 'from' | 'to'>, date: string | null): string =>
  date === null ? 'true' : `${date} between ${checkedInteger(from)} and ${checkedInteger(to)}`;

/** Conditions for the sums in a promotion, and for the deltas that it does not include. */
export function promotedWords(promoted: Promoted | undefined): { notPromoted: string; visiblePromotion: string } {
  if (!promoted) return { notPromoted: '', visiblePromotion: 'false' };
  return {
    notPromoted: serverPart('notPromoted', { visible: visible(promoted.snapshot) }),
    visiblePromotion: visiblePromotion(promoted),
  };
}

const LINKED: Readonly<Record<LinkedTable, string>> = {
  card_payments: 'linkedPayments',
  settlements: 'linkedSettlements',
  orders: 'linkedOrders',
  checks: 'linkedChecks',
};
const LINKED_TABLES = Object.keys(LINKED) as LinkedTable[];

/** The condition of rows that are linked to rows of the dates. */
function linkedOf(table: LinkedTable, cut: Cut, snapshot: Snapshot): string {
  const words = {
    restaurants: ofRestaurants(cut.restaurants),
    settled: ofDates(cut, 'settled_date'),
    sold: ofDates(cut, 'sales_date'),
    dates: ofDates(cut, 'business_date'),
    visible: visible(snapshot),
    visibleBorn: visible(snapshot, 'born'),
    lacking: cut.linked?.orders ?? 'true',
    paid: cut.linked?.checks ?? 'true',
  };
  return serverPart(LINKED[table], { ...words, paidElsewhere: serverPart('paidElsewhere', words) });
}

/** The condition of the orders to which the read rows of a part belong. */
const ofOrderDates = (words: { table: string; restaurants: string; dates: string }): string =>
  orderDateOf(words.table) === 'business_date' ? words.dates : serverPart('datesOfOrders', words);

/** The condition of the orders whose replaced versions are excluded from the read rows of a part. */
function ofReplaced(table: FactTable, cut: Cut, words: { table: string; restaurants: string; dates: string }): string {
  // A linked check counts only with the version of its order, which was read without those replaced.
  if (table === 'checks' && cut.linked) return 'false';
  // A part that is read by another date than its own may belong to an order of any date.
  return cut.date === undefined || cut.date === dateOf(table) ? ofOrderDates(words) : 'true';
}

function readFacts(table: FactTable, cut: Cut, { snapshot }: Seen, columns: readonly string[]): string {
  const { date = dateOf(table) } = cut;
  const only = cut.only ? `and (${cut.only})` : '';
  const words = {
    table,
    columns: columns.join(', '),
    key: keyOfTable(table),
    restaurants: ofRestaurants(cut.restaurants),
    dates: ofDates(cut, date),
    visible: visible(snapshot),
    only,
    linked: cut.linked && isIn(LINKED_TABLES, table) ? linkedOf(table, cut, snapshot) : '',
  };
  if (isIn(RECORD_TABLES, table)) return serverText('records', words);
  const orderDates = ofReplaced(table, cut, words);
  return serverText('parts', { ...words, orderDates, visibleBorn: visible(snapshot, 'born') });
}

/**
 * Rollups, summed by those of the requested columns that are not sums: of a year of 1,000 restaurants by day half as
 * many rows, without the GUIDs and names of their dining options and revenue centers.
 */
function readRollups(table: DerivedTable, cut: Cut, { snapshot, promoted }: Seen, columns: readonly string[]): string {
  const all = rollupColumns(table);
  const by = all.by.filter((name) => columns.includes(name));
  const sums = Object.entries(all.sums).filter(([name]) => columns.includes(name));
  const words = {
    ...promotedWords(promoted),
    by: by.join(', '),
    columns: [...by, ...sums.map(([name]) => name)].join(', '),
    sums: [...by, ...sums.map(([name, sum]) => `${sum} as ${name}`)].join(', '),
    restaurants: ofRestaurants(cut.restaurants),
    dates: ofDates(cut, cut.date === null ? null : 'business_date'),
    visible: visible(snapshot),
  };
  const more = promoted ? serverPart('promotedRollups', { ...words, promoted: promotedOf(table) }) : '';
  return serverText('rollups', { ...words, table, promoted: more });
}

/**
 * Sums over the records that a snapshot sees: replaced versions cancel out. Only the requested columns are computed.
 */
function readSums(table: SummedTable, cut: Cut, { snapshot }: Seen, columns: readonly string[]): string {
  const { of, by, sums, parts, counted } = SUMMED[table];
  const isAsked = (name: string): boolean => columns.includes(name);
  const requested = Object.entries(sums).filter(([name]) => isAsked(name));
  const types = Object.entries(parts?.types ?? {}).map(([name, type]) => `${name} ${type}`);
  return serverText('sums', {
    by: by
      .filter(isAsked)
      .map((name) => (parts && name in parts.types ? `part.${name} as ${name}` : name))
      .join(', '),
    sums: requested.map(([name, sum]) => `, ${sum} as ${name}`).join(''),
    table: of,
    parts: parts ? serverPart('eachPart', { column: parts.column, types: types.join(', ') }) : '',
    restaurants: ofRestaurants(cut.restaurants),
    dates: ofDates(cut, dateOf(of)),
    visible: visible(snapshot),
    counted,
    groups: by.filter(isAsked).join(', '),
  });
}

/**
 * The words of `lists`: the current list is that of the newest load that wrote it; an empty list is stored as a marker.
 */
export function listWords(
  table: ListTable,
  restaurants: readonly number[] | undefined,
  snapshot: Snapshot,
  columns: readonly string[],
): Record<string, string> {
  return {
    table,
    columns: columns.join(', '),
    restaurants: ofRestaurants(restaurants),
    visible: visible(snapshot),
    by: table === 'names' ? 'restaurant_id, kind' : 'restaurant_id',
    order: table === 'names' ? 'restaurant_id, kind, guid' : 'restaurant_id, place',
  };
}

const isIn = <T extends string>(list: readonly T[], table: string): table is T =>
  (list as readonly string[]).includes(table);

/** The tables that a statement of the node's engine may read, by their names there. */
export const READABLE: readonly string[] = [
  ...FACT_TABLES,
  ...DERIVED_TABLES.map((table) => `all_${table}`),
  ...LIST_TABLES,
  ...SUMMED_TABLES,
];

/** Whether a table occurs in a text. */
export const isReadIn = (sql: string, table: string): boolean =>
  new RegExp(`\\b(?:from|join)\\s+${table}\\b`, 'i').test(sql);

/** The name of the table in the schema of the node's engine with the same columns. */
export const schemaOf = (table: string): string => table.replace(/^all_/, '');

/** A query of a table of `READABLE`: only the given columns, and of records and their parts `load_id`. */
export function readTable(table: string, cut: Cut, seen: Seen, columns: readonly string[]): string {
  if (isIn(FACT_TABLES, table)) return readFacts(table, cut, seen, columns);
  if (isIn(LIST_TABLES, table)) return serverText('lists', listWords(table, cut.restaurants, seen.snapshot, columns));
  if (isIn(SUMMED_TABLES, table)) return readSums(table, cut, seen, columns);
  const stored = schemaOf(table);
  if (isIn(DERIVED_TABLES, stored)) return readRollups(stored, cut, seen, columns);
  throw new Error(`the facts have no table ${table}`);
}

/** A query of the rows of a table that differ between two snapshots, as versions for changes.sql. */
export function readChanges(
  table: FactTable,
  cut: Cut,
  { before, after, forgotten }: { before: Snapshot; after: Snapshot; forgotten: number },
  columns: readonly string[],
  /** Restaurants that are in only one of the two reports. */
  alone: readonly number[],
): string {
  const record = recordOf(table);
  const isRecord = table === record;
  const born = isRecord ? 'load' : 'born';
  const words = {
    record,
    key: keyOfTable(table),
    restaurants: ofRestaurants(cut.restaurants),
    dates: ofDates(cut, dateOf(table)),
    table,
  };
  const recordDates = isRecord ? words.dates : ofOrderDates(words);
  return serverText('changedRecords', {
    ...words,
    columns: columns.join(', '),
    isBefore: visible(before, born),
    isAfter: visible(after, born),
    goneBefore: serverPart('gone', { ...words, recordDates, visible: visible(before) }),
    goneAfter: serverPart('gone', { ...words, recordDates, visible: visible(after) }),
    positive: isRecord ? serverPart('positive') : '',
    notForgotten: serverPart('notForgotten', {
      ...words,
      recordDates,
      forgotten: String(checkedInteger(forgotten)),
      visible: visible(after),
    }),
    alone: ofRestaurants(alone),
  });
}
