/** Payouts by sales date at a terminal. */
import type { PayoutSalesDateRecord } from '@daypart/client';
import type { Page } from '../report-table.ts';
import { shownDate } from '../span.ts';
import { type DateField, showByDate } from './date-sheet.ts';
import { PAYOUT_FIGURES, PAYOUT_SORT_FIELDS } from './payout.ts';
import type { Table } from './table.ts';

/** Keyed by the fields of the row, so that a missing one does not compile. */
const FIELDS: Record<keyof PayoutSalesDateRecord, true> = {
  ...{ restaurantGuid: true, restaurantName: true, restaurantLocationName: true, restaurantLocationCode: true },
  ...{ salesDate: true, settledDates: true, transactionCount: true },
  ...{ paymentAmount: true, refundAmount: true, totalFeeAmount: true, withholdingAmount: true, payoutAmount: true },
};

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
  kind: 'payout-sales-date',
  title: 'Payouts by sales date',
  nothing: 'no card payments',
  splits: [],
  ranges: ['day', 'week', 'month'],
  partRange: 'month',
  fields: Object.keys(FIELDS),
  alwaysNamed: true,
  sortFields: { restaurant: 'restaurantName', date: 'salesDate', settled: 'settledDates', ...PAYOUT_SORT_FIELDS },
  reports: (client) => client.payoutSalesDates,
  show,
};
