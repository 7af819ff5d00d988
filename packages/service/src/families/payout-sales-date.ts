/**
 * Payouts by sales date: the card payments of each restaurant and sales date, and when they were settled. Names, types
 * and order of the record are exact: docs/contract.md#records.
 */
import Type, { type Static } from 'typebox';
import { BusinessDate, Count, exact, Money } from '../contract/schemas.ts';
import { defineFamily } from './family.ts';
import { RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';
import { PAYOUT_AMOUNTS, PAYOUT_LIMITS } from './payout.ts';

/** One for each restaurant and sales date; the same in both dialects. */
export const PayoutSalesDateRecord = Type.Object(
  {
    ...RESTAURANT,
    salesDate: BusinessDate,
    settledDates: Type.Array(BusinessDate, { description: 'Ascending, each once; empty while unknown' }),
    transactionCount: Count,
    paymentAmount: Money,
    refundAmount: Money,
    totalFeeAmount: Money,
    withholdingAmount: Money,
    payoutAmount: Money,
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
  spans: ['day', 'week', 'month'],
  dates: { start: 'startDate', end: 'endDate' },
  groups: [],
  mostGroups: 0,
  aggregates: ['DAY'],
  records: { reference: PayoutSalesDateRecord, live: PayoutSalesDateRecord },
  columns: {
    ...RESTAURANT_COLUMNS,
    salesDate: { type: 'date' },
    settledDates: { type: 'dateList' },
    ...PAYOUT_AMOUNTS,
  },
  totals: Object.keys(PAYOUT_AMOUNTS),
  // Processor time of dates with 150 card payments, all of them settled: 97 µs over 620 dates of restaurants, 98 over
  // 6,200.
  cost: () => 100,
  firstGuess: () => 0.1,
  limits: PAYOUT_LIMITS,
  limitOf: (span) => (span === 'month' ? 'longPayout' : 'payout'),
  needs: 'payments',
  changes: [],
});
