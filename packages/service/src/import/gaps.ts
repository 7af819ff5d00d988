/** The figures that an export, with the files and columns that it has, does not contain. */
import { FILE_NAMES, FILES, type FileName } from './file-columns.ts';

export interface Gap {
  figure: string;
  why: string;
}

/** Figures that no export contains, because no file has such a column. */
export const NEVER: readonly Gap[] = [
  { figure: 'checkModifiedDateTime', why: 'an export has no modification time of checks' },
  {
    figure: 'service charges other than gratuities, in gross and net sales',
    why: 'an export has no lines for them',
  },
  { figure: 'checkStatus of one check of several', why: 'an export has the status of the whole order' },
  {
    figure: 'checkVoidedStatus of a check whose order is not voided',
    why: 'an export has voided items and orders only',
  },
  { figure: 'refunds of single items', why: 'an export has refunds of payments, which hold tax too' },
  {
    figure: 'refundAmount, wasteCount and wasteAmount of menu reports',
    why: 'an export has neither refunds nor waste of items',
  },
  {
    figure: 'the GUIDs that the POS has for items, modifiers, groups and menus',
    why: 'an export has ids and names of sold items only: GUIDs are made from them',
  },
  { figure: 'waste orders, which should not be counted', why: 'an export shows them as orders discounted to 0' },
];

const MISSING_FILE: Record<FileName, string> = {
  OrderDetails:
    'guestCount, orderSource, revenueCenter, voided orders, checkStatus (all are OPEN), openOrderCount, closedOrderCount, checkPaidDateTime',
  CheckDetails: 'checkTaxAmount and checkTotalAmount of orders with several checks, unless their items give them',
  PaymentDetails: 'refundAmount and checkRefundAmount; tip and gratuity of orders with several checks',
  ItemSelectionDetails:
    'grossSalesAmount, netSalesAmount, avgOrderValue, hourlyJobSalesPerLaborHour, discounts, refunds, voided items (all are 0), menu reports',
  ModifiersSelectionDetails: 'modifiers in menu reports',
  TimeEntries: 'hourlyJobTotalHours, hourlyJobTotalPay, hourlyJobSalesPerLaborHour',
};

/** `tables`: the files that could be read, with the columns that they have. */
export function gapsOf(tables: Partial<Record<FileName, { has: ReadonlySet<string> }>>): Gap[] {
  const gaps: Gap[] = [];
  for (const file of FILE_NAMES) {
    const table = tables[file];
    if (!table) {
      gaps.push({ figure: MISSING_FILE[file], why: `${file}.csv is missing` });
      continue;
    }
    for (const [key, { header, gives }] of Object.entries(FILES[file])) {
      if (gives !== '' && !table.has.has(key)) gaps.push({ figure: gives, why: `${file}.csv has no column ${header}` });
    }
  }
  if (!tables.OrderDetails && !tables.ItemSelectionDetails) {
    gaps.push({
      figure: 'checkTaxAmount and checkTotalAmount, beyond tips and gratuities',
      why: 'OrderDetails.csv and ItemSelectionDetails.csv are both missing',
    });
  }
  return gaps;
}
