/**
 * Rows of a workbook's sheet as XML, made by the engine: parsing CSV or Parquet in JavaScript for them would take
 * several times as long as everything else.
 */
import { isWholeCurrency } from '../../contract/currencies.ts';
import { DAY_MS } from '../../contract/time.ts';
import { type ColumnType, columnsOf, type ReportFamily, type ShownColumn } from '../../families/family.ts';
import { CELL_STYLES, columnLetters } from '../../files/workbook.ts';
import type { Form } from '../form.ts';
import { dateSql, expressionOf } from './columns.ts';

/** The number of the row: the first is that of the head. The engine counts rows of a file from 0. */
const ROW = 'cast(file_row_number + 2 as varchar)';
/** The snapshot with that number. */
export const NUMBERED_SNAPSHOT = 'read_parquet($file, file_row_number = true)';
/** The same, before a condition: the rows that fulfil it are numbered. */
export const NUMBERED_ROWS = 'select *, row_number() over () - 1 as file_row_number from read_parquet($file)';

/** Characters that XML does not have, and U+000D, which readers would take for U+000A. */
const CONTROLS = [...Array.from({ length: 31 }, (_, index) => index + 1), 0xfffe, 0xffff];

/** A text as `xmlText` of files/workbook.ts has it. Few texts have any of these characters. */
function xmlOf(text: string): string {
  const digit = '[0-9A-Fa-f]';
  const special = `'[&<>"\\x00-\\x1f\ufffe\uffff]|_x${digit.repeat(4)}_'`;
  const entities = [
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
    ['"', '&quot;'],
  ].map(([plain, escaped]) => [`'${plain}'`, `'${escaped}'`]);
  const controls = CONTROLS.map((code) => {
    const isXml = code === 9 || code === 10 || code === 13;
    return [`chr(${code})`, isXml ? `'&#${code};'` : `'_x${code.toString(16).padStart(4, '0')}_'`];
  });
  // An underscore that would begin such an escape is escaped first; the engine's expressions cannot look ahead.
  const escaped = [["'_x'", "'_x005F_x'"], ...entities, ...controls].reduce(
    (sql, [from, to]) => `replace(${sql}, ${from}, ${to})`,
    text,
  );
  return `case when regexp_matches(${text}, ${special}) then ${escaped} else ${text} end`;
}

type Cell = (value: string) => { attributes: string; content: string };

const styled = (style: keyof typeof CELL_STYLES): string => ` s="${CELL_STYLES[style]}"`;
const number =
  (style: keyof typeof CELL_STYLES): Cell =>
  (value) => ({ attributes: styled(style), content: `'<v>' || ${value} || '</v>'` });
const textCell: Cell = (value) => ({
  attributes: ' t="inlineStr"',
  content: `'<is><t xml:space="preserve">' || ${xmlOf(value)} || '</t></is>'`,
});

/** 1 January 1970 in days of a workbook, which count from 1900. */
const EPOCH_DAY = 25_569;
/** Days before 1 March 1900 differ between programs, because of a leap day that did not exist: they are texts. */
const FIRST_DAY = 61;
/** Days as a decimal that has the millisecond. */
const days = (column: string): string => `(${column} / ${DAY_MS}.0 + ${EPOCH_DAY})`;

/** A date or time as a cell of days if a workbook can have it, otherwise as text. */
function moment(serial: string, shown: string, written: string, style: 'date' | 'dateTime'): string {
  const { content } = textCell(shown);
  return `case when ${serial} >= ${FIRST_DAY} then '${styled(style)}><v>' || ${written} || '</v>' else ' t="inlineStr">' || ${content} end`;
}

/** A number with two decimals, or, where it is an amount of a currency that has none, without. */
function amountCell(value: string, isAmount: boolean, { currencies = [] }: Form): string {
  const whole = currencies.flatMap((code, index) => (isWholeCurrency(code) ? [index] : []));
  const { content } = number('money')(value);
  const styleOf = (style: keyof typeof CELL_STYLES): string => `'${styled(style)}>'`;
  if (!isAmount || whole.length === 0) return `${styleOf('money')} || ${content}`;
  if (whole.length === currencies.length) return `${styleOf('wholeMoney')} || ${content}`;
  const style = `case when "currency" in (${whole.join()}) then ${styleOf('wholeMoney')} else ${styleOf('money')} end`;
  return `${style} || ${content}`;
}

/** What is between `<c r="A2"` and `</c>`. `isAmount`: whether it is an amount of the restaurant's currency. */
function cellOf(column: ShownColumn, isAmount: boolean, form: Form): string {
  const value = expressionOf(column, form);
  const own = `"${column.field}"`;
  const plainly = (cell: Cell, shown = value): string => {
    const { attributes, content } = cell(shown);
    return `'${attributes}>' || ${content}`;
  };
  const shown = `cast(${value} as varchar)`;
  const dateTime = (): string => moment(days(own), value, `printf('%.10f', ${days(own)})`, 'dateTime');
  const cells: Record<ColumnType, () => string> = {
    guid: () => plainly(textCell, shown),
    text: () => plainly(textCell),
    count: () => plainly(number('plain'), shown),
    countText: () => plainly(number('plain'), shown),
    boolean: () => plainly((at) => ({ attributes: ' t="b"', content: `'<v>' || cast(${at} as integer) || '</v>'` })),
    money: () => amountCell(shown, isAmount, form),
    percent: () => plainly(number('decimals2'), shown),
    hours: () => plainly(number('decimals3'), shown),
    quantity: () => plainly(number('plain'), shown),
    decimalText: () => amountCell(shown, isAmount, form),
    date: () => {
      const serial = `datediff('day', date '1899-12-30', ${dateSql(own)})`;
      return moment(serial, value, `cast(${serial} as varchar)`, 'date');
    },
    dateList: () => plainly(textCell),
    hour: () => plainly(number('plain')),
    instant: dateTime,
    localTime: dateTime,
  };
  return cells[column.type]();
}

/** A row as an SQL expression over the snapshot. A null is no cell. */
export function rowXmlOf(family: ReportFamily, form: Form): string {
  const cells = columnsOf(family, form).map((column, index) => {
    const { type, amount = type === 'money' } = family.columns[column.field] ?? {};
    return `'<c r="${columnLetters(index)}' || ${ROW} || '"' || ${cellOf(column, amount, form)} || '</c>'`;
  });
  return `concat('<row r="', ${ROW}, '">', ${cells.join(', ')}, '</row>')`;
}
