/** Records by restaurant and date for people: a line each, and a line of totals for each currency. */
import { centsOf, shownCount, shownHundredths } from '../cells.ts';
import { CURRENCY, ONE_CURRENCY, shownCurrency } from '../currencies.ts';
import { groupBy } from '../group-by.ts';
import { nameOf, namesOf, type Page, showNothing, showSheet } from '../report-table.ts';
import { shownDay } from '../span.ts';
import type { Column } from '../table.ts';
import type { Row } from './table.ts';

/** A column: a text, or a number that is added up, in whole units or in hundredths. */
export type DateField<R> = Column & {
  cell(row: R): string;
  sum?: (row: R) => number;
  shownSum?: (sum: number) => string;
};

/** A column of an amount. */
export const amountField = <F extends string>(heading: string, importance: number, field: F) => ({
  ...{ heading, importance, number: true as const },
  cell: (row: Record<F, number>): string => shownHundredths(centsOf(row[field])),
  sum: (row: Record<F, number>): number => centsOf(row[field]) ?? 0,
  shownSum: shownHundredths,
});

/** A column of a count. */
export const countField = <F extends string>(heading: string, importance: number, field: F) => ({
  ...{ heading, importance, number: true as const },
  cell: (row: Record<F, number>): string => shownCount(row[field]),
  sum: (row: Record<F, number>): number => row[field],
  shownSum: shownCount,
});

/** Shows rows that fit into memory: those by restaurant and date, of at most a month. `dateOf` is YYYYMMDD. */
export async function showByDate<R extends Row>(
  page: Page,
  rows: AsyncIterable<R>,
  fields: readonly DateField<R>[],
  dateOf: (row: R) => string,
): Promise<void> {
  const all: R[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return await showNothing(page);
  const names = namesOf(all);
  const dates = [...new Set(all.map(dateOf))].sort();
  const currencies = names.length > 1 ? await page.currencies() : ONE_CURRENCY;
  const byCurrency = groupBy(all, (row) => currencies.of(row.restaurantGuid));
  const last = (code: string | null): string => code ?? '\uffff';
  const sums = [...byCurrency].sort(([a], [b]) => (last(a) < last(b) ? -1 : 1));
  const columns: DateField<R>[] = [
    ...(names.length > 1 ? [{ heading: 'Restaurant', importance: 95, cell: nameOf }] : []),
    ...(sums.length > 1 ? [{ ...CURRENCY, cell: (row: R) => shownCurrency(currencies.of(row.restaurantGuid)) }] : []),
    ...(dates.length > 1 ? [{ heading: 'Date', importance: 94, cell: (row: R) => shownDay(dateOf(row)) }] : []),
    ...fields,
  ];
  const totalOf = (code: string | null, some: readonly R[], { heading, sum, shownSum }: DateField<R>): string => {
    if (heading === CURRENCY.heading) return shownCurrency(code);
    return sum && shownSum ? shownSum(some.reduce((total, row) => total + sum(row), 0)) : '';
  };
  const sheet = {
    columns,
    rows: all.map((row) => columns.map(({ cell }) => cell(row))),
    totals: sums.map(([code, some]) => columns.map((column) => totalOf(code, some, column))),
    notes: [],
  };
  await showSheet(page, sheet, { dates, names });
}
