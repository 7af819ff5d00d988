/** The records of the wire: CONTRACT 1.2, exact names, types and order. */
import Type, { type Static, type TSchema } from 'typebox';

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Guid = Type.String({ format: 'uuid' });
const BusinessDate = Type.String({ pattern: '^\\d{8}$', description: 'Local business date, YYYYMMDD' });
const Count = Type.Integer({ minimum: 0 });
const Money = Type.Number({ description: 'Currency units, at most 2 decimals, exact to the cent' });
const Decimal = Type.String({ pattern: '^-?\\d+\\.\\d{2}$' });
const Instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });
const exact = { additionalProperties: false };

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
    revenueCenter: Nullable(Type.String()),
    diningOption: Nullable(Type.String()),
    orderSource: Nullable(Type.String()),
    businessHour: Nullable(Type.String({ pattern: '^(\\d|1\\d|2[0-3])$' })),
    hourlyJobTotalHours: Decimal,
    hourlyJobTotalPay: Decimal,
    hourlyJobSalesPerLaborHour: Nullable(Decimal),
    restaurantName: Type.Optional(Type.String()),
  },
  exact,
);
export type MetricsRecord = Static<typeof MetricsRecord>;

/** A check record in the reference dialect. */
export const CheckRecord = Type.Object(
  {
    restaurantGuid: Guid,
    orderNumber: Nullable(Type.Integer()),
    orderGuid: Guid,
    checkNumber: Nullable(Type.Integer()),
    checkGuid: Guid,
    orderOpenDate: BusinessDate,
    checkPaidDateTime: Nullable(Instant),
    checkModifiedDateTime: Nullable(Instant),
    checkStatus: Type.Union([Type.Literal('OPEN'), Type.Literal('PAID'), Type.Literal('CLOSED')]),
    checkVoidedStatus: Type.Boolean(),
    diningOption: Type.String(),
    revenueCenter: Type.String(),
    serverName: Nullable(Type.String()),
    checkTotalAmount: Money,
    checkDiscountAmount: Money,
    checkTaxAmount: Money,
    checkTipAmount: Money,
    checkGratuityAmount: Money,
    checkRefundAmount: Money,
    restaurantName: Type.Optional(Type.String()),
  },
  exact,
);
export type CheckRecord = Static<typeof CheckRecord>;
