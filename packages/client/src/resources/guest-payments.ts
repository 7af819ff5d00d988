/** Guest payments. */

import type { BusinessDate } from '../dates.ts';
import type { FieldsOf } from '../declaration.ts';
import { FAMILIES } from '../families.ts';
import { readRecord } from '../records.ts';
import type { ReportResource } from '../resource.ts';
import type { OfRestaurant, Restaurants } from '../types.ts';
import { type Family, type FamilyTypes, type HistoryAsk, requestsOf } from './family.ts';

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

interface GuestPaymentTypes extends FamilyTypes {
  ask: GuestPaymentAsk;
  row: GuestPaymentRecord;
}
export type GuestPaymentHistoryAsk = HistoryAsk<GuestPaymentAsk>;
/** Reports of guest payments. */
export type GuestPaymentResource = ReportResource<GuestPaymentTypes>;

const DECLARED = FAMILIES['guest-payments'];

export const GUEST_PAYMENTS: Family<GuestPaymentTypes> = {
  ...requestsOf(DECLARED),
  read: readRecord<GuestPaymentRecord>(
    DECLARED.fields satisfies FieldsOf<GuestPaymentRecord, typeof DECLARED.fields>,
    'paymentDate',
  ),
  historyRange: 'week',
};
