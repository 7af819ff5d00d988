/** The row types of statements: the columns of their rows, by statement name, with a reader for each value. */
import { checkedInteger } from './checked.ts';
import type { Row } from './protocol.ts';

/** Reads a value. Throws TypeError if it has another type. */
type ReadValue<T> = (value: unknown) => T;

/** A BIGINT is a bigint here; a server writes it as digits in JSON. */
const whole: ReadValue<number> = (value) => checkedInteger(typeof value === 'string' ? Number(value) : value);
const text: ReadValue<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new TypeError(`${value} is not a text`);
};
const flag: ReadValue<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${value} is not true or false`);
};
const word =
  <W extends string>(...words: readonly W[]): ReadValue<W> =>
  (value) => {
    const found = words.find((known) => known === value);
    if (found !== undefined) return found;
    throw new TypeError(`${value} is not one of ${words.join(', ')}`);
  };
const maybe =
  <T>(read: ReadValue<T>): ReadValue<T | null> =>
  (value) =>
    value === null || value === undefined ? null : read(value);
/** A UUID converts to its text. */
const guid: ReadValue<string> = String;
/** Figures by the fields of a family: a struct, or null if one side has none. */
const figures: ReadValue<Record<string, unknown> | null> = (value) => {
  if (value === null) return null;
  const fields = Object.entries(value as object);
  return Object.fromEntries(fields.map(([name, one]) => [name, typeof one === 'bigint' ? Number(one) : one]));
};

type Columns = Record<string, ReadValue<unknown>>;
type RowOf<C extends Columns> = { [Name in keyof C]: ReturnType<C[Name]> };

function row<C extends Columns>(columns: C): (row: Row) => RowOf<C> {
  const readers = Object.entries(columns);
  return (from) => {
    const read: Record<string, unknown> = {};
    for (const [name, readValue] of readers) {
      try {
        read[name] = readValue(from[name]);
      } catch (error) {
        throw new TypeError(`column ${name}: ${(error as Error).message}`, { cause: error });
      }
    }
    return read as RowOf<C>;
  };
}

const listOf =
  <T>(read: (from: Row) => T): ReadValue<T[]> =>
  (value) =>
    (value as Row[]).map((one) => read(one));

const copied = row({ Count: whole });
/** All columns of a table, as in schema.sql. */
const wholeRow = (from: Row): Row => from;
/** Columns by the fields of a family. */
const fields = (from: Row): Record<string, number | string | null> =>
  Object.fromEntries(
    Object.entries(from).map(([name, value]) => [
      name,
      value === null || typeof value === 'string' ? value : Number(value),
    ]),
  );

export const ROW_TYPES = {
  // gather.sql. A snapshot is a number here and text in a node with ClickHouse.
  now: row({ as_of: whole, load_id: String }),
  formTexts: row({ owner: guid, record: text }),
  render: copied,
  renderWithout: copied,
  // identity.sql
  identity: row({ id: text, epoch: text }),
  highest: row({ restaurant_id: whole, load_id: String }),
  // loaded.sql
  loaded: row({
    ...{ restaurant_id: whole, first_date: maybe(whole), last_date: maybe(whole) },
    ...{ loaded_at: maybe(whole), load_id: whole },
  }),
  namesVersion: row({ restaurant_id: whole, names_version: text }),
  loadedDays: row({
    ...{ business_date: whole, orders: whole, checks: whole, time_entries: whole },
    ...{ loaded_at: maybe(whole), has_details: flag },
  }),
  // menus.sql
  menus: row({ place: whole, parent: maybe(whole), kind: word('menu', 'group', 'item'), guid: text, name: text }),
  // merge.sql
  findOrder: row({
    ...{ business_date: whole, business_hour: whole, opened_at: whole, modified_at: whole },
    status: word('counted', 'voided', 'excluded'),
  }),
  touched: row({ business_date: whole, has_records: flag }),
  noDays: row({}),
  counts: row({ accepted: whole, unchanged: whole, load: whole }),
  // reference.sql
  names: row({
    ...{ kind: word('dining', 'revenue', 'employee', 'job'), guid: text, name: maybe(text), last_name: maybe(text) },
    ...{ wage_frequency: maybe(text), excluded: maybe(flag), chosen_name: maybe(text), code: maybe(text) },
  }),
  ping: row({ one: whole }),
  // sheets.sql
  faults: row({ days: whole, restaurant_id: whole, business_date: whole }),
  // together.sql
  beginLoads: row({ load_id: whole }),
  countNew: row({ dates: whole, sheets: whole, labour_sheets: whole, loaded_days: whole, menu_sheets: whole }),
  storedRecords: wholeRow,
  // totals.sql, and the control totals of families
  totals: fields,
  guestTotals: fields,
  restaurantTotals: fields,
};
export type StatementName = keyof typeof ROW_TYPES;
export type StatementRow<Name extends StatementName> = ReturnType<(typeof ROW_TYPES)[Name]>;

/** The rows of a statement. Throws TypeError if a value does not have its declared type. */
export function rowsOf<Name extends StatementName>(name: Name, rows: readonly Row[] = []): StatementRow<Name>[] {
  const read = ROW_TYPES[name] as (row: Row) => StatementRow<Name>;
  return rows.map((one) => read(one));
}

/** The row of a statement that always has one. Throws Error if it has none. */
export function rowOf<Name extends StatementName>(name: Name, rows: readonly Row[] = []): StatementRow<Name> {
  const [first] = rowsOf(name, rows.slice(0, 1));
  if (first === undefined) throw new Error(`statement ${name} answered no row`);
  return first;
}

// Rows of other sources.
/** A day of a report on which details are missing; `days` is how many there are for all restaurants. */
export const readIncomplete = row({ guid, business_date: whole, days: whole });
/** A load that was merged with others, as returned by together.ts. */
export const readMerged = row({
  ...{ accepted: whole, unchanged: whole, load: whole },
  days: listOf(row({ businessDate: whole, hasRecords: flag })),
});
/** A difference between two snapshots. */
export const readChange = row({
  ...{ restaurantGuid: guid, orderGuid: maybe(guid), guid: maybe(guid) },
  ...{ orderNumber: maybe(whole), checkNumber: maybe(whole), before: figures, after: figures },
});
