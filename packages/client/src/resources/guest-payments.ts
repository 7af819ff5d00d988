/** Guest payments. */

import type { BusinessDate } from '../dates.ts';
import { DAY_MS } from '../dates.ts';
import { plainRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant, Restaurants } from '../types.ts';
import type { Family, FamilyTypes, HistoryAsk } from './family.ts';
import { MINUTE_MS } from './windows.ts';

export interface GuestPaymentAsk extends Restaurants {
  range: 'day' | 'week';
  start: BusinessDate;
  end?: BusinessDate | undefined;
  /** It has no groups. */
  groupBy?: undefined;
}

/** A card payment of a guest. It contains no name, mail address, phone number or card number. */
export interface GuestPaymentRecord extends OfRestaurant {
  /** YYYYMMDD. */
  paymentDate: string;
  orderGuid: string;
  paymentGuid: string;
  /** A UUID that is the same for a card in all restaurants of a management group; null if it is unknown. */
  cardFingerprint: string | null;
}

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
  // Each endpoint is counted separately.
  limitOf: (range) => `guest payments ${range}`,
  knownLimits: { 'guest payments day': LIMIT, 'guest payments week': LIMIT },
};
