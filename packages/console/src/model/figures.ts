/** Figures of rows: sums of one currency, and the ratios made from them. */

import {
  type AddableMetrics,
  cents,
  restaurantDateOf,
  type Totals,
  totals,
  type WorkedRow,
  workedDates,
} from '@daypart/client';
import type { FigureOf } from './change.ts';
import { spell } from './locale.ts';

/** A sum of one restaurant, for one date if `businessDate` is present. */
export type FigureRow = AddableMetrics & { currencyCode: string | null };

/** The sums of rows. The caller passes rows of one currency. */
export function currencyTotals(rows: readonly FigureRow[], currency: string | null): Totals {
  const [sum] = totals(rows, currency);
  return sum;
}

/**
 * For how many restaurants with sales labour is loaded, or else for how many of their dates, if for some but not for
 * all. `when` names the dates if they are not those of the screen.
 */
export function labourNote(
  rows: readonly (WorkedRow & { netSalesAmount: number | null })[],
  when = '',
): string | undefined {
  const worked = rows.filter(workedDates(rows));
  const sold = [...worked, ...rows.filter(({ netSalesAmount }) => netSalesAmount)];
  const count = (of: (row: WorkedRow) => unknown, some: readonly WorkedRow[] = sold): number =>
    new Set(some.map(of)).size;
  const guidOf = ({ restaurantGuid }: WorkedRow) => restaurantGuid;
  const parts = [
    [guidOf, 'restaurants'],
    [restaurantDateOf, count(guidOf) > 1 ? 'restaurants × dates' : 'dates'],
  ] as const;
  for (const [of, what] of parts) {
    const [loaded, all] = [count(of, worked), count(of)];
    if (loaded > 0 && loaded < all)
      return spell(`Labor of ${loaded} of ${all} ${what} is loaded${when}: it is compared with their sales only.`);
  }
  return undefined;
}

/** Net sales of rows of one currency, in cents. */
export const netCents = (rows: readonly { netSalesAmount: number }[]): number =>
  rows.reduce((sum, { netSalesAmount }) => sum + cents(netSalesAmount), 0);

/** A quotient; undefined if the divisor is 0 or less. */
export const ratio = (dividend: number, divisor: number): number | undefined =>
  divisor > 0 ? dividend / divisor : undefined;

/** Pay of hourly jobs divided by net sales of where labour is loaded; undefined without such sales. */
export const labourShare = (sum: Totals): number | undefined =>
  ratio(sum.hourlyJobTotalPayCents, sum.workedNetSalesCents);

/** Discounts and voids divided by gross sales. */
export const leakShare = (sum: Totals): number | undefined =>
  ratio(sum.discountCents + sum.voidOrdersCents, sum.grossSalesCents);

export const discountShare = (sum: Totals): number | undefined => ratio(sum.discountCents, sum.grossSalesCents);
export const voidShare = (sum: Totals): number | undefined => ratio(sum.voidOrdersCents, sum.grossSalesCents);

/** The figures that are compared. */
export const COMPARED = {
  net: { of: (sum) => sum.netSalesCents },
  orders: { of: (sum) => sum.ordersCount },
  guests: { of: (sum) => sum.guestCount },
  average: { of: (sum) => sum.avgOrderValueCents },
  labour: { of: labourShare, better: 'less', isShare: true, isLabour: true },
  perLabourHour: { of: (sum) => sum.hourlyJobSalesPerLaborHourCents, isLabour: true },
  leaks: { of: leakShare, better: 'less', isShare: true },
  discounts: { of: discountShare, better: 'less', isShare: true },
  voids: { of: voidShare, better: 'less', isShare: true },
} satisfies Record<string, FigureOf<Totals>>;
