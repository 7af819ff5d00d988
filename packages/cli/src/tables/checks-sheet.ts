/** Checks for people: the first lines, and totals of all of them in constant memory. */
import { centsOf, shownAmount, shownHundredths } from '../cells.ts';
import { CURRENCY, type CurrencyOf, shownCurrency } from '../currencies.ts';
import { groupBy } from '../group-by.ts';
import { shownDate } from '../span.ts';
import type { Column } from '../table.ts';
import type { CheckRow } from './checks.ts';

const MONEY = [
  ['Total', 'checkTotalAmount', 100],
  ['Discount', 'checkDiscountAmount', 60],
  ['Tax', 'checkTaxAmount', 65],
  ['Tip', 'checkTipAmount', 70],
  ['Gratuity', 'checkGratuityAmount', 30],
  ['Refund', 'checkRefundAmount', 55],
] as const;

interface Field extends Column {
  cell(row: CheckRow): string;
}
/** Services that are not Daypart leave fields out that it always has. */
const text = (value: string | number | null | undefined): string => (value == null ? '–' : String(value));

const FIELDS: readonly Field[] = [
  { heading: 'Restaurant', importance: 80, cell: (row) => text(row.restaurantName ?? row.restaurantGuid) },
  { heading: 'Date', importance: 85, cell: (row) => shownDate(text(row.orderOpenDate)) },
  { heading: 'Order', number: true, importance: 20, cell: (row) => text(row.orderNumber) },
  { heading: 'Check', number: true, importance: 90, cell: (row) => text(row.checkNumber) },
  { heading: 'Status', importance: 75, cell: (row) => (row.checkVoidedStatus ? 'VOID' : text(row.checkStatus)) },
  {
    heading: 'Paid (UTC)',
    importance: 25,
    cell: (row) => text(row.checkPaidDateTime).slice(0, 16).replace('T', ' '),
  },
  { heading: 'Dining option', importance: 50, cell: (row) => text(row.diningOption) },
  { heading: 'Revenue center', importance: 40, cell: (row) => text(row.revenueCenter) },
  { heading: 'Server', importance: 45, cell: (row) => text(row.serverName) },
  ...MONEY.map(
    ([heading, field, importance]): Field => ({
      heading,
      number: true,
      importance,
      cell: (row) => shownAmount(row[field]),
    }),
  ),
];

export interface CheckSheet {
  columns: readonly Column[];
  cells(row: CheckRow): string[];
  /** One line a currency. */
  totals(tally: CheckTally): string[][];
}

/** The columns without those that the title says already; `same.currency` where there is one. */
export function checkSheet(
  same: { restaurant: boolean; date: boolean; currency: boolean },
  currencyOf: CurrencyOf,
): CheckSheet {
  const currency: Field = { ...CURRENCY, cell: (row) => shownCurrency(currencyOf(row.restaurantGuid)) };
  const fields = FIELDS.flatMap((field) => {
    if (same.date && field.heading === 'Date') return [];
    if (field.heading !== 'Restaurant') return [field];
    return [...(same.restaurant ? [] : [field]), ...(same.currency ? [] : [currency])];
  });
  return {
    columns: fields.map(({ cell: _, ...column }) => column),
    cells: (row) => fields.map(({ cell }) => cell(row)),
    totals: (tally) =>
      tally
        .sums(currencyOf)
        .map(({ code, sums }) =>
          fields.map(({ heading }) => (heading === CURRENCY.heading ? shownCurrency(code) : shownSum(sums, heading))),
        ),
  };
}

const shownSum = (sums: readonly number[], heading: string): string => {
  const place = MONEY.findIndex(([name]) => name === heading);
  return place < 0 ? '' : shownHundredths(sums[place] ?? 0);
};

export interface CheckTally {
  add(row: CheckRow): void;
  count(): number;
  voided(): number;
  /** Cents in the order of the columns of money, for each currency by code, null last. */
  sums(currencyOf: CurrencyOf): { code: string | null; sums: number[] }[];
}

/** Adds checks up by restaurant: in which currencies they are is only asked for when there are several. */
export function openTally(): CheckTally {
  const restaurants = new Map<string, number[]>();
  let [count, voided] = [0, 0];
  return {
    add(row) {
      count++;
      if (row.checkVoidedStatus) voided++;
      const sums = restaurants.get(row.restaurantGuid) ?? MONEY.map(() => 0);
      restaurants.set(row.restaurantGuid, sums);
      for (const [at, [, field]] of MONEY.entries()) sums[at] = (sums[at] ?? 0) + (centsOf(row[field]) ?? 0);
    },
    count: () => count,
    voided: () => voided,
    sums(currencyOf) {
      const byCode = groupBy(restaurants, ([guid]) => currencyOf(guid));
      const shown = (code: string | null): string => code ?? '\uffff';
      return [...byCode]
        .sort(([a], [b]) => (shown(a) < shown(b) ? -1 : 1))
        .map(([code, all]) => ({
          code,
          sums: MONEY.map((_, at) => all.reduce((sum, [, sums]) => sum + (sums[at] ?? 0), 0)),
        }));
    },
  };
}
