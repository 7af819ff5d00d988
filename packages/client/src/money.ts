/** Money as whole cents: amounts of the wire are read exactly, and added up as integers. */
import type { MetricsFigures } from './types.ts';

/** Below it doubles are less than a cent apart, so that each amount has a double of its own. */
const DISTINCT_BELOW = 2 ** 46;
const TEXT = /^(-?)(\d+)(?:\.(\d\d?))?$/;

/**
 * An amount in currency units as cents, exactly: `12.5`, `"12.50"`, `"-1234.5"`. Throws a TypeError for what is not an amount
 * with at most two decimals, or is past 2^53 cents. 0.1 + 0.2 is one: read amounts as cents first, and add those.
 */
export function cents(amount: number | string): number {
  const near = Math.round((amount as number) * 100);
  // So far from 2^53 the product is off by less than a fifth of a cent: the quotient tells whether `near` is the amount.
  if (Math.abs(near) < 2 ** 50 && near / 100 === amount) return near + 0;
  const [, sign = '', whole = '', fraction = ''] = TEXT.exec(String(amount)) ?? [];
  const size = Number(whole + fraction.padEnd(2, '0'));
  const distinct = typeof amount === 'string' || Number.isInteger(amount) || Math.abs(amount) < DISTINCT_BELOW;
  if (whole && distinct && Number.isSafeInteger(size)) return (sign ? -size : size) + 0;
  throw new TypeError(
    `${JSON.stringify(amount)} is no amount with at most two decimals${
      typeof amount === 'number' ? ': read amounts with cents() before you add them up' : ''
    }`,
  );
}

/** Cents as an amount with two decimals: `"-1234.50"`. Throws a TypeError for what is not a whole number within ±2^53. */
export function formatCents(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new TypeError(`${cents} is no whole number of cents`);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** What rows add up to, in whole numbers. */
export interface Totals {
  guestCount: number;
  voidOrdersCount: number;
  discountOrderCount: number;
  ordersCount: number;
  openOrderCount: number;
  closedOrderCount: number;
  netSalesCents: number;
  grossSalesCents: number;
  discountCents: number;
  voidOrdersCents: number;
  refundCents: number;
  /** Net sales ÷ orders; 0 without orders. */
  avgOrderValueCents: number;
  /** Hours × 100. */
  hourlyJobTotalHundredths: number;
  hourlyJobTotalPayCents: number;
  /** Net sales ÷ hours; null without hours. */
  hourlyJobSalesPerLaborHourCents: number | null;
}

/** A quotient of whole numbers, rounded half away from zero; the divisor is positive. */
function rounded(dividend: bigint, divisor: number): number {
  const twice = 2n * BigInt(divisor);
  const half = dividend < 0n ? -BigInt(divisor) : BigInt(divisor);
  return Number((2n * dividend + half) / twice);
}

/**
 * Adds rows of metrics up. Labour belongs to a restaurant and a time and stands on the row of every group: it counts once per
 * restaurant, date and hour. Averages are made anew from the sums, those per hour from hours of two decimals.
 */
export function totals(rows: Iterable<MetricsFigures & { businessHour?: string | null | undefined }>): Totals {
  const sum: Totals = {
    guestCount: 0,
    voidOrdersCount: 0,
    discountOrderCount: 0,
    ordersCount: 0,
    openOrderCount: 0,
    closedOrderCount: 0,
    netSalesCents: 0,
    grossSalesCents: 0,
    discountCents: 0,
    voidOrdersCents: 0,
    refundCents: 0,
    avgOrderValueCents: 0,
    hourlyJobTotalHundredths: 0,
    hourlyJobTotalPayCents: 0,
    hourlyJobSalesPerLaborHourCents: null,
  };
  const worked = new Set<string>();
  for (const row of rows) {
    sum.guestCount += row.guestCount;
    sum.voidOrdersCount += row.voidOrdersCount;
    sum.discountOrderCount += row.discountOrderCount;
    sum.ordersCount += row.ordersCount;
    sum.openOrderCount += row.openOrderCount;
    sum.closedOrderCount += row.closedOrderCount;
    sum.netSalesCents += cents(row.netSalesAmount);
    sum.grossSalesCents += cents(row.grossSalesAmount);
    sum.discountCents += cents(row.discountAmount);
    sum.voidOrdersCents += cents(row.voidOrdersAmount);
    sum.refundCents += cents(row.refundAmount);
    const when = `${row.restaurantGuid} ${row.businessDate} ${row.businessHour ?? ''}`;
    if (worked.has(when)) continue;
    worked.add(when);
    sum.hourlyJobTotalHundredths += cents(row.hourlyJobTotalHours);
    sum.hourlyJobTotalPayCents += cents(row.hourlyJobTotalPay);
  }
  const net = BigInt(sum.netSalesCents);
  if (sum.ordersCount > 0) sum.avgOrderValueCents = rounded(net, sum.ordersCount);
  if (sum.hourlyJobTotalHundredths > 0) {
    sum.hourlyJobSalesPerLaborHourCents = rounded(net * 100n, sum.hourlyJobTotalHundredths);
  }
  return sum;
}
