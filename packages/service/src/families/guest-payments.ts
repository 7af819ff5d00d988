/**
 * Guest payments: one record for each card payment that was not voided or denied, with a fingerprint of its card if
 * known. Names, types and order of the record are exact: docs/contract.md#records.
 */
import type { Static } from 'typebox';
import { BusinessDate, exact, Guid, Nullable, Type } from '../contract/schemas.ts';
import { SCOPE_GUEST } from '../contract/words.ts';
import { defineFamily } from './family.ts';
import { RESTAURANT, RESTAURANT_COLUMNS } from './fields.ts';

/** The same in both dialects. Contains no name, mail address, phone number or card number. */
export const GuestPaymentRecord = Type.Object(
  {
    ...RESTAURANT,
    paymentDate: BusinessDate,
    orderGuid: Guid,
    paymentGuid: Guid,
    cardFingerprint: Nullable(
      Type.String({
        format: 'uuid',
        description: 'The same for a card in all restaurants of a management group; null if it is not known',
        examples: ['5a0c9d52-7c1e-8b3f-9a54-1f2e3d4c5b6a'],
      }),
    ),
  },
  { ...exact, title: 'GuestPaymentRecord' },
);
export type GuestPaymentRecord = Static<typeof GuestPaymentRecord>;

export const GUEST_PAYMENTS = defineFamily({
  kind: 'guest-payments',
  path: '/guest/payments',
  title: 'GuestPayments',
  noun: 'guest payments',
  label: 'Guest payments',
  summary: 'Get guest payments',
  spans: ['day', 'week'],
  dates: { start: 'startDate', end: 'endDate' },
  groups: [],
  mostGroups: 0,
  aggregates: ['DAY'],
  records: { reference: GuestPaymentRecord, live: GuestPaymentRecord },
  columns: {
    ...RESTAURANT_COLUMNS,
    paymentDate: { type: 'date' },
    orderGuid: { type: 'guid' },
    paymentGuid: { type: 'guid' },
    cardFingerprint: { type: 'guid' },
  },
  totals: ['paymentsWithFingerprint'],
  reportTotals: { counts: { paymentsWithFingerprint: 'cardFingerprint' } },
  // Processor time of dates with 150 card payments, one row each: 274 µs over 620 dates of restaurants, 318 over 6,200.
  cost: () => 320,
  firstGuess: () => 2,
  limits: {
    guestPayments: {
      live: '5/min,60/day',
      generous: '50/min,600/day',
      calls: 'POST /guest/payments/{timeRange}',
      each: true,
    },
  },
  limitOf: () => 'guestPayments',
  needs: 'payments',
  ownScope: SCOPE_GUEST,
  changes: [],
});
