/** Payouts by settled date at a terminal. */
import type { PayoutRecord } from '@daypart/client';
import type { Page } from '../report-table.ts';
import { amountField, countField, type DateField, showByDate } from './date-view.ts';
import { declaredBy, type Table } from './table.ts';

/** The columns that payouts by settled date and by sales date have. */
export const PAYOUT_FIGURES = [
  countField('Payments', 60, 'transactionCount'),
  amountField('Paid', 80, 'paymentAmount'),
  amountField('Refunded', 55, 'refundAmount'),
  amountField('Fees', 65, 'totalFeeAmount'),
  amountField('Withheld', 50, 'withholdingAmount'),
  amountField('Payout', 100, 'payoutAmount'),
];
/** What people call the columns of amounts. */
export const PAYOUT_SORT_FIELDS = {
  payments: 'transactionCount',
  paid: 'paymentAmount',
  refunded: 'refundAmount',
  fees: 'totalFeeAmount',
  withheld: 'withholdingAmount',
  payout: 'payoutAmount',
};

const period = ({ salesPeriodStartDateTime: start, salesPeriodEndDateTime: end }: PayoutRecord): string =>
  start === null || end === null
    ? '–'
    : `${start.slice(0, 16)} to ${end.slice(start.slice(0, 10) === end.slice(0, 10) ? 11 : 0, 16)}`;

const COLUMNS: readonly DateField<PayoutRecord>[] = [
  { heading: 'Sales period', importance: 30, cell: period },
  { heading: 'Status', importance: 70, cell: ({ payoutStatus }) => payoutStatus },
  ...PAYOUT_FIGURES,
];

const show = (page: Page, rows: AsyncIterable<PayoutRecord>): Promise<void> =>
  showByDate(page, rows, { dateOf: ({ settledDate }) => settledDate, fieldsOf: () => COLUMNS });

export const PAYOUT: Table = {
  word: 'payout',
  ...declaredBy('payout'),
  title: 'Payouts by settled date',
  nothing: 'no settlements were loaded',
  splits: [],
  partRange: 'month',
  sortFields: {
    restaurant: 'restaurantName',
    date: 'settledDate',
    'sales-period': 'salesPeriodStartDateTime',
    status: 'payoutStatus',
    ...PAYOUT_SORT_FIELDS,
  },
  reports: (client) => client.payout,
  show,
};
