/**
 * Payouts: what was deposited for each restaurant on each settled date, from the loaded settlements. Names, types and
 * order of the record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, Count, exact, Money, Nullable, Type } from '../contract/schemas.ts';
import type { Span } from '../contract/words.ts';
import { defineFamily, type FieldColumn } from './family.ts';
import { LocalTime, RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';

/** The amounts of payouts by settled date and by sales date, which are also the control totals. */
export const PAYOUT_AMOUNTS = {
  transactionCount: Count,
  paymentAmount: Money,
  refundAmount: Money,
  totalFeeAmount: Money,
  withholdingAmount: Money,
  payoutAmount: Money,
};

/** One for each restaurant and settled date; the same in both dialects. */
export const PayoutRecord = Type.Object(
  {
    ...RESTAURANT,
    settledDate: BusinessDate,
    salesPeriodStartDateTime: Nullable(LocalTime),
    salesPeriodEndDateTime: Nullable(LocalTime),
    ...PAYOUT_AMOUNTS,
    payoutStatus: Type.Union([Type.Literal('CAPTURED'), Type.Literal('SENT'), Type.Literal('NONE')], {
      examples: ['SENT'],
    }),
  },
  { ...exact, title: 'PayoutRecord' },
);
export type PayoutRecord = Static<typeof PayoutRecord>;

export const PAYOUT_AMOUNT_COLUMNS = {
  transactionCount: { type: 'count' },
  paymentAmount: { type: 'money' },
  refundAmount: { type: 'money' },
  totalFeeAmount: { type: 'money' },
  withholdingAmount: { type: 'money' },
  payoutAmount: { type: 'money' },
} as const satisfies Record<keyof typeof PAYOUT_AMOUNTS, FieldColumn>;

/**
 * What payouts by settled date and by sales date have in common; each of their create endpoints is counted separately.
 */
export const PAYOUT_FAMILY = {
  spans: ['day', 'week', 'month'],
  dates: { start: 'startDate', end: 'endDate' },
  groups: [],
  mostGroups: 0,
  aggregates: ['DAY'],
  totals: Object.keys(PAYOUT_AMOUNTS),
  firstGuess: () => 0.1,
  limits: {
    payout: {
      live: '10/min,60/h',
      generous: '100/min,600/h',
      calls: 'POST /payout/day, /payout/week and the same of /payout/sales-date',
      each: true,
    },
    longPayout: {
      live: '10/h',
      generous: '100/h',
      calls: 'POST /payout/month and /payout/sales-date/month',
      each: true,
    },
  },
  limitOf: (span: Span) => (span === 'month' ? 'longPayout' : 'payout'),
  changes: [],
} as const;

export const PAYOUT = defineFamily({
  kind: 'payout',
  path: '/payout',
  dataset: 'payout',
  title: 'Payout',
  noun: 'payouts',
  label: 'Payouts by settled date',
  summary: 'Get payouts by settled date',
  ...PAYOUT_FAMILY,
  records: { reference: PayoutRecord, live: PayoutRecord },
  columns: {
    ...RESTAURANT_COLUMNS,
    settledDate: { type: 'date' },
    salesPeriodStartDateTime: { type: 'localTime' },
    salesPeriodEndDateTime: { type: 'localTime' },
    ...PAYOUT_AMOUNT_COLUMNS,
    payoutStatus: { type: 'text' },
  },
  // Processor time of dates with a settlement of 150 payments: 65 µs over 620 dates of restaurants, 23 over 6,200.
  cost: () => 40,
});
