/**
 * Reads the forms of a report by the types of their columns, with readers of CSV and Parquet that do not belong to the
 * engine.
 */
import assert from 'node:assert/strict';
import { DECIMALS } from '@daypart/client';
import { guarded } from '@daypart/client/text';
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects, parquetSchema, type SchemaTree } from 'hyparquet';
import type { Format } from '../../packages/service/src/facts/form.ts';
import type { ShownColumn } from '../../packages/service/src/families/family.ts';
import { unguarded } from '../unguarded.ts';
import type { Json } from './naive.ts';
import { placeOf, type SheetCell, sheetRows, unzipped } from './read-workbook.ts';

export const FORMATS = ['json', 'ndjson', 'csv', 'parquet'] as const satisfies Format[];

/** The decimal places of the types that are numbers on the wire; whole counts have none. */
function placesOf(type: ShownColumn['type']): number | undefined {
  if (type === 'count') return 0;
  return type === 'decimalText' || !(type in DECIMALS) ? undefined : DECIMALS[type as keyof typeof DECIMALS];
}

/** The date of the wire of one that a form for people has. */
function plainDate(value: string): string {
  assert.match(value, /^\d{4}-\d{2}-\d{2}$/);
  return value.replaceAll('-', '');
}

/**
 * A cell by the type of its column. A cell of nothing at all is null, one of two quotes an empty text. In the layout
 * `people` dates have dashes.
 */
function readCell({ type, loaded }: ShownColumn, value: string, isQuoted: boolean, isPeople: boolean): unknown {
  if (value === '' && !isQuoted) return null;
  if (isPeople && type === 'date') return plainDate(value);
  if (isPeople && type === 'dateList') return value === '' ? [] : value.split(';').map(plainDate);
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

function readCsv(text: string, columns: readonly ShownColumn[], isPeople: boolean): Json[] {
  assert.ok(text.endsWith('\r\n'));
  const byName = new Map(columns.map((column) => [column.name, column]));
  return parse(text, {
    columns: true,
    record_delimiter: '\r\n',
    cast(value, { column, header, quoting }) {
      const found = byName.get(String(column));
      return header || !found ? value : readCell(found, value, quoting, isPeople);
    },
  });
}

function plain(column: ShownColumn, value: unknown): unknown {
  const { type } = column;
  if (Array.isArray(value)) return value.map((one) => plain({ ...column, type: 'date' }, one));
  if (typeof value === 'bigint') return type === 'countText' ? String(value) : Number(value);
  if (value instanceof Date) {
    const text = value.toISOString();
    if (type === 'date') return plainDate(text.slice(0, 10));
    return type === 'localTime' ? text.slice(0, 19).replace('T', ' ') : text;
  }
  if (typeof value === 'number' && type === 'hour') return String(value);
  if (typeof value === 'number' && type === 'decimalText') return value.toFixed(DECIMALS.decimalText);
  // The reader has decimals as a double times a power of ten, which is off in the last bits.
  const places = placesOf(type);
  return typeof value === 'number' && places !== undefined ? Number(value.toFixed(places)) : value;
}

/** The type that a column of Parquet must have. */
const PARQUET_TYPES: Record<ShownColumn['type'], string> = {
  guid: 'STRING',
  text: 'STRING',
  count: 'INT64',
  countText: 'INT64',
  boolean: 'BOOLEAN',
  money: 'DECIMAL 2',
  percent: 'DECIMAL 2',
  hours: 'DECIMAL 3',
  quantity: 'DECIMAL 6',
  decimalText: 'DECIMAL 2',
  date: 'DATE',
  dateList: 'LIST of DATE',
  hour: 'INT32',
  instant: 'TIMESTAMP in UTC',
  localTime: 'TIMESTAMP',
};

/** The name and type of each column, in order. */
function parquetTypes(file: ArrayBuffer): [string, string][] {
  const typeOf = ({ element, children }: SchemaTree): string => {
    const { logical_type: logical, converted_type: converted, type } = element;
    if (converted === 'LIST') return `LIST of ${children.flatMap((list) => list.children.map(typeOf)).join()}`;
    if (logical?.type === 'DECIMAL') return `DECIMAL ${logical.scale}`;
    if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC ? 'TIMESTAMP in UTC' : 'TIMESTAMP';
    if (converted === 'UTF8') return 'STRING';
    return converted === 'DATE' ? 'DATE' : String(type);
  };
  return parquetSchema(parquetMetadata(file)).children.map((child) => [child.element.name, typeOf(child)]);
}

/** The rows of a Parquet file, its exact types as JSON has them. */
async function readParquet(body: Buffer, columns: readonly ShownColumn[]): Promise<Json[]> {
  const { buffer, byteOffset, byteLength } = body;
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  assert.deepEqual(
    parquetTypes(file),
    columns.map(({ name, type }) => [name, PARQUET_TYPES[type]]),
  );
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

/** The formats of cells by the types of columns: built in by number. */
const CELL_FORMATS: Partial<Record<ShownColumn['type'], string>> = {
  money: '4',
  decimalText: '4',
  percent: '2',
  hours: '0.000',
  date: 'yyyy\\-mm\\-dd',
  instant: 'yyyy\\-mm\\-dd\\ hh:mm:ss',
  localTime: 'yyyy\\-mm\\-dd\\ hh:mm:ss',
};
const DAY_MS = 86_400_000;
const MOMENTS = ['date', 'instant', 'localTime'];

/** The format of a cell in a row of a currency: amounts of yen have no decimals, but hours, which are no amount, do. */
function cellFormatOf({ type, name }: ShownColumn, currency: string | undefined): string {
  const isAmount = (type === 'money' || type === 'decimalText') && !name.endsWith('Hours');
  return isAmount && currency === 'JPY' ? '3' : (CELL_FORMATS[type] ?? '0');
}

/**
 * A cell of a workbook as JSON has it, in a row of a currency; none is null. Only dates before March 1900 are texts.
 */
function readSheetCell(column: ShownColumn, cell: SheetCell | undefined, currency: string | undefined): unknown {
  if (!cell) return null;
  const { type } = column;
  const { type: cellType, value, format } = cell;
  const isText = type === 'guid' || type === 'text' || type === 'dateList';
  if (!isText && cellType === 'text') {
    assert.ok(MOMENTS.includes(type) && value < '1900-03-01', value);
    return type === 'date' ? plainDate(value) : value;
  }
  assert.equal(cellType, isText ? 'text' : type === 'boolean' ? 'boolean' : 'number');
  assert.equal(format, cellFormatOf(column, currency));
  if (MOMENTS.includes(type))
    return plain(column, new Date(Math.round(Number(value) * DAY_MS) + Date.UTC(1899, 11, 30)));
  if (type === 'boolean') return value === '1';
  if (type === 'hour' || type === 'countText') return value;
  return readCell({ ...column, loaded: false }, value, true, true);
}

function readWorkbook(body: Buffer, columns: readonly ShownColumn[]): Json[] {
  const parts = unzipped(body);
  const [head, ...rows] = sheetRows(parts, 1);
  assert.deepEqual(
    [...(head?.values() ?? [])].map(({ value }) => value),
    columns.map(({ name }) => name),
  );
  return rows.map((row) => {
    const cells = new Map([...row].map(([letters, cell]) => [placeOf(letters), cell]));
    const currency = cells.get(columns.findIndex(({ name }) => name === 'currencyCode'))?.value;
    return Object.fromEntries(
      columns.map((column, index) => [column.name, readSheetCell(column, cells.get(index), currency)]),
    );
  });
}

const linesOf = (text: string): Json[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => JSON.parse(line));

/**
 * The rows of a form as JSON has them, fields in the order in which the form has them. `isPeople`: in the layout for
 * people.
 */
export async function readForm(
  format: Format,
  body: Buffer,
  columns: readonly ShownColumn[],
  isPeople = false,
): Promise<Json[]> {
  const text = body.toString();
  switch (format) {
    case 'json':
      return JSON.parse(text);
    case 'ndjson':
      return linesOf(text);
    case 'csv':
      return readCsv(text, columns, isPeople);
    case 'parquet':
      return await readParquet(body, columns);
    case 'xlsx':
      return readWorkbook(body, columns);
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
