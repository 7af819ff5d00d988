/** Checks at a terminal. */
import type { CheckFigures } from '@daypart/client';
import type { Page } from '../report-table.ts';
import { moneyField, orDash, type RecordTable, showRecords } from './record-view.ts';
import { declaredBy, type Table } from './table.ts';

export type CheckRow = CheckFigures & { restaurantName?: string | undefined };

/** The names of the columns for people. */
const SORT_FIELDS: Record<string, keyof CheckRow> = {
  restaurant: 'restaurantName',
  date: 'orderOpenDate',
  order: 'orderNumber',
  check: 'checkNumber',
  status: 'checkStatus',
  paid: 'checkPaidDateTime',
  server: 'serverName',
  'dining-option': 'diningOption',
  'revenue-center': 'revenueCenter',
  total: 'checkTotalAmount',
  discount: 'checkDiscountAmount',
  tax: 'checkTaxAmount',
  tip: 'checkTipAmount',
  gratuity: 'checkGratuityAmount',
  refund: 'checkRefundAmount',
};

const RECORDS: RecordTable<CheckRow> = {
  one: 'check',
  dateOf: (row) => row.orderOpenDate,
  fields: [
    { heading: 'Order', number: true, importance: 20, cell: (row) => orDash(row.orderNumber) },
    { heading: 'Check', number: true, importance: 90, cell: (row) => orDash(row.checkNumber) },
    { heading: 'Status', importance: 75, cell: (row) => (row.checkVoidedStatus ? 'VOID' : orDash(row.checkStatus)) },
    {
      heading: 'Paid (UTC)',
      importance: 25,
      cell: (row) => orDash(row.checkPaidDateTime).slice(0, 16).replace('T', ' '),
    },
    { heading: 'Dining option', importance: 50, cell: (row) => orDash(row.diningOption) },
    { heading: 'Revenue center', importance: 40, cell: (row) => orDash(row.revenueCenter) },
    { heading: 'Server', importance: 45, cell: (row) => orDash(row.serverName) },
    moneyField('Total', 100, 'checkTotalAmount'),
    moneyField('Discount', 60, 'checkDiscountAmount'),
    moneyField('Tax', 65, 'checkTaxAmount'),
    moneyField('Tip', 70, 'checkTipAmount'),
    moneyField('Gratuity', 30, 'checkGratuityAmount'),
    moneyField('Refund', 55, 'checkRefundAmount'),
  ],
  remark: { word: 'voided', of: (row) => row.checkVoidedStatus },
};

/** Checks are as many as there were guests. */
const show = (page: Page, rows: AsyncIterable<CheckRow>): Promise<void> => showRecords(page, rows, RECORDS);

export const CHECKS: Table = {
  word: 'checks',
  ...declaredBy('check'),
  title: 'Checks',
  nothing: 'no checks',
  splits: [],
  partRange: 'month',
  // The live system has checks by day only.
  onlyRange: 'day',
  sortFields: SORT_FIELDS,
  reports: (client) => client.checks,
  show,
};
