/** The sales metrics record (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, Count, exact, Guid, Money, Nullable, Text } from '../../contract/schemas.ts';
import { DecimalText, DiningOption, RestaurantName, RevenueCenter } from '../fields.ts';

const Hour = Type.String({ pattern: '^(\\d|1\\d|2[0-3])$', examples: ['17'] });
const DaypartName = Text('Dinner', { description: 'Only with aggregateBy=DAYPART' });
const OrderSource = Text('IN_STORE');

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
    daypart: Type.Optional(DaypartName),
    hourlyJobTotalHours: DecimalText,
    hourlyJobTotalPay: DecimalText,
    hourlyJobSalesPerLaborHour: Nullable(DecimalText),
    restaurantName: Type.Optional(RestaurantName),
  },
  { ...exact, title: 'MetricsRecord' },
);
export type MetricsRecord = Static<typeof MetricsRecord>;

const metrics = MetricsRecord.properties;

/** A sales metrics record in the live dialect: fields of groupings that were not requested are omitted. */
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
    daypart: metrics.daypart,
    hourlyJobTotalHours: Type.Number({ examples: [12.5] }),
    hourlyJobTotalPay: Money,
    hourlyJobSalesPerLaborHour: Nullable(Money),
    restaurantName: metrics.restaurantName,
  },
  { ...exact, title: 'LiveMetricsRecord' },
);
export type LiveMetricsRecord = Static<typeof LiveMetricsRecord>;
