/** Guest payments. */
import { plainRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { GuestPaymentAsk, GuestPaymentRecord } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { DAY_MS, MINUTE_MS } from './windows.ts';

export interface GuestPaymentTypes extends FamilyTypes {
  ask: GuestPaymentAsk;
  row: GuestPaymentRecord;
}
export type GuestPaymentHistoryAsk = HistoryAsk<GuestPaymentAsk>;
/** Reports of guest payments. */
export type GuestPaymentResource = ReportResource<GuestPaymentTypes>;

const LIMIT = [
  [5, MINUTE_MS],
  [60, DAY_MS],
] as const;

export const GUEST_PAYMENTS: Family<GuestPaymentTypes> = {
  path: '/guest/payments',
  dates: { start: 'startDate', end: 'endDate' },
  groups: false,
  read: plainRecord<GuestPaymentRecord>('paymentDate'),
  historyRange: 'week',
  // Each endpoint is counted on its own.
  limitOf: (range) => `guest payments ${range}`,
  knownLimits: { 'guest payments day': LIMIT, 'guest payments week': LIMIT },
};
