/** Rows of metrics for tests: what is not named is zero. */
import type { FigureRow } from './figures.ts';

/** A row without groups. */
export const rowOf = (changes: Partial<FigureRow>): FigureRow => ({
  restaurantGuid: 'r1',
  currencyCode: 'USD',
  businessDate: '20261120',
  guestCount: 0,
  voidOrdersCount: 0,
  discountOrderCount: 0,
  ordersCount: 0,
  openOrderCount: 0,
  closedOrderCount: 0,
  netSalesAmount: 0,
  grossSalesAmount: 0,
  discountAmount: 0,
  voidOrdersAmount: 0,
  refundAmount: 0,
  businessHour: null,
  hourlyJobTotalHours: '0.00',
  hourlyJobTotalPay: '0.00',
  ...changes,
});
