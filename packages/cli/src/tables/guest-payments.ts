/** Guest payments at a terminal. */
import type { GuestPaymentRecord } from '@daypart/client';
import type { Page } from '../report-table.ts';
import { orDash, type RecordTable, showRecords } from './record-sheet.ts';
import type { Table } from './table.ts';

/** Keyed by the fields of the row, so that a missing one does not compile. */
const FIELDS: Record<keyof GuestPaymentRecord, true> = {
  ...{ restaurantGuid: true, restaurantName: true, restaurantLocationName: true, restaurantLocationCode: true },
  ...{ paymentDate: true, orderGuid: true, paymentGuid: true, cardFingerprint: true },
};

const RECORDS: RecordTable<GuestPaymentRecord> = {
  one: 'payment',
  dateOf: ({ paymentDate }) => paymentDate,
  fields: [
    { heading: 'Payment', importance: 70, cell: ({ paymentGuid }) => paymentGuid },
    { heading: 'Order', importance: 60, cell: ({ orderGuid }) => orderGuid },
    { heading: 'Card', importance: 65, cell: ({ cardFingerprint }) => orDash(cardFingerprint) },
  ],
  remark: { word: 'with a fingerprint', of: ({ cardFingerprint }) => cardFingerprint !== null },
};

const show = (page: Page, rows: AsyncIterable<GuestPaymentRecord>): Promise<void> => showRecords(page, rows, RECORDS);

export const GUEST_PAYMENTS: Table = {
  word: 'guest-payments',
  kind: 'guest-payments',
  title: 'Guest payments',
  nothing: 'no card payments',
  splits: [],
  ranges: ['day', 'week'],
  partRange: 'week',
  fields: Object.keys(FIELDS),
  alwaysNamed: true,
  sortFields: {
    ...{ restaurant: 'restaurantName', date: 'paymentDate', payment: 'paymentGuid', order: 'orderGuid' },
    card: 'cardFingerprint',
  },
  reports: (client) => client.guestPayments,
  show,
};
