/** The records of the wire: CONTRACT 1.2, exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, Count, exact, Guid, Instant, Money, Nullable, Text } from './schemas.ts';

const Decimal = Type.String({ pattern: '^-?\\d+\\.\\d{2}$', examples: ['12.50'] });
const Hour = Type.String({ pattern: '^(\\d|1\\d|2[0-3])$', examples: ['17'] });
const Whole = Type.Integer({ examples: [17] });
/** The display number of an order or check as it was written. */
const Display = Text('17');
const CheckStatus = Type.Union([Type.Literal('OPEN'), Type.Literal('PAID'), Type.Literal('CLOSED')], {
  examples: ['CLOSED'],
});
const DiningOption = Text('Dine In');
const RevenueCenter = Text('Dining Room');
const OrderSource = Text('IN_STORE');
const RestaurantName = Text('Corner Bistro', {
  description: 'Only with fetchRestaurantNames=true',
});

/** A sales metrics record in the reference dialect. */
export const MetricsRecord = Type.Object(
  {
    restaurantGuid: Guid,
    businessDate: BusinessDate,
    guestCount: Count,
    voidOrdersCount: Count,
    discountOrderCount: Count,
    ordersCount: Count,
    openOrderCount: Count,
    closedOrderCount: Count,
    netSalesAmount: Money,
    grossSalesAmount: Money,
    discountAmount: Money,
    voidOrdersAmount: Money,
    refundAmount: Money,
    avgOrderValue: Money,
    revenueCenter: Nullable(RevenueCenter),
    diningOption: Nullable(DiningOption),
    orderSource: Nullable(OrderSource),
    businessHour: Nullable(Hour),
    hourlyJobTotalHours: Decimal,
    hourlyJobTotalPay: Decimal,
    hourlyJobSalesPerLaborHour: Nullable(Decimal),
    restaurantName: Type.Optional(RestaurantName),
  },
  { ...exact, title: 'MetricsRecord' },
);
export type MetricsRecord = Static<typeof MetricsRecord>;

/** A check record in the reference dialect. */
export const CheckRecord = Type.Object(
  {
    restaurantGuid: Guid,
    orderNumber: Nullable(Whole),
    orderGuid: Guid,
    checkNumber: Nullable(Whole),
    checkGuid: Guid,
    orderOpenDate: BusinessDate,
    checkPaidDateTime: Nullable(Instant),
    checkModifiedDateTime: Nullable(Instant),
    checkStatus: CheckStatus,
    checkVoidedStatus: Type.Boolean(),
    diningOption: DiningOption,
    revenueCenter: RevenueCenter,
    serverName: Nullable(Text('Ada Byron')),
    checkTotalAmount: Money,
    checkDiscountAmount: Money,
    checkTaxAmount: Money,
    checkTipAmount: Money,
    checkGratuityAmount: Money,
    checkRefundAmount: Money,
    restaurantName: Type.Optional(RestaurantName),
  },
  { ...exact, title: 'CheckRecord' },
);
export type CheckRecord = Static<typeof CheckRecord>;

/** What fields are called in the live dialect that have another name there (CONTRACT 2.7). */
export const LIVE_NAMES: Record<string, string> = {
  openOrderCount: 'openOrdersCount',
  closedOrderCount: 'closedOrdersCount',
  orderOpenDate: 'orderOpenedDate',
};

const metrics = MetricsRecord.properties;
const check = CheckRecord.properties;

/** A sales metrics record in the live dialect: fields of groupings that were not asked for are left out (CONTRACT 2.7). */
export const LiveMetricsRecord = Type.Object(
  {
    restaurantGuid: metrics.restaurantGuid,
    businessDate: metrics.businessDate,
    guestCount: metrics.guestCount,
    voidOrdersCount: metrics.voidOrdersCount,
    discountOrderCount: metrics.discountOrderCount,
    ordersCount: metrics.ordersCount,
    openOrdersCount: metrics.openOrderCount,
    closedOrdersCount: metrics.closedOrderCount,
    netSalesAmount: metrics.netSalesAmount,
    grossSalesAmount: metrics.grossSalesAmount,
    discountAmount: metrics.discountAmount,
    voidOrdersAmount: metrics.voidOrdersAmount,
    refundAmount: metrics.refundAmount,
    avgOrderValue: metrics.avgOrderValue,
    revenueCenter: Type.Optional(RevenueCenter),
    diningOption: Type.Optional(DiningOption),
    orderSource: Type.Optional(OrderSource),
    businessHour: Type.Optional(Hour),
    hourlyJobTotalHours: Type.Number({ examples: [12.5] }),
    hourlyJobTotalPay: Money,
    hourlyJobSalesPerLaborHour: Nullable(Money),
    restaurantName: metrics.restaurantName,
  },
  { ...exact, title: 'LiveMetricsRecord' },
);
export type LiveMetricsRecord = Static<typeof LiveMetricsRecord>;

/** A check record in the live dialect. */
export const LiveCheckRecord = Type.Object(
  {
    restaurantGuid: check.restaurantGuid,
    orderNumber: Nullable(Display),
    orderGuid: check.orderGuid,
    checkNumber: Nullable(Display),
    checkGuid: check.checkGuid,
    orderOpenedDate: check.orderOpenDate,
    checkPaidDateTime: check.checkPaidDateTime,
    checkModifiedDateTime: check.checkModifiedDateTime,
    checkStatus: check.checkStatus,
    checkVoidedStatus: check.checkVoidedStatus,
    diningOption: check.diningOption,
    revenueCenter: check.revenueCenter,
    serverName: check.serverName,
    checkTotalAmount: check.checkTotalAmount,
    checkDiscountAmount: check.checkDiscountAmount,
    checkTaxAmount: check.checkTaxAmount,
    checkTipAmount: check.checkTipAmount,
    checkGratuityAmount: check.checkGratuityAmount,
    checkRefundAmount: check.checkRefundAmount,
    restaurantName: check.restaurantName,
  },
  { ...exact, title: 'LiveCheckRecord' },
);
export type LiveCheckRecord = Static<typeof LiveCheckRecord>;
