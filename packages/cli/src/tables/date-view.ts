/** Records by restaurant and date for people: a line each, and a line of totals for each currency. */
import { groupBy } from '@daypart/client';
import { centsOf, shownAmount, shownCents, shownCount } from '../cells.ts';
import { CURRENCY, shownCurrency } from '../currencies.ts';
import { namesOf, type Page, restaurantNameOf, showNothing, showView } from '../report-table.ts';
import { shownDay } from '../span.ts';
import type { TableColumn } from '../table.ts';
import type { Row } from './row.ts';

/**
 * A column; amounts are of the currency that comes with them. `total` is that of all its rows; left out where nothing
 * adds up.
 */
export type DateField<R> = TableColumn & {
  cell(row: R, currency: string | null): string;
  total?(rows: readonly R[], currency: string | null): string;
};

/** Adds up whole units or hundredths. */
export const sumOver = <R>(rows: readonly R[], of: (row: R) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** A column of an amount. Fields that a row does not have count as 0. */
export const amountField = <F extends string>(heading: string, importance: number, field: F) => ({
  heading,
  importance,
  number: true as const,
  cell: (row: Record<F, number | null>, currency: string | null): string => shownAmount(row[field], currency),
  total: (rows: readonly Record<F, number | null>[], currency: string | null): string =>
    shownCents(
      sumOver(rows, (row) => centsOf(row[field]) ?? 0),
      currency,
    ),
});

/** A column of a count. */
export const countField = <F extends string>(heading: string, importance: number, field: F) => ({
  heading,
  importance,
  number: true as const,
  cell: (row: Record<F, number>): string => shownCount(row[field]),
  total: (rows: readonly Record<F, number>[]): string => shownCount(sumOver(rows, (row) => row[field])),
});

/** What a table by restaurant and date shows besides these. */
interface DateView<R> {
  /** YYYYMMDD. */
  dateOf(row: R): string;
  fieldsOf(rows: readonly R[]): readonly DateField<R>[];
  notesOf?(rows: readonly R[]): string[];
}

/**
 * Shows rows that fit into memory. Restaurant, currency and date are columns where they differ between rows: what is
 * the same in all of them is in the title.
 */
export async function showByDate<R extends Row>(
  page: Page,
  rows: AsyncIterable<R>,
  { dateOf, fieldsOf, notesOf }: DateView<R>,
): Promise<void> {
  const all: R[] = [];
  for await (const row of rows) all.push(row);
  if (all.length === 0) return await showNothing(page);
  const names = namesOf(all);
  const dates = [...new Set(all.map(dateOf))].sort();
  const currencies = await page.currencies(names.length === 1);
  const shownCode = (_: unknown, currency: string | null): string => shownCurrency(currency);
  const byCurrency = groupBy(all, (row) => currencies.of(row.restaurantGuid));
  const last = (code: string | null): string => code ?? '\uffff';
  const sums = [...byCurrency].sort(([a], [b]) => (last(a) < last(b) ? -1 : 1));
  const columns: DateField<R>[] = [
    ...(names.length > 1 ? [{ heading: 'Restaurant', importance: 95, cell: restaurantNameOf }] : []),
    ...(sums.length > 1 ? [{ ...CURRENCY, cell: shownCode, total: shownCode }] : []),
    ...(dates.length > 1 ? [{ heading: 'Date', importance: 94, cell: (row: R) => shownDay(dateOf(row)) }] : []),
    ...fieldsOf(all),
  ];
  const view = {
    columns,
    rows: all.map((row) => columns.map(({ cell }) => cell(row, currencies.of(row.restaurantGuid)))),
    totals: sums.map(([code, some]) => columns.map(({ total }) => total?.(some, code) ?? '')),
    notes: notesOf?.(all) ?? [],
  };
  await showView(page, view, { dates, names });
}
