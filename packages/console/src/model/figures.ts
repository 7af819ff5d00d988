/** Figures of rows: sums of one currency, and the ratios made from them. */
import { type AddableMetrics, cents, type Totals, totals } from '@daypart/client';

/** A sum of one restaurant, for one date if `businessDate` is present. */
export type Row = AddableMetrics & { currencyCode: string | null };

/** The sums of rows. The caller passes rows of one currency. */
export function sumOf(rows: readonly Row[], currency: string | null): Totals {
  const [sum] = totals(rows, currency);
  if (!sum) throw new Error('totals of one currency are one entry');
  return sum;
}

/** Net sales of rows of one currency, in cents. */
export const netCents = (rows: readonly { netSalesAmount: number }[]): number =>
  rows.reduce((sum, { netSalesAmount }) => sum + cents(netSalesAmount), 0);

/** A quotient; undefined if the divisor is 0 or less. */
export const ratio = (dividend: number, divisor: number): number | undefined =>
  divisor > 0 ? dividend / divisor : undefined;

/** Pay of hourly jobs divided by net sales; undefined without sales or without loaded labour. */
export const labourShare = (sum: Totals): number | undefined =>
  sum.hourlyJobTotalHundredths > 0 ? ratio(sum.hourlyJobTotalPayCents, sum.netSalesCents) : undefined;

/** Discounts and voids divided by gross sales. */
export const leakShare = (sum: Totals): number | undefined =>
  ratio(sum.discountCents + sum.voidOrdersCents, sum.grossSalesCents);

export const discountShare = (sum: Totals): number | undefined => ratio(sum.discountCents, sum.grossSalesCents);
export const voidShare = (sum: Totals): number | undefined => ratio(sum.voidOrdersCents, sum.grossSalesCents);

/** Rows by the key that `keyOf` returns, in the order of their first row. */
export function groupBy<T, K>(rows: Iterable<T>, keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
