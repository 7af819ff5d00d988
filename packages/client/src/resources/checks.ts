/** Checks. */

import type { BusinessDate } from '../dates.ts';
import { DAY_MS } from '../dates.ts';
import { checkRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { Named, Restaurants, TimeRange } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { MINUTE_MS } from './windows.ts';

export interface CheckAsk extends Restaurants {
  /** The live system supports only day. */
  range: TimeRange;
  start: BusinessDate;
  end?: BusinessDate | undefined;
  fetchRestaurantNames?: boolean | undefined;
}

/** The figures of a check. Amounts are in currency units with at most two decimals: see `cents`. */
export interface CheckFigures {
  restaurantGuid: string;
  /** Null if the display number is not an integer. */
  orderNumber: number | null;
  orderGuid: string;
  checkNumber: number | null;
  checkGuid: string;
  /** YYYYMMDD, the business date. */
  orderOpenDate: string;
  /** UTC, ISO 8601; null while unpaid. */
  checkPaidDateTime: string | null;
  checkModifiedDateTime: string | null;
  /** OPEN, PAID, CLOSED, and values that a later service may add. */
  checkStatus: 'OPEN' | 'PAID' | 'CLOSED' | (string & {});
  checkVoidedStatus: boolean;
  diningOption: string;
  revenueCenter: string;
  serverName: string | null;
  checkTotalAmount: number;
  checkDiscountAmount: number;
  checkTaxAmount: number;
  checkTipAmount: number;
  checkGratuityAmount: number;
  checkRefundAmount: number;
}

export type CheckRecord<A = CheckAsk> = CheckFigures & Named<A>;

export interface CheckTypes extends FamilyTypes {
  ask: CheckAsk;
  row: CheckRecord<this['asked']>;
}
export type CheckHistoryAsk = HistoryAsk<CheckAsk>;
/** Reports of checks. */
export type CheckResource = ReportResource<CheckTypes>;

export const CHECKS: Family<CheckTypes> = {
  path: '/check',
  dates: { start: 'startBusinessDate', end: 'endBusinessDate' },
  groups: false,
  read: checkRecord,
  // The live system supports only day.
  historyRange: 'day',
  limitOf: () => 'check',
  knownLimits: {
    check: [
      [5, MINUTE_MS],
      [60, DAY_MS],
    ],
  },
};
