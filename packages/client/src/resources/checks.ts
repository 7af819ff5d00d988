/** Checks. */

import type { BusinessDate } from '../dates.ts';
import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { Named, Restaurants, TimeRange } from '../types.ts';
import { type Family, type FamilyTypes, type HistoryAsk, requestsOf } from './family.ts';

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

interface CheckTypes extends FamilyTypes {
  ask: CheckAsk;
  row: CheckRecord<this['asked']>;
}
export type CheckHistoryAsk = HistoryAsk<CheckAsk>;
/** Reports of checks. */
export type CheckResource = ReportResource<CheckTypes>;

const DECLARED = FAMILIES.check;

/**
 * A check record in the reference dialect: display numbers are numbers, or null if they are not integers. Throws
 * UnexpectedAnswerError for anything else.
 */
export const checkRecord = readRecord<CheckRecord>(
  DECLARED.fields satisfies FieldsOf<CheckRecord, typeof DECLARED.fields>,
  'checkGuid',
);

export const CHECKS: Family<CheckTypes> = {
  ...requestsOf(DECLARED),
  read: checkRecord,
  // The live system supports only day.
  historyRange: 'day',
};
