/** Card payments at a terminal. */
import type { PayoutPaymentRecord } from '@daypart/client';
import type { Page } from '../report-table.ts';
import { shownDate } from '../span.ts';
import { moneyField, orDash, type RecordTable, showRecords } from './record-view.ts';
import { declaredBy, type Table } from './table.ts';

/** The names of the columns for people. */
const SORT_FIELDS: Record<string, keyof PayoutPaymentRecord> = {
  restaurant: 'restaurantName',
  date: 'paidDateTime',
  paid: 'paidDateTime',
  settled: 'settledDate',
  card: 'paymentCardBrand',
  type: 'paymentCardType',
  subtotal: 'paymentSubtotal',
  tip: 'tipAmount',
  gratuity: 'gratuityAmount',
  total: 'paymentTotal',
};

const RECORDS: RecordTable<PayoutPaymentRecord> = {
  one: 'payment',
  dateOf: ({ paidDateTime }) => paidDateTime.slice(0, 10).replaceAll('-', ''),
  fields: [
    { heading: 'Paid', importance: 75, cell: ({ paidDateTime }) => paidDateTime.slice(11, 16) },
    { heading: 'Card', importance: 60, cell: ({ paymentCardBrand }) => orDash(paymentCardBrand) },
    { heading: 'Type', importance: 30, cell: ({ paymentCardType }) => paymentCardType },
    { heading: 'Settled', importance: 65, cell: ({ settledDate }) => (settledDate ? shownDate(settledDate) : '–') },
    moneyField('Subtotal', 55, 'paymentSubtotal'),
    moneyField('Tip', 70, 'tipAmount'),
    moneyField('Gratuity', 40, 'gratuityAmount'),
    moneyField('Total', 100, 'paymentTotal'),
  ],
};

const show = (page: Page, rows: AsyncIterable<PayoutPaymentRecord>): Promise<void> => showRecords(page, rows, RECORDS);

export const PAYOUT_PAYMENTS: Table = {
  word: 'payout-payments',
  ...declaredBy('payout-payments'),
  title: 'Card payments',
  nothing: 'no card payments',
  splits: [],
  partRange: 'month',
  // The live system has payments by day only.
  onlyRange: 'day',
  sortFields: SORT_FIELDS,
  reports: (client) => client.payoutPayments,
  show,
};
