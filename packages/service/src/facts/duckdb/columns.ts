/** The columns of a rendered form, as SQL expressions over the snapshot: docs/contract.md#records and #dialects. */
import { DECIMALS } from '@daypart/client';
import { FORMULAS, SUSPECT } from '@daypart/client/text';
import {
  type ColumnType,
  CURRENCY_FIELD,
  columnsOf,
  type ReportFamily,
  type ShownColumn,
} from '../../families/family.ts';
import type { Form, Format, Only } from '../form.ts';
import { literalOf } from './literals.ts';

const text = (column: string): string => `cast("${column}" as varchar)`;
const money = (column: string): string => `money("${column}")`;
const instant = (column: string): string => `strftime(make_timestamp("${column}" * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')`;
/** A time in UTC, for Parquet. `to_timestamp` takes seconds as a double, and could be off by a microsecond. */
const timestamp = (column: string): string => `make_timestamptz("${column}" * 1000)`;
const decimalText = (column: string): string => `cast(money("${column}") as varchar)`;
/** An integer in units of 10^-places, as a decimal. */
const decimal =
  (places: number): Writer =>
  (column) =>
    `(cast("${column}" as decimal(18, 0)) * ${(10 ** -places).toFixed(places)})::decimal(18, ${places})`;

const wallClock = (column: string): string => `make_timestamp("${column}" * 1000)`;
const localTime = (column: string): string => `strftime(${wallClock(column)}, '%Y-%m-%d %H:%M:%S')`;
const dateList = (column: string): string => `cast("${column}" as varchar[])`;
/** The dates of a list as the text of one cell. */
const dateListCell = (column: string): string => `array_to_string(${dateList(column)}, ';')`;

/** The date of an integer YYYYMMDD. */
export const dateSql = (value: string): string => `make_date(${value} // 10000, ${value} // 100 % 100, ${value} % 100)`;

type Writer = (column: string) => string;

/** How a stored value is written; without a writer it is written as stored. */
const WRITERS: Record<ColumnType, Writer | undefined> = {
  guid: undefined,
  text: undefined,
  count: undefined,
  countText: text,
  boolean: undefined,
  money,
  percent: money,
  hours: decimal(DECIMALS.hours),
  quantity: decimal(DECIMALS.quantity),
  decimalText,
  date: text,
  dateList,
  hour: text,
  instant,
  localTime,
};
/**
 * Guards text of the data against formulas, like `guarded` of the CSV guard; only the few texts with a sign are
 * inspected.
 */
function guardedText(column: string): string {
  const literal = (pattern: string): string => `'${pattern.replaceAll("'", "''")}'`;
  const replaced = FORMULAS.reduce(
    (text, formula) => `regexp_replace(${text}, ${literal(formula)}, '\\1''\\2', 'g')`,
    `"${column}"`,
  );
  return `case when regexp_matches("${column}", ${literal(SUSPECT)}) then ${replaced} else "${column}" end`;
}

/** The type of each column in a snapshot. */
const STORED_AS: Record<ColumnType, string> = {
  guid: 'uuid',
  text: 'varchar',
  count: 'bigint',
  countText: 'bigint',
  boolean: 'boolean',
  money: 'bigint',
  percent: 'bigint',
  hours: 'bigint',
  quantity: 'bigint',
  decimalText: 'bigint',
  date: 'integer',
  dateList: 'integer[]',
  hour: 'tinyint',
  instant: 'bigint',
  localTime: 'bigint',
};

/** Parquet has its own types for these. */
const PARQUET_WRITERS: Partial<Record<ColumnType, Writer>> = {
  guid: text,
  countText: (column) => `"${column}"`,
  decimalText: money,
  date: (column) => dateSql(`"${column}"`),
  dateList: (column) => `list_transform("${column}", lambda one: ${dateSql('one')})`,
  hour: (column) => `cast("${column}" as integer)`,
  instant: timestamp,
  localTime: wallClock,
};
const CSV_WRITERS: Partial<Record<ColumnType, Writer>> = { dateList: dateListCell };
/** CSV in the layout `people`, and workbooks where they have text. */
const PEOPLE_WRITERS: Partial<Record<ColumnType, Writer>> = {
  date: (column) => `cast(${dateSql(`"${column}"`)} as varchar)`,
  dateList: (column) => `array_to_string(list_transform("${column}", lambda one: ${dateSql('one')})::varchar[], ';')`,
};

/** The writers of a form that differ from those of JSON. */
function ownWriters({ format, currencies }: Pick<Form, 'format' | 'currencies'>): typeof CSV_WRITERS {
  if (format === 'parquet') return PARQUET_WRITERS;
  if (format === 'csv' || format === 'xlsx') return currencies ? PEOPLE_WRITERS : CSV_WRITERS;
  return {};
}

/** The text before, between and after the records of a JSON form. */
export const TEXT_MARKS = { prefix: '[\n\t', between: ',\n\t', suffix: '\n]\n' };
const { prefix, between, suffix } = TEXT_MARKS;

/**
 * One column of text, written as it is. With `force_quote` the engine does not search for characters that require
 * quotes, which took 0.13 s of 150 MB; as there is no quote, none is written.
 */
const AS_IT_IS = "format csv, header false, quote '', escape '', delimiter '\n', force_quote *";

/** The options of DuckDB's COPY for each format. CSV lines end according to RFC 4180. */
export const COPY_OPTIONS: Record<Format, string> = {
  json: `${AS_IT_IS}, prefix '${prefix}', suffix '${suffix}', new_line '${between}'`,
  ndjson: `${AS_IT_IS}, new_line '\n'`,
  csv: "format csv, header true, new_line '\\r\\n'",
  // Every Parquet reader supports Snappy. zstd would save a quarter, but browsers would need more code to read it.
  parquet: 'format parquet, compression snappy',
  // Rows of XML, from which files/workbook.ts makes the workbook.
  xlsx: `${AS_IT_IS}, new_line '\n'`,
};

/** The condition for the rows that a form has. */
export const conditionOf = (only: Only): string =>
  Object.entries(only)
    .map(([field, value]) => `"${field}" in (${[value].flat().map(literalOf).join(', ')})`)
    .join(' and ');

/**
 * The rows of a snapshot with all fields of a form: those that it does not store are null. Older snapshots store these
 * nulls, so that two columns have the name of a field, of which the engine reads the first.
 */
export function wholeRows(snapshot: string, family: ReportFamily, form: Form): string {
  const missing = columnsOf(family, form).filter(({ stored }) => !stored);
  if (missing.length === 0) return snapshot;
  const shownOf = ({ field, type }: ShownColumn): string =>
    field === CURRENCY_FIELD ? currencyOf(form.currencies ?? []) : `null::${STORED_AS[type]}`;
  return `(select *, ${missing.map((column) => `${shownOf(column)} as "${column.field}"`).join(', ')} from ${snapshot})`;
}

/** The currency of a row. Snapshots number the currencies of a report that has several. */
function currencyOf(currencies: readonly (string | null)[]): string {
  const codes = currencies.map((code) => (code === null ? 'null::varchar' : `'${code.replaceAll("'", "''")}'`));
  if (codes.length > 1) return `([${codes.join(', ')}])["currency" + 1]`;
  return codes[0] ?? 'null::varchar';
}

/** A field of a form as an SQL expression. */
export function expressionOf({ field, type, loaded }: ShownColumn, form: Pick<Form, 'format' | 'currencies'>): string {
  const own = ownWriters(form)[type];
  const write = form.format === 'csv' && loaded ? guardedText : own === undefined ? WRITERS[type] : own;
  return write ? write(field) : `"${field}"`;
}

/** SQL expressions in the order of the record, made only from the family's constants. */
export function expressionsOf(family: ReportFamily, form: Form): string[] {
  return columnsOf(family, form).map((column, index) => {
    // The byte order mark must come first, so the name of the first column begins with it.
    const mark = form.bom && index === 0 ? '\ufeff' : '';
    return `${expressionOf(column, form)} as "${mark}${column.name}"`;
  });
}

const packed = (names: readonly string[]): string =>
  `struct_pack(${names.map((name) => `"${name}" := "${name}"`).join(', ')})`;

/**
 * A record of a JSON form as an SQL expression over the form's columns, with the same text as the engine's own JSON.
 */
export function recordTextOf(family: ReportFamily, form: Form): string {
  const columns = columnsOf(family, form);
  const names = columns.map(({ name }) => name);
  const all = `to_json(${packed(names)})`;
  const left = columns.find(({ nullLeftOut }) => nullLeftOut)?.name;
  if (left === undefined) return all;
  return `case when "${left}" is null then to_json(${packed(names.filter((name) => name !== left))}) else ${all} end`;
}
