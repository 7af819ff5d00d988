/**
 * Payout payments: one record for each card payment, in the order in which they were paid. Names, types and order of
 * the record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, exact, Guid, Money, Nullable, Text, Type } from '../contract/schemas.ts';
import { defineFamily } from './family.ts';
import { LocalTime, RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';

/** The same in both dialects. */
export const PayoutPaymentRecord = Type.Object(
  {
    ...RESTAURANT,
    orderGuid: Guid,
    checkGuid: Guid,
    paymentGuid: Guid,
    settledDate: Nullable(BusinessDate),
    orderOpenDateTime: LocalTime,
    paidDateTime: LocalTime,
    paymentCardBrand: Nullable(Text('Visa')),
    paymentCardType: Type.Union([Type.Literal('Credit'), Type.Literal('Debit'), Type.Literal('UNSPECIFIED CARD')], {
      examples: ['Credit'],
    }),
    tipAmount: Money,
    gratuityAmount: Money,
    paymentSubtotal: Money,
    paymentTotal: Money,
  },
  { ...exact, title: 'PayoutPaymentRecord' },
);
export type PayoutPaymentRecord = Static<typeof PayoutPaymentRecord>;

export const PAYOUT_PAYMENTS = defineFamily({
  kind: 'payout-payments',
  path: '/payout/payments',
  dataset: 'payout-payments',
  title: 'PayoutPayments',
  noun: 'card payments',
  label: 'Card payments',
  summary: 'Get card payments with their payouts',
  spans: ['day', 'week', 'month'],
  dates: { start: 'startDate', end: 'endDate' },
  groups: [],
  mostGroups: 0,
  aggregates: ['DAY'],
  records: { reference: PayoutPaymentRecord, live: PayoutPaymentRecord },
  columns: {
    ...RESTAURANT_COLUMNS,
    orderGuid: { type: 'guid' },
    checkGuid: { type: 'guid' },
    paymentGuid: { type: 'guid' },
    settledDate: { type: 'date' },
    // The live system has no order times.
    orderOpenDateTime: { type: 'localTime', default: null },
    paidDateTime: { type: 'localTime' },
    paymentCardBrand: { type: 'text', loaded: true },
    paymentCardType: { type: 'text' },
    tipAmount: { type: 'money' },
    gratuityAmount: { type: 'money' },
    paymentSubtotal: { type: 'money' },
    paymentTotal: { type: 'money' },
  },
  totals: ['tipAmount', 'gratuityAmount', 'paymentSubtotal', 'paymentTotal'],
  // Processor time of dates with 150 card payments, one row each: 629 µs over 620 dates of restaurants, 856 over 6,200.
  cost: () => 860,
  firstGuess: () => 2,
  limits: {
    payoutPayments: {
      live: '5/min,60/day',
      generous: '50/min,600/day',
      calls: 'POST /payout/payments/{timeRange}',
      each: true,
    },
  },
  limitOf: () => 'payoutPayments',
  needs: 'payments',
  changes: [],
  onLive: { spans: ['day'] },
});
