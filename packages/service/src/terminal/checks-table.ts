/** Checks for people: the first lines, and totals of all of them in constant memory. */
import { centsOf, shownAmount, shownHundredths } from './cells.ts';
import type { CheckRow } from './source.ts';
import { shownDate } from './span.ts';
import type { Column } from './table.ts';

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
  totals(tally: CheckTally): string[];
}

/** The columns without those that the title says already. */
export function checkSheet(same: { restaurant: boolean; date: boolean }): CheckSheet {
  const fields = FIELDS.filter(
    ({ heading }) => !(same.restaurant && heading === 'Restaurant') && !(same.date && heading === 'Date'),
  );
  return {
    columns: fields.map(({ cell: _, ...column }) => column),
    cells: (row) => fields.map(({ cell }) => cell(row)),
    totals: (tally) => {
      const sums = tally.sums();
      return fields.map(({ heading }) => shownSum(sums, heading));
    },
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
  /** Cents, in the order of the columns of money. */
  sums(): readonly number[];
}

export function openTally(): CheckTally {
  const sums = MONEY.map(() => 0);
  let [count, voided] = [0, 0];
  return {
    add(row) {
      count++;
      if (row.checkVoidedStatus) voided++;
      for (const [at, [, field]] of MONEY.entries()) sums[at] = (sums[at] ?? 0) + (centsOf(row[field]) ?? 0);
    },
    count: () => count,
    voided: () => voided,
    sums: () => sums,
  };
}
