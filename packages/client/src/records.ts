/** Converts records of either dialect to the reference dialect: its names, types and order. */
import { UnexpectedAnswerError } from './errors.ts';
import type { CheckRecord } from './resources/checks.ts';
import type { LaborRecord } from './resources/labor.ts';
import type { MenuRecord } from './resources/menu.ts';
import type { MetricsRecord } from './resources/metrics.ts';

type Raw = Record<string, unknown>;
/** A type that requires every name of a record. */
type Row<Names> = Record<Exclude<keyof Names, 'restaurantName' | 'daypart'>, unknown>;

const DIGITS = /^\d{1,15}$/;
const LIVE_NAMES = ['openOrdersCount', 'closedOrdersCount', 'orderOpenedDate'];

const refuse = (wanted: string, value: unknown): never => {
  throw new UnexpectedAnswerError(`The answer has no ${wanted}: ${JSON.stringify(value)}`.slice(0, 300));
};

/** A date or an hour, which may be a number in the answer. */
const textOrNull = (value: unknown): string | null => (value == null ? null : String(value));

/** A display number if it is an integer, otherwise null. */
const numberOrNull = (value: unknown): number | null => (DIGITS.test(String(value)) ? Number(value) : null);

/** Hours or pay with two decimals; 0 if missing. */
function decimal(value: unknown): string {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number.toFixed(2) : refuse('hours or pay', value);
}

/**
 * A reader of records that are the same in both dialects: the field `date` must be present and becomes text if it is a
 * number. Unknown fields are kept. It throws UnexpectedAnswerError for anything that is not such a record.
 */
export const plainRecord =
  <Record extends { restaurantGuid: string }>(date: keyof Record & string) =>
  (value: unknown): Record => {
    const raw = (value ?? {}) as Raw;
    if (raw[date] == null) refuse(date, value);
    return withMore({ ...raw, [date]: String(raw[date]) }, {}) as Record;
  };

/** The row with further fields: the restaurant's name if it was requested, and fields of later versions. */
function withMore(row: Raw, raw: Raw): unknown {
  // Names that every object has, such as __proto__, count as present in the row and are dropped.
  for (const name in raw) if (!(name in row) && !LIVE_NAMES.includes(name)) row[name] = raw[name];
  return row;
}

/**
 * A metrics record in the reference dialect: groups that were not requested are null, hours and pay are strings with two decimals.
 * Unknown fields are kept at the end. Throws UnexpectedAnswerError for anything that is not a metrics record.
 */
export function metricsRecord(value: unknown): MetricsRecord {
  const raw = (value ?? {}) as Raw;
  if (raw.businessDate == null) refuse('businessDate', value);
  const row: Row<MetricsRecord> = {
    restaurantGuid: raw.restaurantGuid,
    businessDate: String(raw.businessDate),
    guestCount: raw.guestCount,
    voidOrdersCount: raw.voidOrdersCount,
    discountOrderCount: raw.discountOrderCount,
    ordersCount: raw.ordersCount,
    openOrderCount: raw.openOrderCount ?? raw.openOrdersCount,
    closedOrderCount: raw.closedOrderCount ?? raw.closedOrdersCount,
    netSalesAmount: raw.netSalesAmount,
    grossSalesAmount: raw.grossSalesAmount,
    discountAmount: raw.discountAmount,
    voidOrdersAmount: raw.voidOrdersAmount,
    refundAmount: raw.refundAmount,
    avgOrderValue: raw.avgOrderValue,
    revenueCenter: raw.revenueCenter ?? null,
    diningOption: raw.diningOption ?? null,
    orderSource: raw.orderSource ?? null,
    businessHour: textOrNull(raw.businessHour),
    ...(raw.daypart == null ? {} : { daypart: raw.daypart }),
    hourlyJobTotalHours: decimal(raw.hourlyJobTotalHours),
    hourlyJobTotalPay: decimal(raw.hourlyJobTotalPay),
    hourlyJobSalesPerLaborHour: raw.hourlyJobSalesPerLaborHour == null ? null : decimal(raw.hourlyJobSalesPerLaborHour),
  };
  return withMore(row, raw) as MetricsRecord;
}

/**
 * A check record in the reference dialect: display numbers are numbers, or null if they are not integers. Unknown fields
 * are kept at the end. Throws UnexpectedAnswerError for anything that is not a check record.
 */
export function checkRecord(value: unknown): CheckRecord {
  const raw = (value ?? {}) as Raw;
  if (raw.checkGuid == null) refuse('checkGuid', value);
  const row: Row<CheckRecord> = {
    restaurantGuid: raw.restaurantGuid,
    orderNumber: numberOrNull(raw.orderNumber),
    orderGuid: raw.orderGuid,
    checkNumber: numberOrNull(raw.checkNumber),
    checkGuid: raw.checkGuid,
    orderOpenDate: textOrNull(raw.orderOpenDate ?? raw.orderOpenedDate),
    checkPaidDateTime: raw.checkPaidDateTime ?? null,
    checkModifiedDateTime: raw.checkModifiedDateTime ?? null,
    checkStatus: raw.checkStatus,
    checkVoidedStatus: raw.checkVoidedStatus,
    diningOption: raw.diningOption,
    revenueCenter: raw.revenueCenter,
    serverName: raw.serverName ?? null,
    checkTotalAmount: raw.checkTotalAmount,
    checkDiscountAmount: raw.checkDiscountAmount,
    checkTaxAmount: raw.checkTaxAmount,
    checkTipAmount: raw.checkTipAmount,
    checkGratuityAmount: raw.checkGratuityAmount,
    checkRefundAmount: raw.checkRefundAmount,
  };
  return withMore(row, raw) as CheckRecord;
}

/**
 * A labor record with its fields in the reference order. Unknown fields are kept at the end. Throws UnexpectedAnswerError for
 * anything that is not a labor record.
 */
export function laborRecord(value: unknown): LaborRecord {
  const raw = (value ?? {}) as Raw;
  if (raw.businessDate == null || raw.regularHours == null) refuse('hours of a businessDate', value);
  const row: Row<LaborRecord> & { restaurantName: unknown } = {
    businessDate: String(raw.businessDate),
    restaurantGuid: raw.restaurantGuid,
    restaurantName: raw.restaurantName,
    restaurantLocationName: raw.restaurantLocationName ?? null,
    restaurantLocationCode: raw.restaurantLocationCode ?? '',
    regularHours: raw.regularHours,
    overtimeHours: raw.overtimeHours,
    totalHours: raw.totalHours,
    regularCost: raw.regularCost,
    overtimeCost: raw.overtimeCost,
    totalCost: raw.totalCost,
    netSalesAmount: raw.netSalesAmount ?? null,
    grossSalesAmount: raw.grossSalesAmount ?? null,
    netSalesPerEmployeeHour: raw.netSalesPerEmployeeHour ?? null,
    grossSalesPerEmployeeHour: raw.grossSalesPerEmployeeHour ?? null,
    totalCostPerNetSales: raw.totalCostPerNetSales ?? null,
    totalCostPerGrossSales: raw.totalCostPerGrossSales ?? null,
    jobGuid: raw.jobGuid ?? null,
    jobTitle: raw.jobTitle ?? null,
    jobCode: raw.jobCode ?? null,
    employeeGuid: raw.employeeGuid ?? null,
    employeeFirstName: raw.employeeFirstName ?? null,
    employeeLastName: raw.employeeLastName ?? null,
    employeeChosenName: raw.employeeChosenName ?? null,
  };
  return withMore(row, raw) as LaborRecord;
}

/**
 * A menu record in the reference dialect: names and GUIDs by which it is not split are null. Unknown fields are kept at
 * the end. Throws UnexpectedAnswerError for anything that is not a menu record.
 */
export function menuRecord(value: unknown): MenuRecord {
  const raw = (value ?? {}) as Raw;
  if (raw.businessDate == null || raw.quantitySold == null) refuse('quantity of a businessDate', value);
  const row: Row<MenuRecord> & { restaurantName: unknown } = {
    businessDate: String(raw.businessDate),
    restaurantGuid: raw.restaurantGuid,
    restaurantName: raw.restaurantName,
    restaurantLocationName: raw.restaurantLocationName ?? null,
    restaurantLocationCode: raw.restaurantLocationCode ?? '',
    netSalesAmount: raw.netSalesAmount,
    grossSalesAmount: raw.grossSalesAmount,
    discountAmount: raw.discountAmount,
    refundAmount: raw.refundAmount,
    voidAmount: raw.voidAmount,
    quantitySold: raw.quantitySold,
    averagePrice: raw.averagePrice,
    wasteCount: raw.wasteCount,
    wasteAmount: raw.wasteAmount,
    menuGuid: raw.menuGuid ?? null,
    menuName: raw.menuName ?? null,
    menuGroupGuid: raw.menuGroupGuid ?? null,
    menuGroupName: raw.menuGroupName ?? null,
    menuItemGuid: raw.menuItemGuid ?? null,
    menuItemName: raw.menuItemName ?? null,
    modifierGuid: raw.modifierGuid ?? null,
    modifierName: raw.modifierName ?? null,
  };
  return withMore(row, raw) as MenuRecord;
}
