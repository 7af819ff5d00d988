/** Payouts by settled date. */
import { plainRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { PayoutAsk, PayoutRecord } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { HOUR_MS, MINUTE_MS } from './windows.ts';

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
  // Each endpoint is counted on its own.
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
