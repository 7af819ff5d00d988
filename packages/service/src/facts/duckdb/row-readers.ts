/**
 * Reads rows as they are declared: each column by its type, and no column besides. A statement whose columns and their
 * declaration differ fails the first time that it answers a row.
 */
import { checkedInteger } from './literals.ts';
import type { EngineRow } from './protocol.ts';

/** Reads a value. Throws TypeError where it is of another type. */
export type ReadValue<T> = (value: unknown) => T;

/** A BIGINT is a bigint in DuckDB, and a number or digits where a server writes it. */
export const whole: ReadValue<number> = (value) => checkedInteger(typeof value === 'string' ? Number(value) : value);
export const text: ReadValue<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new TypeError(`${value} is not a text`);
};
export const flag: ReadValue<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${value} is not true or false`);
};
export const word =
  <W extends string>(...words: readonly W[]): ReadValue<W> =>
  (value) => {
    const found = words.find((known) => known === value);
    if (found !== undefined) return found;
    throw new TypeError(`${value} is not one of ${words.join(', ')}`);
  };
export const maybe =
  <T>(read: ReadValue<T>): ReadValue<T | null> =>
  (value) =>
    value === null ? null : read(value);
/** A UUID has a text of its own. */
export const guid: ReadValue<string> = String;
export const list =
  <T>(read: ReadValue<T>): ReadValue<T[]> =>
  (value) => {
    if (Array.isArray(value)) return value.map(read);
    throw new TypeError(`${value} is not a list`);
  };

export type Columns = Record<string, ReadValue<unknown>>;
type RowOf<C extends Columns> = { [Name in keyof C]: ReturnType<C[Name]> };

const isRow = (value: unknown): value is EngineRow => typeof value === 'object' && value !== null;

/**
 * Reads a row, or a structure in one, of exactly these columns. Throws TypeError, with the name of the column, for any
 * other.
 */
export function row<C extends Columns>(columns: C): ReadValue<RowOf<C>> {
  const readers = Object.entries(columns);
  return (from) => {
    if (!isRow(from)) throw new TypeError(`${from} is not a row`);
    const read: Record<string, unknown> = {};
    for (const [name, readValue] of readers) {
      if (!(name in from)) throw new TypeError(`column ${name} is missing`);
      try {
        read[name] = readValue(from[name]);
      } catch (error) {
        throw new TypeError(`column ${name}: ${(error as Error).message}`, { cause: error });
      }
    }
    const names = Object.keys(from);
    if (names.length > readers.length)
      throw new TypeError(`column ${names.find((name) => !(name in columns))} is not declared`);
    return read as RowOf<C>;
  };
}

/** As wide as the table: what its columns are, schema.sql says. */
export const wholeRow: ReadValue<EngineRow> = (from) => {
  if (isRow(from)) return from;
  throw new TypeError(`${from} is not a row`);
};
/** What a statement answers that writes a file. */
export const copied = row({ Count: whole });

/** The rows of statements, by the names of the statements. */
type RowTypes = Record<string, ReadValue<unknown>>;

interface RowReaders<Types extends RowTypes> {
  /** The rows of a statement. Throws TypeError where one is not what is declared. */
  rowsOf<Name extends keyof Types & string>(name: Name, rows?: readonly unknown[]): ReturnType<Types[Name]>[];
  /** The row of a statement that always has one. Throws where it has none. */
  rowOf<Name extends keyof Types & string>(name: Name, rows?: readonly unknown[]): ReturnType<Types[Name]>;
}

/** Readers of the rows of statements whose types these are. */
export function rowReaders<Types extends RowTypes>(types: Types): RowReaders<Types> {
  const rowsOf: RowReaders<Types>['rowsOf'] = (name, rows = []) => {
    const read = types[name] as ReadValue<ReturnType<Types[typeof name]>>;
    return rows.map((one) => read(one));
  };
  return {
    rowsOf,
    rowOf(name, rows = []) {
      const [first] = rowsOf(name, rows.slice(0, 1));
      if (first === undefined) throw new Error(`statement ${name} answered no row`);
      return first;
    },
  };
}
