/** Guest payments at a terminal. */
import type { GuestPaymentRecord } from '@daypart/client';
import type { Page } from '../report-table.ts';
import { orDash, type RecordTable, showRecords } from './record-view.ts';
import { declaredBy, type Table } from './table.ts';

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
  ...declaredBy('guest-payments'),
  title: 'Guest payments',
  nothing: 'no card payments',
  splits: [],
  partRange: 'week',
  sortFields: {
    restaurant: 'restaurantName',
    date: 'paymentDate',
    payment: 'paymentGuid',
    order: 'orderGuid',
    card: 'cardFingerprint',
  },
  reports: (client) => client.guestPayments,
  show,
};
