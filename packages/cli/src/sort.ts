/** `--sort FIELD[:desc]`: by a column's name for people, or by a field of the record. */

import { nearest } from './arguments.ts';
import { changeOf, FIGURES } from './figures.ts';
import { KEY_WORDS, type Line } from './lines.ts';
import type { Row, Table } from './tables/table.ts';
import { UsageError } from './usage-error.ts';

type Value = string | number | boolean | null | undefined;

export interface Sorting {
  /** The field that was found. */
  word: string;
  isDescending: boolean;
}

/** The accepted words; with a comparison also `net-sales-change` and `net-sales-percent`. */
export function sortWords({ sortFields }: Pick<Table, 'sortFields'>, isCompared: boolean): string[] {
  const changes = FIGURES.flatMap(({ word }) => [`${word}-change`, `${word}-percent`]);
  return [...Object.keys(sortFields), ...(isCompared ? changes : [])];
}

/** Throws UsageError for a field that cannot be sorted by. */
export function readSorting(text: string, table: Pick<Table, 'sortFields'>, isCompared: boolean): Sorting {
  const [said = '', order = 'asc', ...more] = text.split(':');
  if ((order !== 'asc' && order !== 'desc') || more.length > 0)
    throw new UsageError(`--sort takes FIELD, FIELD:asc or FIELD:desc, not ${text}`);
  const word = Object.entries(table.sortFields).find(([, field]) => field === said)?.[0] ?? said;
  const words = sortWords(table, isCompared);
  if (!words.includes(word)) throw new UsageError(`--sort: there is no field ${said}${nearest(said, words)}`);
  return { word, isDescending: order === 'desc' };
}

/** Sorted by an amount, lines of one currency stay together: dollars are not more or less than euros. */
export function sortLines(lines: readonly Line[], { word, isDescending }: Sorting): Line[] {
  const [, name = word, what] = /^(.*)-(change|percent)$/.exec(word) ?? [];
  const figure = FIGURES.find((one) => one.word === name);
  const key = KEY_WORDS[word];
  const read = (line: Line): Value => {
    if (!figure) return key && (key === 'businessHour' ? numberOf(line.keys[key]) : line.keys[key]);
    const { now, difference, percent } = changeOf(figure, line);
    return what === 'change' ? difference : what === 'percent' ? percent : now;
  };
  const hasCurrency = figure !== undefined && figure.unit !== 'count' && figure.word !== 'hours';
  return [...lines].sort(
    (a, b) =>
      (hasCurrency ? compare(a.currencyCode, b.currencyCode, false) : 0) ||
      compare(read(a), read(b), isDescending) ||
      compare(a.currencyCode, b.currencyCode, false),
  );
}

/** Sorts rows that are otherwise unchanged. */
export function sortRows(rows: readonly Row[], table: Table, { word, isDescending }: Sorting): Row[] {
  const field = table.sortFields[word] ?? word;
  return rows
    .map((row) => ({ row, value: Object.getOwnPropertyDescriptor(row, field)?.value as Value }))
    .sort((a, b) => compare(a.value, b.value, isDescending))
    .map(({ row }) => row);
}

const numberOf = (hour: string | null): number | null => (hour === null ? null : Number(hour));

/** Missing values are last in either direction. Equal values keep their order. */
function compare(a: Value, b: Value, isDescending: boolean): number {
  if (a == null || b == null) return a == null && b == null ? 0 : a == null ? 1 : -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -order : order;
}
