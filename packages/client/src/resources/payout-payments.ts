/** Card payments with their payouts. */

import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant } from '../types.ts';
import { type Family, type FamilyTypes, type HistoryAsk, requestsOf } from './family.ts';
import type { PayoutAsk } from './payout.ts';

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

interface PayoutPaymentTypes extends FamilyTypes {
  ask: PayoutAsk;
  row: PayoutPaymentRecord;
}
export type PayoutPaymentHistoryAsk = HistoryAsk<PayoutAsk>;
/** Reports of card payments. */
export type PayoutPaymentResource = ReportResource<PayoutPaymentTypes>;

const DECLARED = FAMILIES['payout-payments'];

export const PAYOUT_PAYMENTS: Family<PayoutPaymentTypes> = {
  ...requestsOf(DECLARED),
  read: readRecord<PayoutPaymentRecord>(
    DECLARED.fields satisfies FieldsOf<PayoutPaymentRecord, typeof DECLARED.fields>,
    'paymentGuid',
  ),
  // The live system supports only day.
  historyRange: 'day',
};
