/** The fields of the records, in the order in which CSV has them (docs/contract.md#records). */
import type { CheckRow, MetricsRow } from './source.ts';

/** Keyed by the fields of the row, so that a missing one does not compile. */
export const METRICS_FIELDS: Record<keyof MetricsRow, 'count' | 'amount' | 'other'> = {
  ...{ restaurantGuid: 'other', businessDate: 'other' },
  ...{ guestCount: 'count', voidOrdersCount: 'count', discountOrderCount: 'count' },
  ...{ ordersCount: 'count', openOrderCount: 'count', closedOrderCount: 'count' },
  ...{ netSalesAmount: 'amount', grossSalesAmount: 'amount', discountAmount: 'amount', voidOrdersAmount: 'amount' },
  ...{ refundAmount: 'amount', avgOrderValue: 'other' },
  ...{ revenueCenter: 'other', diningOption: 'other', orderSource: 'other', businessHour: 'other' },
  ...{ hourlyJobTotalHours: 'other', hourlyJobTotalPay: 'other', hourlyJobSalesPerLaborHour: 'other' },
  restaurantName: 'other',
};

export const CHECK_FIELDS: Record<keyof CheckRow, true> = {
  ...{ restaurantGuid: true, orderNumber: true, orderGuid: true, checkNumber: true, checkGuid: true },
  ...{ orderOpenDate: true, checkPaidDateTime: true, checkModifiedDateTime: true },
  ...{ checkStatus: true, checkVoidedStatus: true },
  ...{ diningOption: true, revenueCenter: true, serverName: true },
  ...{ checkTotalAmount: true, checkDiscountAmount: true, checkTaxAmount: true },
  ...{ checkTipAmount: true, checkGratuityAmount: true, checkRefundAmount: true },
  restaurantName: true,
};
