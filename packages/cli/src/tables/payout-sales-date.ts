/** Payouts by sales date at a terminal. */
import type { PayoutSalesDateRecord } from '@daypart/client';
import type { Page } from '../report-table.ts';
import { shownDate } from '../span.ts';
import { type DateField, showByDate } from './date-view.ts';
import { PAYOUT_FIGURES, PAYOUT_SORT_FIELDS } from './payout.ts';
import { declaredBy, type Table } from './table.ts';

const settled = ({ settledDates }: PayoutSalesDateRecord): string =>
  settledDates.length === 0 ? '–' : settledDates.map(shownDate).join(', ');

const COLUMNS: readonly DateField<PayoutSalesDateRecord>[] = [
  { heading: 'Settled', importance: 70, cell: settled },
  ...PAYOUT_FIGURES,
];

const show = (page: Page, rows: AsyncIterable<PayoutSalesDateRecord>): Promise<void> =>
  showByDate(page, rows, { dateOf: ({ salesDate }) => salesDate, fieldsOf: () => COLUMNS });

export const PAYOUT_SALES_DATE: Table = {
  word: 'payout-sales-date',
  ...declaredBy('payout-sales-date'),
  title: 'Payouts by sales date',
  nothing: 'no card payments',
  splits: [],
  partRange: 'month',
  sortFields: { restaurant: 'restaurantName', date: 'salesDate', settled: 'settledDates', ...PAYOUT_SORT_FIELDS },
  reports: (client) => client.payoutSalesDates,
  show,
};
