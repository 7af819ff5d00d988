/** The columns of a table, declared once: from them follow what a row is read as, and the values that are written. */
import type { Row, Values } from './statements.ts';

/**
 * The values of these properties as they are stored, by the names of the properties, which are those of the parameters.
 */
export type Stored<T> = { readonly [Name in keyof T]-?: string | number | null };

/** How a property is stored. */
export interface Column {
  name: string;
  read(stored: unknown): unknown;
  write(value: unknown): unknown;
}

/** A column of JSON text. Null is stored as null. */
export const json = (name: string): Column => ({
  name,
  read: (text) => (text === null ? null : JSON.parse(String(text))),
  write: (value) => (value === null ? null : JSON.stringify(value)),
});

/** A column of 0 or 1 for false or true: SQLite has no booleans. */
export const flag = (name: string): Column => ({ name, read: Boolean, write: Number });

const asIs = (name: string): Column => ({ name, read: (stored) => stored, write: (value) => value });

export interface Columns<T> {
  /** Throws Error if the row lacks a column. */
  read(row: Row): T;
  readOne(row: Row | undefined): T | undefined;
  /** The stored values of those properties that the object has and that are columns. */
  values<Part extends Partial<T>>(part: Part): Stored<Pick<T, keyof T & keyof Part>>;
}

/** Declares in which column each property is stored. */
export function columns<T extends object>(
  declared: {
    readonly [Property in keyof T]-?: string | Column;
  },
): Columns<T> {
  const all = Object.entries<string | Column>(declared).map(([property, column]) => ({
    property,
    ...(typeof column === 'string' ? asIs(column) : column),
  }));
  function read(row: Row): T {
    const of: Record<string, unknown> = {};
    for (const column of all) {
      const stored = row[column.name];
      if (stored === undefined) throw new Error(`a row of the ledger lacks the column ${column.name}`);
      of[column.property] = column.read(stored);
    }
    return of as T;
  }
  return {
    read,
    readOne: (row) => row && read(row),
    values(part) {
      const of: Values = part;
      const present = all.filter(({ property }) => of[property] !== undefined);
      const written = present.map(({ property, write }) => [property, write(of[property])]);
      return Object.fromEntries(written);
    },
  };
}
