/** Payouts by sales date. */
import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant } from '../types.ts';
import { type Family, type FamilyTypes, type HistoryAsk, requestsOf } from './family.ts';
import type { PayoutAsk, PayoutFigures } from './payout.ts';

/** The card payments of a restaurant on a sales date. */
export interface PayoutSalesDateRecord extends OfRestaurant, PayoutFigures {
  /** YYYYMMDD. */
  salesDate: string;
  /** Ascending, without duplicates; empty while unknown. */
  settledDates: string[];
}

interface PayoutSalesDateTypes extends FamilyTypes {
  ask: PayoutAsk;
  row: PayoutSalesDateRecord;
}
export type PayoutSalesDateHistoryAsk = HistoryAsk<PayoutAsk>;
/** Reports of payouts by sales date. */
export type PayoutSalesDateResource = ReportResource<PayoutSalesDateTypes>;

const DECLARED = FAMILIES['payout-sales-date'];

export const PAYOUT_SALES_DATE: Family<PayoutSalesDateTypes> = {
  ...requestsOf(DECLARED),
  read: readRecord<PayoutSalesDateRecord>(
    DECLARED.fields satisfies FieldsOf<PayoutSalesDateRecord, typeof DECLARED.fields>,
    'salesDate',
  ),
  historyRange: 'month',
};
