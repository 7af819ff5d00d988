/** Records for people, as many as there were guests: the first lines, and totals of all of them in constant memory. */
import { groupBy } from '@daypart/client';
import { centsOf, shownAmount, shownCents, shownCount } from '../cells.ts';
import { CURRENCY, type Currencies, type CurrencyOf, ONE_CURRENCY, shownCurrency } from '../currencies.ts';
import {
  counted,
  headOf,
  MOST_NAMES,
  moreOf,
  type Page,
  restaurantNameOf,
  type Seen,
  showClosing,
  showNothing,
  titleOf,
  totalsOf,
  widthFor,
} from '../report-table.ts';
import { shownDate } from '../span.ts';
import { type Layout, layOut, type TableColumn, tableLine } from '../table.ts';
import type { Row } from './row.ts';

/** A column; `amount` is of one that is added up, in the currency of the row. */
interface RecordField<R> extends TableColumn {
  cell(row: R, currency: string | null): string;
  amount?: (row: R) => unknown;
}

/** How the records of a family are shown. */
export interface RecordTable<R> {
  /** `check`: they are counted under the table. */
  one: string;
  /** YYYYMMDD; optional for services that are not Daypart. */
  dateOf(row: R): string | null | undefined;
  /** The columns after those of restaurant, currency and date. */
  fields: readonly RecordField<R>[];
  /** Counted besides the records themselves: `voided`. */
  remark?: { word: string; of(row: R): boolean };
}

/** Services that are not Daypart leave fields out that it always has. */
export const orDash = (value: string | number | null | undefined): string => (value == null ? '–' : String(value));

/** A column of an amount, which is added up. */
export const moneyField = <F extends string>(heading: string, importance: number, field: F) => ({
  heading,
  importance,
  number: true as const,
  cell: (row: Record<F, unknown>, currency: string | null): string => shownAmount(row[field], currency),
  amount: (row: Record<F, unknown>): unknown => row[field],
});

/** Lines that a terminal is shown: a day of checks is not one page. */
const MOST_LINES = 50;
/** Rows that the widths are chosen by where every line is written as it comes. */
const SAMPLE = 500;

/** The records that are shown are written as they arrive, the others are only added up. */
export async function showRecords<R extends Row>(
  page: Page,
  rows: AsyncIterable<R>,
  table: RecordTable<R>,
): Promise<void> {
  const tally = openTally(table);
  const most = page.all || !page.stream?.isTTY ? Number.POSITIVE_INFINITY : MOST_LINES;
  const sample: R[] = [];
  const seen = { dates: new Set<string>(), restaurants: new Map<string, string>() };
  let begun: OpenView<R> | undefined;
  for await (const row of rows) {
    tally.add(row);
    if (seen.restaurants.size < MOST_NAMES) seen.restaurants.set(row.restaurantGuid, restaurantNameOf(row));
    seen.dates.add(table.dateOf(row) ?? '–');
    if (begun) await page.write(`${tableLine(begun.view.columns, begun.layout, begun.view.cells(row))}\n`);
    else if (sample.length < Math.min(SAMPLE, most)) sample.push(row);
    else if (most === Number.POSITIVE_INFINITY) {
      begun = await begin(page, table, { sample: [...sample, row], tally });
    } else if (tally.count() % 10_000 === 0) page.spinner.say(`Reading, ${counted(tally.count(), table.one)}`);
  }
  if (tally.count() === 0) return await showNothing(page);
  begun ??= await begin(page, table, {
    sample,
    tally,
    seen: { dates: [...seen.dates].sort(), names: [...seen.restaurants.values()] },
  });
  const { view, layout } = begun;
  if (tally.count() > most) await page.write(moreOf(page, tally.count() - most));
  if (hasAmounts(table)) await page.write(totalsOf(page, view.columns, layout, view.totals(tally)));
  const remarked = tally.remarked();
  const remark = table.remark && remarked > 0 ? `, ${shownCount(remarked)} of them ${table.remark.word}` : '';
  await showClosing(page, layout, [`${counted(tally.count(), table.one)}${remark}.`]);
}

interface OpenView<R> {
  view: RecordView<R>;
  layout: Layout;
}

/** Title, headings and the first lines. `seen` is what all rows have, where all have been read. */
async function begin<R extends Row>(
  page: Page,
  table: RecordTable<R>,
  { sample, tally, seen }: { sample: readonly R[]; tally: Tally<R>; seen?: Seen },
): Promise<OpenView<R>> {
  const currencies: Currencies = hasAmounts(table) ? await page.currencies(seen?.names.length === 1) : ONE_CURRENCY;
  page.spinner.stop();
  const same = {
    restaurant: seen?.names.length === 1,
    date: seen?.dates.length === 1,
    currency: seen ? tally.sums(currencies.of).length === 1 : !currencies.several,
  };
  const view = viewOf(table, same, currencies.of);
  // Where more is to come the totals get wider: room for a hundred times the sums so far.
  const totals = view
    .totals(tally)
    .map((cells) => cells.map((cell, at) => (seen || !view.columns[at]?.number || cell === '' ? cell : `${cell},0`)));
  const layout = layOut(view.columns, [...sample.map(view.cells), ...totals], widthFor(page));
  await page.write(titleOf(page, seen));
  await page.write(headOf(page, view.columns, layout));
  for (const row of sample) await page.write(`${tableLine(view.columns, layout, view.cells(row))}\n`);
  return { view, layout };
}

const hasAmounts = <R>({ fields }: RecordTable<R>): boolean => fields.some(({ amount }) => amount);

interface RecordView<R> {
  columns: readonly TableColumn[];
  cells(row: R): string[];
  /** One line a currency. */
  totals(tally: Tally<R>): string[][];
}

/** The columns without those that the title says already; `same.currency` where there is one. */
function viewOf<R extends Row>(
  table: RecordTable<R>,
  same: { restaurant: boolean; date: boolean; currency: boolean },
  currencyOf: CurrencyOf,
): RecordView<R> {
  const { fields: own, dateOf } = table;
  const fields: RecordField<R>[] = [
    ...(same.restaurant ? [] : [{ heading: 'Restaurant', importance: 80, cell: restaurantNameOf }]),
    ...(same.restaurant || same.currency || !hasAmounts(table)
      ? []
      : [{ ...CURRENCY, cell: (_: R, currency: string | null) => shownCurrency(currency) }]),
    ...(same.date ? [] : [{ heading: 'Date', importance: 85, cell: (row: R) => shownDate(orDash(dateOf(row))) }]),
    ...own,
  ];
  const totalOf = (code: string | null, sums: readonly number[], field: RecordField<R>): string => {
    if (field.heading === CURRENCY.heading) return shownCurrency(code);
    const index = own.indexOf(field);
    return field.amount ? shownCents(sums[index] ?? 0, code) : '';
  };
  return {
    columns: fields.map(({ cell: _, amount: __, ...column }) => column),
    cells: (row) => fields.map(({ cell }) => cell(row, currencyOf(row.restaurantGuid))),
    totals: (tally) =>
      tally.sums(currencyOf).map(({ code, sums }) => fields.map((field) => totalOf(code, sums, field))),
  };
}

interface Tally<R> {
  add(row: R): void;
  count(): number;
  remarked(): number;
  /** Cents in the order of the fields, 0 for those without amounts, for each currency by code, null last. */
  sums(currencyOf: CurrencyOf): { code: string | null; sums: number[] }[];
}

/** Adds records up by restaurant: in which currencies they are is only known at the end. */
function openTally<R extends Row>({ fields, remark }: RecordTable<R>): Tally<R> {
  const restaurants = new Map<string, number[]>();
  let [count, remarked] = [0, 0];
  return {
    add(row) {
      count++;
      if (remark?.of(row)) remarked++;
      const sums = restaurants.get(row.restaurantGuid) ?? fields.map(() => 0);
      restaurants.set(row.restaurantGuid, sums);
      for (const [at, { amount }] of fields.entries()) {
        if (amount) sums[at] = (sums[at] ?? 0) + (centsOf(amount(row)) ?? 0);
      }
    },
    count: () => count,
    remarked: () => remarked,
    sums(currencyOf) {
      const byCode = groupBy(restaurants, ([guid]) => currencyOf(guid));
      const shown = (code: string | null): string => code ?? '\uffff';
      return [...byCode]
        .sort(([a], [b]) => (shown(a) < shown(b) ? -1 : 1))
        .map(([code, all]) => ({
          code,
          sums: fields.map((_, at) => all.reduce((sum, [, sums]) => sum + (sums[at] ?? 0), 0)),
        }));
    },
  };
}
