/** The columns of a rendered form, as expressions over the snapshot: CONTRACT 1.2 and 2.7. */
import { CheckRecord, MetricsRecord } from '../contract/records.ts';
import type { Form } from './facts.ts';

/** The fields of a record in their order; the restaurant's name is last, and only there when asked for. */
const fieldsOf = (record: { properties: object }): string[] =>
  Object.keys(record.properties).filter((field) => field !== 'restaurantName');
const METRICS = fieldsOf(MetricsRecord);
const CHECK = fieldsOf(CheckRecord);

const text = (column: string): string => `cast("${column}" as varchar)`;
const money = (column: string): string => `money("${column}")`;
const instant = (column: string): string => `strftime(make_timestamp("${column}" * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')`;
const decimalText = (column: string): string => `cast(money("${column}") as varchar)`;

type Writer = (column: string) => string;

/** How a stored value is written; the others are written as they are stored. */
const WRITERS: Record<string, Writer> = {
  businessDate: text,
  businessHour: text,
  netSalesAmount: money,
  grossSalesAmount: money,
  discountAmount: money,
  voidOrdersAmount: money,
  refundAmount: money,
  avgOrderValue: money,
  hourlyJobTotalHours: decimalText,
  hourlyJobTotalPay: decimalText,
  hourlyJobSalesPerLaborHour: decimalText,
  orderOpenDate: text,
  checkPaidDateTime: instant,
  checkModifiedDateTime: instant,
  checkTotalAmount: money,
  checkDiscountAmount: money,
  checkTaxAmount: money,
  checkTipAmount: money,
  checkGratuityAmount: money,
  checkRefundAmount: money,
};
/** What the `live` dialect writes differently: CONTRACT 2.7. */
const LIVE_WRITERS: Record<string, Writer> = {
  hourlyJobTotalHours: money,
  hourlyJobTotalPay: money,
  hourlyJobSalesPerLaborHour: money,
  orderNumber: text,
  checkNumber: text,
};
const LIVE_NAMES: Record<string, string> = {
  openOrderCount: 'openOrdersCount',
  closedOrderCount: 'closedOrdersCount',
  orderOpenDate: 'orderOpenedDate',
};

/** SQL expressions in the order of the record. All are constants of this file. */
export function columnsOf(form: Form): string[] {
  const fields = form.kind === 'metrics' ? METRICS : CHECK;
  const left =
    form.kind === 'metrics' && form.dialect === 'live' ? fields.filter((field) => asked(form, field)) : fields;
  return [...left, ...(form.names ? ['restaurantName'] : [])].map((field) => {
    const live = form.dialect === 'live';
    const write = (live ? LIVE_WRITERS[field] : undefined) ?? WRITERS[field];
    const name = live ? (LIVE_NAMES[field] ?? field) : field;
    return `${write ? write(field) : `"${field}"`} as "${name}"`;
  });
}

/** Whether a field of a grouping was asked for; every other field is. */
function asked(form: Form, field: string): boolean {
  switch (field) {
    case 'revenueCenter':
      return form.groups.includes('REVENUE_CENTER');
    case 'diningOption':
      return form.groups.includes('DINING_OPTION');
    case 'orderSource':
      return form.groups.includes('ORDER_SOURCE');
    case 'businessHour':
      return form.aggregate === 'HOUR';
    default:
      return true;
  }
}
