/** Card payments with their payouts. */
import { plainRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { PayoutAsk, PayoutPaymentRecord } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { DAY_MS, MINUTE_MS } from './windows.ts';

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
    // The live system may have it as a number.
    return { ...row, settledDate: row.settledDate === null ? null : String(row.settledDate) };
  },
  // The live system has day alone.
  historyRange: 'day',
  // Each endpoint is counted on its own.
  limitOf: (range) => `payout payments ${range}`,
  knownLimits: { 'payout payments day': LIMIT, 'payout payments week': LIMIT, 'payout payments month': LIMIT },
};
