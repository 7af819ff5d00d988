/**
 * Payouts by sales date: the card payments of each restaurant and sales date, and when they were settled. Names, types
 * and order of the record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, exact, Type } from '../contract/schemas.ts';
import { defineFamily } from './family.ts';
import { RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';
import { PAYOUT_AMOUNT_COLUMNS, PAYOUT_AMOUNTS, PAYOUT_FAMILY } from './payout.ts';

/** One for each restaurant and sales date; the same in both dialects. */
export const PayoutSalesDateRecord = Type.Object(
  {
    ...RESTAURANT,
    salesDate: BusinessDate,
    settledDates: Type.Array(BusinessDate, { description: 'Ascending, each once; empty while unknown' }),
    ...PAYOUT_AMOUNTS,
  },
  { ...exact, title: 'PayoutSalesDateRecord' },
);
export type PayoutSalesDateRecord = Static<typeof PayoutSalesDateRecord>;

export const PAYOUT_SALES_DATE = defineFamily({
  kind: 'payout-sales-date',
  path: '/payout/sales-date',
  dataset: 'payout-sales-date',
  title: 'PayoutSalesDate',
  noun: 'payouts by sales date',
  label: 'Payouts by sales date',
  summary: 'Get payouts by sales date',
  ...PAYOUT_FAMILY,
  records: { reference: PayoutSalesDateRecord, live: PayoutSalesDateRecord },
  columns: {
    ...RESTAURANT_COLUMNS,
    salesDate: { type: 'date' },
    settledDates: { type: 'dateList' },
    ...PAYOUT_AMOUNT_COLUMNS,
  },
  // Processor time of dates with 150 card payments, all of them settled: 97 µs over 620 dates of restaurants, 98 over
  // 6,200.
  cost: () => 100,
  needs: 'payments',
});
