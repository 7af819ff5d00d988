/** The columns of a rendered form, as SQL expressions over the snapshot: docs/contract.md#records and #dialects. */
import { FORMULAS, SUSPECT } from '@daypart/cli/csv-guard';
import { type ColumnType, columnsOf, DECIMALS, type ReportFamily } from '../../families/family.ts';
import type { Form, Format } from '../form.ts';

const text = (column: string): string => `cast("${column}" as varchar)`;
const money = (column: string): string => `money("${column}")`;
const instant = (column: string): string => `strftime(make_timestamp("${column}" * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')`;
/** As the wire has it in Parquet: a time in UTC. Through `to_timestamp`, which takes seconds as a double, it might be off by a microsecond. */
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
/** A cell has the dates of a list in one text. */
const dateListCell = (column: string): string => `array_to_string(${dateList(column)}, ';')`;

type Writer = (column: string) => string;

/** How a stored value is written; without a writer it is written as it is stored. */
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
/** A text of the data as `guarded` of contract/csv.ts makes it; only in the few with a sign is anything looked for. */
function guardedText(column: string): string {
  const literal = (pattern: string): string => `'${pattern.replaceAll("'", "''")}'`;
  const replaced = FORMULAS.reduce(
    (text, formula) => `regexp_replace(${text}, ${literal(formula)}, '\\1''\\2', 'g')`,
    `"${column}"`,
  );
  return `case when regexp_matches("${column}", ${literal(SUSPECT)}) then ${replaced} else "${column}" end`;
}

/** Parquet has types of its own for these. */
const PARQUET_WRITERS: Partial<Record<ColumnType, Writer>> = { guid: text, instant: timestamp, localTime: wallClock };
const CSV_WRITERS: Partial<Record<ColumnType, Writer>> = { dateList: dateListCell };
const OWN_WRITERS: Partial<Record<Format, typeof CSV_WRITERS>> = { parquet: PARQUET_WRITERS, csv: CSV_WRITERS };

/** The options of DuckDB's COPY for each format. CSV ends its lines as RFC 4180 does. */
export const COPY_OPTIONS: Record<Format, string> = {
  json: 'format json, array true',
  ndjson: 'format json, array false',
  csv: "format csv, header true, new_line '\\r\\n'",
  // Every reader of Parquet knows Snappy. zstd would save a quarter, and be read by none in a browser without more code.
  parquet: 'format parquet, compression snappy',
};

/** Records that are texts already, between the same marks as the engine's JSON has. */
export const TEXT_OPTIONS: Partial<Record<Format, string>> = {
  json: "prefix '[\n\t', suffix '\n]\n', new_line ',\n\t'",
  ndjson: "new_line '\n'",
};

/** The marks of a JSON form around and between its records. */
export const TEXT_MARKS = { prefix: '[\n\t', between: ',\n\t', suffix: '\n]\n' };

/** SQL expressions in the order of the record. All are made of the family's constants. */
export function expressionsOf(family: ReportFamily, form: Form): string[] {
  return columnsOf(family, form).map(({ field, name, type, loaded }, place) => {
    const own = OWN_WRITERS[form.format]?.[type];
    const write = form.format === 'csv' && loaded ? guardedText : (own ?? WRITERS[type]);
    // The mark is what comes first of all: the name of the first column begins with it.
    const mark = form.bom && place === 0 ? '\ufeff' : '';
    return `${write ? write(field) : `"${field}"`} as "${mark}${name}"`;
  });
}

const packed = (names: readonly string[]): string =>
  `struct_pack(${names.map((name) => `"${name}" := "${name}"`).join(', ')})`;

/** The words of a JSON form whose records leave out a field that is null; undefined where there is no such field. */
export function leftOutOf(family: ReportFamily, form: Form): Record<'name' | 'all' | 'others', string> | undefined {
  const columns = columnsOf(family, form);
  const left = columns.find(({ nullLeftOut }) => nullLeftOut);
  if (!left) return undefined;
  const names = columns.map(({ name }) => name);
  return { name: `"${left.name}"`, all: packed(names), others: packed(names.filter((name) => name !== left.name)) };
}

/** A record of a JSON form as an SQL expression over the form's columns: the text that the engine's own JSON has. */
export function recordTextOf(family: ReportFamily, form: Form): string {
  const leftOut = leftOutOf(family, form);
  if (leftOut)
    return `case when ${leftOut.name} is null then to_json(${leftOut.others}) else to_json(${leftOut.all}) end`;
  return `to_json(${packed(columnsOf(family, form).map(({ name }) => name))})`;
}
