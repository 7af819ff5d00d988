/** Figures of rows: sums of one currency, and the ratios made from them. */
import { type AddableMetrics, cents, type Totals, totals } from '@daypart/client';

/** A sum of one restaurant, for one date if `businessDate` is present. */
export type Row = AddableMetrics & { currencyCode: string | null };

/** Sums of rows; sales per labour hour are those of the restaurants and dates that have labour. */
export interface Sums extends Totals {
  /** Net sales of the restaurants and dates that have labour, in cents. */
  workedNetCents: number;
}

/** The sums of rows. The caller passes rows of one currency. */
export function sumOf(rows: readonly Row[], currency: string | null): Sums {
  const [sum] = totals(rows, currency);
  if (!sum) throw new Error('totals of one currency are one entry');
  const { hourlyJobTotalHundredths: hours } = sum;
  const workedNetCents = netCents(workedIn(rows));
  const perHour = hours > 0 ? Math.round((workedNetCents * 100) / hours) : null;
  return { ...sum, workedNetCents, hourlyJobSalesPerLaborHourCents: perHour };
}

/** A row of a restaurant that may have labour, for one date if `businessDate` is present. */
export interface Workable {
  restaurantGuid?: string;
  businessDate?: string | undefined;
  hourlyJobTotalHours?: string;
  /** In reports of labour. */
  totalHours?: number;
}

const dayOf = ({ restaurantGuid, businessDate }: Workable): string => `${restaurantGuid} ${businessDate}`;

export const hasLabour = ({ hourlyJobTotalHours, totalHours }: Workable): boolean =>
  Number(hourlyJobTotalHours ?? totalHours) > 0;

/**
 * The rows of restaurants and dates that have labour. Labour divided by the sales of others as well would seem low where it is loaded only in
 * part. Hours of such a date without labour are among them.
 */
export function workedIn<T extends Workable>(rows: readonly T[]): T[] {
  const worked = new Set(rows.filter(hasLabour).map(dayOf));
  return rows.filter((row) => worked.has(dayOf(row)));
}

/**
 * For how many restaurants with sales labour is loaded, or else for how many of their dates, if for some but not for all. `when` names the
 * dates if they are not those of the screen.
 */
export function labourNote(
  rows: readonly (Workable & { netSalesAmount: number | null })[],
  when = '',
): string | undefined {
  const worked = workedIn(rows);
  const sold = [...worked, ...rows.filter(({ netSalesAmount }) => netSalesAmount)];
  const count = (of: (row: Workable) => unknown, some: readonly Workable[] = sold): number =>
    new Set(some.map(of)).size;
  const guidOf = ({ restaurantGuid }: Workable) => restaurantGuid;
  const parts = [
    [guidOf, 'restaurants'],
    [dayOf, count(guidOf) > 1 ? 'restaurants × dates' : 'dates'],
  ] as const;
  for (const [of, what] of parts) {
    const [loaded, all] = [count(of, worked), count(of)];
    if (loaded > 0 && loaded < all)
      return `Labour of ${loaded} of ${all} ${what} is loaded${when}: it is compared with their sales only.`;
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
export const labourShare = (sum: Sums): number | undefined => ratio(sum.hourlyJobTotalPayCents, sum.workedNetCents);

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
