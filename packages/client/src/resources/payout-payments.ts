/** Card payments with their payouts. */

import { DAY_MS } from '../dates.ts';
import { plainRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import type { PayoutAsk } from './payout.ts';
import { MINUTE_MS } from './windows.ts';

/** A card payment. Amounts are in currency units with at most two decimals: see `cents`. */
export interface PayoutPaymentRecord extends OfRestaurant {
  orderGuid: string;
  checkGuid: string;
  paymentGuid: string;
  /** YYYYMMDD; null while unknown. */
  settledDate: string | null;
  /** Local times of the restaurant, `2026-03-10 12:31:05`. The live system has no order times. */
  orderOpenDateTime: string | null;
  paidDateTime: string;
  /** `Visa`, `Mastercard`, `AMEX`, `Discover`, or another name from the source. */
  paymentCardBrand: string | null;
  paymentCardType: 'Credit' | 'Debit' | 'UNSPECIFIED CARD' | (string & {});
  tipAmount: number;
  gratuityAmount: number;
  /** The total minus tip and gratuity. */
  paymentSubtotal: number;
  paymentTotal: number;
}

export interface PayoutPaymentTypes extends FamilyTypes {
  ask: PayoutAsk;
  row: PayoutPaymentRecord;
}
export type PayoutPaymentHistoryAsk = HistoryAsk<PayoutAsk>;
/** Reports of card payments. */
export type PayoutPaymentResource = ReportResource<PayoutPaymentTypes>;

const read = plainRecord<PayoutPaymentRecord>('paymentGuid');
const LIMIT = [
  [5, MINUTE_MS],
  [60, DAY_MS],
] as const;

export const PAYOUT_PAYMENTS: Family<PayoutPaymentTypes> = {
  path: '/payout/payments',
  dates: { start: 'startDate', end: 'endDate' },
  groups: false,
  read(raw) {
    const row = read(raw);
    // The live system may send it as a number.
    return { ...row, settledDate: row.settledDate === null ? null : String(row.settledDate) };
  },
  // The live system supports only day.
  historyRange: 'day',
  // Each endpoint is counted separately.
  limitOf: (range) => `payout payments ${range}`,
  knownLimits: { 'payout payments day': LIMIT, 'payout payments week': LIMIT, 'payout payments month': LIMIT },
};
