/** The columns of a rendered form, as expressions over the snapshot: CONTRACT 1.2 and 2.7. */
import type { Form } from './facts.ts';

const METRICS = [
  'restaurantGuid',
  'businessDate',
  'guestCount',
  'voidOrdersCount',
  'discountOrderCount',
  'ordersCount',
  'openOrderCount',
  'closedOrderCount',
  'netSalesAmount',
  'grossSalesAmount',
  'discountAmount',
  'voidOrdersAmount',
  'refundAmount',
  'avgOrderValue',
  'revenueCenter',
  'diningOption',
  'orderSource',
  'businessHour',
  'hourlyJobTotalHours',
  'hourlyJobTotalPay',
  'hourlyJobSalesPerLaborHour',
];
const CHECK = [
  'restaurantGuid',
  'orderNumber',
  'orderGuid',
  'checkNumber',
  'checkGuid',
  'orderOpenDate',
  'checkPaidDateTime',
  'checkModifiedDateTime',
  'checkStatus',
  'checkVoidedStatus',
  'diningOption',
  'revenueCenter',
  'serverName',
  'checkTotalAmount',
  'checkDiscountAmount',
  'checkTaxAmount',
  'checkTipAmount',
  'checkGratuityAmount',
  'checkRefundAmount',
];

const asText = (column: string): string => `cast("${column}" as varchar) as "${column}"`;

/** Decimals of the snapshot are texts on the reference wire. */
const REFERENCE: Record<string, string> = {
  hourlyJobTotalHours: asText('hourlyJobTotalHours'),
  hourlyJobTotalPay: asText('hourlyJobTotalPay'),
  hourlyJobSalesPerLaborHour: asText('hourlyJobSalesPerLaborHour'),
};
const LIVE: Record<string, string> = {
  openOrderCount: '"openOrderCount" as "openOrdersCount"',
  closedOrderCount: '"closedOrderCount" as "closedOrdersCount"',
  orderOpenDate: '"orderOpenDate" as "orderOpenedDate"',
  orderNumber: asText('orderNumber'),
  checkNumber: asText('checkNumber'),
};

/** SQL expressions in the order of the record. All are constants of this file. */
export function columnsOf(form: Form): string[] {
  const fields = form.kind === 'metrics' ? METRICS : CHECK;
  const left =
    form.kind === 'metrics' && form.dialect === 'live' ? fields.filter((field) => asked(form, field)) : fields;
  const written = form.dialect === 'live' ? LIVE : REFERENCE;
  return [...left, ...(form.names ? ['restaurantName'] : [])].map((field) => written[field] ?? `"${field}"`);
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
