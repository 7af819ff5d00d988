/** Records of either dialect as the reference dialect has them: its names, its types, its order. */
import { UnexpectedAnswerError } from './errors.ts';
import type { CheckRecord } from './resources/checks.ts';
import type { LaborRecord } from './resources/labor.ts';
import type { MenuRecord } from './resources/menu.ts';
import type { MetricsRecord } from './resources/metrics.ts';

type Raw = Record<string, unknown>;
/** Every name of a record, so that none is forgotten. */
type Row<Names> = Record<Exclude<keyof Names, 'restaurantName' | 'daypart'>, unknown>;

const DIGITS = /^\d{1,15}$/;
const LIVE_NAMES = ['openOrdersCount', 'closedOrdersCount', 'orderOpenedDate'];

const refuse = (wanted: string, value: unknown): never => {
  throw new UnexpectedAnswerError(`The answer has no ${wanted}: ${JSON.stringify(value)}`.slice(0, 300));
};

/** A date or an hour, which may have come as a number. */
const textOrNull = (value: unknown): string | null => (value == null ? null : String(value));

/** A display number where it is a whole number. */
const numberOrNull = (value: unknown): number | null => (DIGITS.test(String(value)) ? Number(value) : null);

/** Hours or pay with two decimals; a row without any has 0. */
function decimal(value: unknown): string {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number.toFixed(2) : refuse('hours or pay', value);
}

/**
 * A reader of records that are the same in both dialects: the field `date` is there, and a text whether or not it came as a
 * number. Fields that are not known are kept. It throws an UnexpectedAnswerError for what is no such record.
 */
export const plainRecord =
  <Record extends { restaurantGuid: string }>(date: keyof Record & string) =>
  (value: unknown): Record => {
    const raw = (value ?? {}) as Raw;
    if (raw[date] == null) refuse(date, value);
    return withMore({ ...raw, [date]: String(raw[date]) }, {}) as Record;
  };

/** The row with what else came: the restaurant's name where it was asked for, and fields of a later version. */
function withMore(row: Raw, raw: Raw): unknown {
  // A name that every object has, such as __proto__, is in the row as well: it stays out.
  for (const name in raw) if (!(name in row) && !LIVE_NAMES.includes(name)) row[name] = raw[name];
  return row;
}

/**
 * A metrics record in the reference shape: groups that were not asked for are null, hours and pay are strings of two decimals.
 * Fields that are not known are kept at the end. Throws an UnexpectedAnswerError for what is no metrics record.
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
 * A check record in the reference shape: display numbers are numbers, or null where they are not whole. Fields that are not
 * known are kept at the end. Throws an UnexpectedAnswerError for what is no check record.
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
 * A labor record in the reference order. Fields that are not known are kept at the end. Throws an UnexpectedAnswerError for what is
 * no labor record.
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
 * A menu record in the reference shape: the names and GUIDs of what it is not split by are null. Fields that are not known are kept at
 * the end. Throws an UnexpectedAnswerError for what is no menu record.
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
