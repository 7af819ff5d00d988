/** The files of an export, and the columns that are read from each. */

import {
  readDecimal,
  readFlag,
  readId,
  readLabel,
  readMenuId,
  readNumbers,
  readText,
  readUuid,
} from './cell-values.ts';
import { type Moment, readMoment, readMomentOrDate } from './times.ts';

export interface FileColumn<T> {
  /** As in the export's field reference. */
  header: string;
  aliases: readonly string[];
  read: (text: string, timeZone: string) => T;
  /** `cell`: the column and all of its cells are required; `column`: the column is required, its cells may be empty. */
  needed: 'cell' | 'column' | 'no';
  /** The figures that are missing without the column. */
  gives: string;
  /** Whether its cells are ids of the POS, of which no digit may be lost. */
  isId: boolean;
}

const column =
  <T>(read: (text: string, timeZone: string) => T, isId = false) =>
  (
    header: string,
    needed: FileColumn<T>['needed'] = 'no',
    gives = '',
    aliases: readonly string[] = [],
  ): FileColumn<T> => ({
    header,
    aliases,
    read,
    needed,
    gives,
    isId,
  });

const id = column<string>(readId, true);
const textColumn = column<string>(readText);
const menuId = column<string | undefined>(readMenuId, true);
const label = column<string | undefined>(readLabel);
const money = column<number>(readDecimal);
const hours = column<number>(readDecimal);
const flag = column<boolean>(readFlag);
const moment = column<Moment>(readMoment);
const momentOrDate = column<Moment | number>(readMomentOrDate);
const uuid = column<string>(readUuid);
const numbers = column<string[]>(readNumbers);

export const ORDER_COLUMNS = {
  location: label('Location'),
  order: id('Order Id', 'cell'),
  number: textColumn('Order #', 'no', 'orderNumber', ['Order Number', 'Order No']),
  checks: numbers('Checks', 'no', 'checkNumber of checks that no other file names'),
  opened: moment('Opened', 'cell', '', ['Opened Date', 'Order Opened']),
  guests: money('# of Guests', 'no', 'guestCount', ['Guests', 'Number of Guests', 'Guest Count']),
  server: textColumn('Server', 'no', 'serverName'),
  revenueCenter: textColumn('Revenue Center', 'no', 'revenueCenter', ['Revenue Centre']),
  diningOption: textColumn('Dining Options', 'no', 'diningOption', ['Dining Option']),
  amount: money('Amount', 'no', 'checkTotalAmount, unless items and tax give it'),
  tax: money('Tax', 'no', 'checkTaxAmount and checkTotalAmount, unless items and CheckDetails give them'),
  tip: money('Tip', 'no', ''),
  gratuity: money('Gratuity', 'no', ''),
  voided: flag('Voided', 'column', '', ['Void', 'Void?', 'Voided?']),
  paid: moment('Paid', 'no', 'checkPaidDateTime', ['Paid Date']),
  closed: moment('Closed', 'no', 'checkStatus CLOSED, openOrderCount and closedOrderCount', ['Closed Date']),
  source: textColumn('Order Source', 'no', 'orderSource', ['Source']),
};

export const CHECK_COLUMNS = {
  location: label('Location'),
  check: id('Check Id', 'cell'),
  number: textColumn('Check #', 'no', 'checkNumber', ['Check Number', 'Check No']),
  openedDate: textColumn('Opened Date'),
  openedTime: textColumn('Opened Time'),
  server: textColumn('Server'),
  tax: money('Tax'),
  total: money('Total'),
};

export const PAYMENT_COLUMNS = {
  location: label('Location'),
  payment: id('Payment Id'),
  order: id('Order Id', 'cell'),
  check: id('Check Id', 'cell'),
  orderNumber: textColumn('Order #', 'no', '', ['Order Number', 'Order No']),
  number: textColumn('Check #', 'no', '', ['Check Number', 'Check No']),
  opened: moment('Order Date', 'no', '', ['Opened', 'Opened Date']),
  paid: moment('Paid Date', 'no', 'the time of each payment (that of the order is used)', ['Paid']),
  server: textColumn('Server'),
  diningOption: textColumn('Dining Option', 'no', '', ['Dining Options']),
  amount: money('Amount'),
  tip: money('Tip', 'no', 'checkTipAmount of orders with several checks'),
  gratuity: money('Gratuity', 'no', 'checkGratuityAmount of orders with several checks'),
  refund: money('Refund Amount', 'no', 'refundAmount (netSalesAmount is before refunds), checkRefundAmount'),
  refunded: momentOrDate('Refund Date', 'no', 'the date of refunds (that of the order is used)'),
  tipRefund: money('Refund Tip Amount', 'no', 'refunds of tips (checkTipAmount is before them)'),
  voidDate: moment('Void Date', 'no', 'whether a payment was voided, unless Status says so'),
  status: textColumn('Status', 'no', 'whether a payment was denied, or voided unless Void Date says so'),
  type: textColumn('Type'),
  brand: textColumn('Card Type'),
  fee: money('V/MC/D Fees'),
};

export const ITEM_COLUMNS = {
  location: label('Location'),
  order: id('Order Id', 'cell'),
  check: id('Check Id', 'cell'),
  orderNumber: textColumn('Order #', 'no', '', ['Order Number', 'Order No']),
  item: id('Item Selection Id', 'no', '', ['Selection Id']),
  itemId: menuId('Item Id'),
  master: menuId('Master Id'),
  name: label('Menu Item', 'no', 'names of items in menu reports'),
  group: label('Menu Group', 'no', 'menu groups in menu reports'),
  menu: label('Menu', 'no', 'menus in menu reports'),
  opened: moment('Order Date', 'no', '', ['Opened', 'Opened Date']),
  server: textColumn('Server'),
  diningOption: textColumn('Dining Option', 'no', '', ['Dining Options']),
  gross: money('Gross Price', 'cell', '', ['Gross Amount']),
  discount: money('Discnt', 'no', '', ['Discount', 'Discount Amount']),
  net: money('Net Price', 'cell', '', ['Net Amount']),
  quantity: money('Qty', 'no', '', ['Quantity']),
  tax: money('Tax', 'no', 'checkTaxAmount of checks that no other file has a tax for', ['Tax Amount']),
  voided: flag('Void?', 'column', '', ['Void', 'Voided', 'Voided?']),
  deferred: flag('Deferred', 'column', '', ['Deferred?']),
};

export const MODIFIER_COLUMNS = {
  location: label('Location'),
  order: id('Order Id', 'cell'),
  check: id('Check Id', 'cell'),
  selection: id('Item Selection Id', 'no', '', ['Selection Id']),
  parent: id('Parent Menu Selection Item ID', 'no', 'modifiers in menu reports', ['Parent Menu Selection Item Id']),
  itemId: menuId('Modifier Id'),
  master: menuId('Master Id'),
  name: label('Modifier', 'no', 'names of modifiers in menu reports'),
  gross: money('Gross Price', 'no', '', ['Gross Amount']),
  discount: money('Discnt', 'no', '', ['Discount', 'Discount Amount']),
  net: money('Net Price', 'no', '', ['Net Amount']),
  quantity: money('Qty', 'no', '', ['Quantity']),
  voided: flag('Void?', 'no', '', ['Void', 'Voided', 'Voided?']),
};

export const ENTRY_COLUMNS = {
  location: label('Location'),
  id: id('Id', 'no', '', ['Time Entry Id']),
  guid: uuid('GUID', 'no', '', ['Time Entry GUID']),
  employee: id('Employee Id'),
  employeeGuid: uuid('Employee GUID'),
  employeeName: textColumn('Employee'),
  job: id('Job Id'),
  jobGuid: uuid('Job GUID', 'no', 'which jobs are SALARY or left out of reports by the reference data'),
  jobCode: textColumn('Job Code'),
  jobTitle: textColumn('Job Title'),
  in: moment('In Date', 'cell', '', ['Clock In']),
  out: moment('Out Date', 'column', '', ['Clock Out']),
  wage: money('Wage', 'column', '', ['Hourly Wage']),
  regularHours: hours('Regular Hours', 'column'),
  overtimeHours: hours('Overtime Hours', 'column'),
  regularPay: money('Regular Pay'),
  overtimePay: money('Overtime Pay'),
};

export const FILES = {
  OrderDetails: ORDER_COLUMNS,
  CheckDetails: CHECK_COLUMNS,
  PaymentDetails: PAYMENT_COLUMNS,
  ItemSelectionDetails: ITEM_COLUMNS,
  ModifiersSelectionDetails: MODIFIER_COLUMNS,
  TimeEntries: ENTRY_COLUMNS,
} as const;

export type FileName = keyof typeof FILES;
export const FILE_NAMES = Object.keys(FILES) as FileName[];
export type Columns = Record<string, FileColumn<unknown>>;
/** One row's values by column; undefined if the column is missing, or the cell is empty or unreadable. */
export type Values<C extends Columns> = { [K in keyof C]: ReturnType<C[K]['read']> | undefined };

/** Headers are compared case-insensitively, without surrounding blanks, and with runs of blanks as one. */
export const plainHeader = (header: string): string =>
  header.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
