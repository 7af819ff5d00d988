/** Payouts by settled date. */

import type { BusinessDate } from '../dates.ts';
import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant, Restaurants } from '../types.ts';
import { type Family, type FamilyTypes, type HistoryAsk, requestsOf } from './family.ts';

/** Payouts and payments. The live system has payments only by day. */
export interface PayoutAsk extends Restaurants {
  range: 'day' | 'week' | 'month';
  start: BusinessDate;
  end?: BusinessDate | undefined;
  /** It has no groups. */
  groupBy?: undefined;
}

/** What was paid out. Amounts are in currency units with at most two decimals: see `cents`. */
export interface PayoutFigures {
  /** Payments, without refunds. */
  transactionCount: number;
  paymentAmount: number;
  refundAmount: number;
  totalFeeAmount: number;
  withholdingAmount: number;
  /** Payments minus refunds, fees and withholdings. */
  payoutAmount: number;
}

/** The payouts of a restaurant on a settled date. */
export interface PayoutRecord extends OfRestaurant, PayoutFigures {
  /** YYYYMMDD. */
  settledDate: string;
  /** Local times of the restaurant, `2026-03-10 12:31:05`; null if no payment in it has a time. */
  salesPeriodStartDateTime: string | null;
  salesPeriodEndDateTime: string | null;
  payoutStatus: 'CAPTURED' | 'SENT' | 'NONE' | (string & {});
}

interface PayoutTypes extends FamilyTypes {
  ask: PayoutAsk;
  row: PayoutRecord;
}
export type PayoutHistoryAsk = HistoryAsk<PayoutAsk>;
/** Reports of payouts by settled date. */
export type PayoutResource = ReportResource<PayoutTypes>;

const DECLARED = FAMILIES.payout;

export const PAYOUT: Family<PayoutTypes> = {
  ...requestsOf(DECLARED),
  read: readRecord<PayoutRecord>(
    DECLARED.fields satisfies FieldsOf<PayoutRecord, typeof DECLARED.fields>,
    'settledDate',
  ),
  historyRange: 'month',
};
