/**
 * Payouts: what was deposited for each restaurant on each settled date, from the loaded settlements. Names, types and
 * order of the record are exact: docs/contract.md#records.
 */
import Type, { type Static } from 'typebox';
import { BusinessDate, Count, exact, Money, Nullable } from '../contract/schemas.ts';
import { defineFamily } from './family.ts';
import { LocalTime, RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';

/** One for each restaurant and settled date; the same in both dialects. */
export const PayoutRecord = Type.Object(
  {
    ...RESTAURANT,
    settledDate: BusinessDate,
    salesPeriodStartDateTime: Nullable(LocalTime),
    salesPeriodEndDateTime: Nullable(LocalTime),
    transactionCount: Count,
    paymentAmount: Money,
    refundAmount: Money,
    totalFeeAmount: Money,
    withholdingAmount: Money,
    payoutAmount: Money,
    payoutStatus: Type.Union([Type.Literal('CAPTURED'), Type.Literal('SENT'), Type.Literal('NONE')], {
      examples: ['SENT'],
    }),
  },
  { ...exact, title: 'PayoutRecord' },
);
export type PayoutRecord = Static<typeof PayoutRecord>;

/** The amounts of a record, which are also the control totals. */
export const PAYOUT_AMOUNTS = {
  transactionCount: { type: 'count' },
  paymentAmount: { type: 'money' },
  refundAmount: { type: 'money' },
  totalFeeAmount: { type: 'money' },
  withholdingAmount: { type: 'money' },
  payoutAmount: { type: 'money' },
} as const;

const LIVE_LIMITS = { live: '10/min,60/h', generous: '100/min,600/h', each: true } as const;

/** Each create endpoint of payouts by settled date and by sales date is counted separately. */
export const PAYOUT_LIMITS = {
  payout: { ...LIVE_LIMITS, calls: 'POST /payout/day, /payout/week and the same of /payout/sales-date' },
  longPayout: {
    live: '10/h',
    generous: '100/h',
    calls: 'POST /payout/month and /payout/sales-date/month',
    each: true,
  },
} as const;

export const PAYOUT = defineFamily({
  kind: 'payout',
  path: '/payout',
  dataset: 'payout',
  title: 'Payout',
  noun: 'payouts',
  label: 'Payouts by settled date',
  summary: 'Get payouts by settled date',
  spans: ['day', 'week', 'month'],
  dates: { start: 'startDate', end: 'endDate' },
  groups: [],
  mostGroups: 0,
  aggregates: ['DAY'],
  records: { reference: PayoutRecord, live: PayoutRecord },
  columns: {
    ...RESTAURANT_COLUMNS,
    settledDate: { type: 'date' },
    salesPeriodStartDateTime: { type: 'localTime' },
    salesPeriodEndDateTime: { type: 'localTime' },
    ...PAYOUT_AMOUNTS,
    payoutStatus: { type: 'text' },
  },
  totals: Object.keys(PAYOUT_AMOUNTS),
  // Processor time of dates with a settlement of 150 payments: 65 µs over 620 dates of restaurants, 23 over 6,200.
  cost: () => 40,
  firstGuess: () => 0.1,
  limits: PAYOUT_LIMITS,
  limitOf: (span) => (span === 'month' ? 'longPayout' : 'payout'),
  changes: [],
});
