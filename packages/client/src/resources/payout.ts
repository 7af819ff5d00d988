/** Payouts by settled date. */

import type { BusinessDate } from '../dates.ts';
import { plainRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant, Restaurants } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { HOUR_MS, MINUTE_MS } from './windows.ts';

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

export interface PayoutTypes extends FamilyTypes {
  ask: PayoutAsk;
  row: PayoutRecord;
}
export type PayoutHistoryAsk = HistoryAsk<PayoutAsk>;
/** Reports of payouts by settled date. */
export type PayoutResource = ReportResource<PayoutTypes>;

export const PAYOUT: Family<PayoutTypes> = {
  path: '/payout',
  dates: { start: 'startDate', end: 'endDate' },
  groups: false,
  read: plainRecord<PayoutRecord>('settledDate'),
  historyRange: 'month',
  // Each endpoint is counted separately.
  limitOf: (range) => `payout ${range}`,
  knownLimits: {
    'payout day': [
      [10, MINUTE_MS],
      [60, HOUR_MS],
    ],
    'payout week': [
      [10, MINUTE_MS],
      [60, HOUR_MS],
    ],
    'payout month': [[10, HOUR_MS]],
  },
};
