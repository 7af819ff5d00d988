/**
 * Reads the forms of a report by the types of their columns, with readers of CSV and Parquet that do not belong to the
 * engine.
 */
import assert from 'node:assert/strict';
import { DECIMALS } from '@daypart/client';
import { guarded } from '@daypart/client/text';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import type { Format } from '../../packages/service/src/facts/form.ts';
import type { ShownColumn } from '../../packages/service/src/families/family.ts';
import { unguarded } from '../unguarded.ts';
import type { Json } from './naive.ts';

export const FORMATS = ['json', 'ndjson', 'csv', 'parquet'] as const satisfies Format[];

/** The decimal places of the types that are numbers on the wire; whole counts have none. */
function placesOf(type: ShownColumn['type']): number | undefined {
  if (type === 'count') return 0;
  return type === 'decimalText' || !(type in DECIMALS) ? undefined : DECIMALS[type as keyof typeof DECIMALS];
}

/** A cell by the type of its column. A cell of nothing at all is null, one of two quotes an empty text. */
function readCell({ type, loaded }: ShownColumn, value: string, isQuoted: boolean): unknown {
  if (value === '' && !isQuoted) return null;
  const places = placesOf(type);
  if (places !== undefined) {
    assert.match(value, places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${places}}$`));
    return Number(value);
  }
  if (type === 'boolean') {
    assert.match(value, /^(true|false)$/);
    return value === 'true';
  }
  if (type === 'dateList') return value === '' ? [] : value.split(';');
  if (!loaded) return value;
  const text = unguarded(value);
  assert.equal(value, guarded(text), 'a spreadsheet would run it');
  return text;
}

function readCsv(text: string, columns: readonly ShownColumn[]): Json[] {
  assert.ok(text.endsWith('\r\n'));
  const byName = new Map(columns.map((column) => [column.name, column]));
  return parse(text, {
    columns: true,
    record_delimiter: '\r\n',
    cast(value, { column, header, quoting }) {
      const found = byName.get(String(column));
      return header || !found ? value : readCell(found, value, quoting);
    },
  });
}

function plain({ type }: ShownColumn, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) {
    const text = value.toISOString();
    return type === 'localTime' ? text.slice(0, 19).replace('T', ' ') : text;
  }
  // The reader has decimals as a double times a power of ten, which is off in the last bits.
  const places = placesOf(type);
  return typeof value === 'number' && places !== undefined ? Number(value.toFixed(places)) : value;
}

/** The rows of a Parquet file, its exact types as JSON has them. */
async function readParquet(body: Buffer, columns: readonly ShownColumn[]): Promise<Json[]> {
  const { buffer, byteOffset, byteLength } = body;
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const byName = new Map(columns.map((column) => [column.name, column]));
  return (await parquetReadObjects({ file })).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const column = byName.get(name);
        return [name, column ? plain(column, value) : value];
      }),
    ),
  );
}

const linesOf = (text: string): Json[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => JSON.parse(line));

/** The rows of a form as JSON has them, fields in the order in which the form has them. */
export async function readForm(format: Format, body: Buffer, columns: readonly ShownColumn[]): Promise<Json[]> {
  const text = body.toString();
  switch (format) {
    case 'json':
      return JSON.parse(text);
    case 'ndjson':
      return linesOf(text);
    case 'csv':
      return readCsv(text, columns);
    case 'parquet':
      return await readParquet(body, columns);
  }
}

/**
 * A JSON record with null for the fields that it leaves out; its other fields must be those of the form, in their
 * order.
 */
export function withLeftOut(row: Json, columns: readonly ShownColumn[]): Json {
  const shown = columns.filter(({ name, nullLeftOut }) => !nullLeftOut || name in row);
  assert.deepEqual(
    Object.keys(row),
    shown.map(({ name }) => name),
  );
  for (const { name, nullLeftOut } of shown) if (nullLeftOut) assert.notEqual(row[name], null);
  return Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]));
}
