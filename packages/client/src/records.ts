/** Converts records of either dialect to the reference dialect: its names, types and order. */
import type { Field, Fields, FieldType } from './declaration.ts';
import { UnexpectedAnswerError } from './errors.ts';

type Raw = Record<string, unknown>;

const DIGITS = /^\d{1,15}$/;

const refuse = (wanted: string, value: unknown): never => {
  throw new UnexpectedAnswerError(`The answer has no ${wanted}: ${JSON.stringify(value)}`.slice(0, 300));
};

/** A display number if it is an integer, otherwise null. */
const displayNumber = (value: unknown): number | null => (DIGITS.test(String(value)) ? Number(value) : null);

/** Hours or pay with two decimals. */
function decimal(value: unknown): string {
  const number = Number(value);
  return Number.isFinite(number) ? number.toFixed(2) : refuse('hours or pay', value);
}

/**
 * How values are read that differ between dialects, or that may be numbers in the answer; others are taken as they are.
 */
const READERS: Partial<Record<FieldType, (value: unknown) => unknown>> = {
  date: String,
  hour: String,
  decimalText: decimal,
};

/** A field as it is read: its names in both dialects, and its value where it is missing. */
interface ReadField {
  name: string;
  liveName: string;
  isOptional: boolean;
  missing: unknown;
  read: ((value: unknown) => unknown) | undefined;
}

const readFieldOf = ([name, { type, live, optional, default: missing }]: [string, Field]): ReadField => ({
  name,
  liveName: live?.name ?? name,
  isOptional: optional ?? false,
  missing: type === 'decimalText' && missing === undefined ? '0.00' : missing,
  read: live?.type === 'countText' ? displayNumber : READERS[type],
});

/**
 * A reader of records of either dialect: it returns the fields in their order, with their defaults, then unknown fields
 * unchanged. Those of
 * `required` must have a value. It throws UnexpectedAnswerError for anything that is not such a record.
 */
export function readRecord<Row>(fields: Fields, ...required: (keyof Row & string)[]): (value: unknown) => Row {
  const known = Object.entries(fields).map(readFieldOf);
  const liveNames = new Set(known.map(({ liveName }) => liveName));
  return (value) => {
    const raw = (value ?? {}) as Raw;
    for (const name of required) if ((raw[name] ?? raw[fields[name]?.live?.name ?? name]) == null) refuse(name, value);
    const row: Raw = {};
    let found = 0;
    for (const { name, liveName, isOptional, missing, read } of known) {
      let value = raw[name];
      if (value === undefined && liveName !== name) value = raw[liveName];
      if (value !== undefined) found++;
      if (value != null) row[name] = read === undefined ? value : read(value);
      else if (!isOptional) row[name] = missing === undefined ? value : missing;
    }
    // Names that every object has, such as __proto__, count as present in the row and are dropped.
    if (Object.keys(raw).length > found)
      for (const name in raw) if (!(name in row) && !liveNames.has(name)) row[name] = raw[name];
    return row as Row;
  };
}
