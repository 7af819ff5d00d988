/** `--sort FIELD[:desc]`: by a column's name for people, or by a field of the record. */

import { nearest } from './arguments.ts';
import type { CurrencyOf } from './currencies.ts';
import { UsageError } from './exit.ts';
import { changeOf, FIGURES } from './figures.ts';
import { KEY_WORDS, type Keys, type Line } from './lines.ts';
import type { Row } from './tables/row.ts';
import type { Table } from './tables/table.ts';
import { isMoney } from './units.ts';

type Value = string | number | boolean | null | undefined;
type Sortable = Pick<Table, 'sortFields' | 'fields'>;

export interface Sorting {
  /** The field that was found. */
  word: string;
  isDescending: boolean;
}

/** The accepted words besides the fields; with a comparison also `net-sales-change` and `net-sales-percent`. */
function sortWords({ sortFields }: Sortable, isCompared: boolean): string[] {
  const changes = FIGURES.flatMap(({ word }) => [`${word}-change`, `${word}-percent`]);
  return [...Object.keys(sortFields), ...(isCompared ? changes : [])];
}

/** Throws UsageError for a field that cannot be sorted by. */
export function readSorting(text: string, table: Sortable, isCompared: boolean): Sorting {
  const [named = '', order = 'asc', ...more] = text.split(':');
  if ((order !== 'asc' && order !== 'desc') || more.length > 0)
    throw new UsageError(`--sort takes FIELD, FIELD:asc or FIELD:desc, not ${text}`);
  const word = Object.entries(table.sortFields).find(([, field]) => field === named)?.[0] ?? named;
  const words = sortWords(table, isCompared);
  if (!words.includes(word) && !table.fields.includes(named))
    throw new UsageError(`--sort: there is no field ${named}${nearest(named, words)}`);
  return { word, isDescending: order === 'desc' };
}

/** Lines that were added up. Those of one value are by currency. */
export function sortLines(lines: readonly Line[], { word, isDescending }: Sorting): Line[] {
  const [, name = word, what] = /^(.*)-(change|percent)$/.exec(word) ?? [];
  const figure = FIGURES.find((one) => one.word === name);
  const key = KEY_WORDS[word] ?? (word as keyof Keys);
  const read = (line: Line): Value => {
    if (!figure) return key === 'businessHour' ? numberOf(line.keys[key]) : line.keys[key];
    const { now, difference, percent } = changeOf(figure, line);
    return what === 'change' ? difference : what === 'percent' ? percent : now;
  };
  // A change in percent is the same in every currency.
  const isAmount = figure !== undefined && what !== 'percent' && isMoney(figure.field);
  return sorted(lines, { read, currencyOf: ({ currencyCode }) => currencyCode, isAmount, isDescending });
}

/** Whether the currencies of the rows matter to their order. */
export const sortsMoney = (table: Table, { word }: Sorting): boolean => isMoney(fieldOf(table, word));

/** Sorts rows that are otherwise unchanged. */
export function sortRows(
  rows: readonly Row[],
  table: Table,
  { word, isDescending }: Sorting,
  currencyOf: CurrencyOf,
): Row[] {
  const field = fieldOf(table, word);
  return sorted(rows, {
    read: (row) => {
      const value = Object.getOwnPropertyDescriptor(row, field)?.value as Value | string[];
      return Array.isArray(value) ? value[0] : value;
    },
    currencyOf: (row) => currencyOf(row.restaurantGuid),
    isAmount: isMoney(field),
    isDescending,
  });
}

const fieldOf = ({ sortFields }: Pick<Table, 'sortFields'>, word: string): string => sortFields[word] ?? word;

interface Order<Item> {
  read(item: Item): Value;
  currencyOf(item: Item): string | null;
  /**
   * Whether the values are amounts, of which those of one currency stay together: dollars are not more or less than
   * euros.
   */
  isAmount: boolean;
  isDescending: boolean;
}

function sorted<Item>(items: readonly Item[], { read, currencyOf, isAmount, isDescending }: Order<Item>): Item[] {
  return items
    .map((item) => ({ item, value: read(item), currency: currencyOf(item) }))
    .sort(
      (a, b) =>
        (isAmount ? compare(a.currency, b.currency, false) : 0) ||
        compare(a.value, b.value, isDescending) ||
        compare(a.currency, b.currency, false),
    )
    .map(({ item }) => item);
}

const numberOf = (hour: string | null): number | null => (hour === null ? null : Number(hour));

/** Missing values are last in either direction. Equal values keep their order. */
function compare(a: Value, b: Value, isDescending: boolean): number {
  if (a == null || b == null) return a == null && b == null ? 0 : a == null ? 1 : -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return isDescending ? -order : order;
}
