/** Payouts by sales date. */
import { plainRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import type { PayoutAsk, PayoutFigures } from './payout.ts';
import { HOUR_MS, MINUTE_MS } from './windows.ts';

/** The card payments of a restaurant on a sales date. */
export interface PayoutSalesDateRecord extends OfRestaurant, PayoutFigures {
  /** YYYYMMDD. */
  salesDate: string;
  /** Ascending, without duplicates; empty while unknown. */
  settledDates: string[];
}

export interface PayoutSalesDateTypes extends FamilyTypes {
  ask: PayoutAsk;
  row: PayoutSalesDateRecord;
}
export type PayoutSalesDateHistoryAsk = HistoryAsk<PayoutAsk>;
/** Reports of payouts by sales date. */
export type PayoutSalesDateResource = ReportResource<PayoutSalesDateTypes>;

export const PAYOUT_SALES_DATE: Family<PayoutSalesDateTypes> = {
  path: '/payout/sales-date',
  dates: { start: 'startDate', end: 'endDate' },
  groups: false,
  read: plainRecord<PayoutSalesDateRecord>('salesDate'),
  historyRange: 'month',
  // Each endpoint is counted separately.
  limitOf: (range) => `payout sales-date ${range}`,
  knownLimits: {
    'payout sales-date day': [
      [10, MINUTE_MS],
      [60, HOUR_MS],
    ],
    'payout sales-date week': [
      [10, MINUTE_MS],
      [60, HOUR_MS],
    ],
    'payout sales-date month': [[10, HOUR_MS]],
  },
};
