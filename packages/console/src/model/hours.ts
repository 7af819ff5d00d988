/** Amounts by hour of the clock. */
import { hoursFrom } from './dayparts.ts';
import { netCents } from './figures.ts';
import { ofCurrency } from './like-for-like.ts';

export interface HourAmount {
  hour: number;
  /** Undefined if the hour has no such amount, as sales per hour worked without hours worked. */
  now: number | undefined;
  before: number | undefined;
}

interface HourRow {
  currencyCode: string | null;
  netSalesAmount: number;
  businessHour?: string | null | undefined;
}

/**
 * Net sales in cents, or another amount, by hour: from the first hour with any to the last, in the order of the
 * business day.
 */
export function hoursOf<T extends HourRow>(
  { now, before }: { now: readonly T[]; before: readonly T[] | undefined },
  closeoutHour: number,
  currency: string | null,
  amountOf: (rows: T[]) => number | undefined = netCents,
): HourAmount[] {
  const byHour = (rows: readonly T[]) =>
    Map.groupBy(ofCurrency(rows, currency), ({ businessHour }) => Number(businessHour));
  const [current, earlier] = [byHour(now), before && byHour(before)];
  const all = hoursFrom(closeoutHour).map((hour) => ({
    hour,
    now: amountOf(current.get(hour) ?? []),
    before: earlier && amountOf(earlier.get(hour) ?? []),
  }));
  const traded = (amount: HourAmount): boolean => Boolean(amount.now || amount.before);
  return all.slice(all.findIndex(traded), all.findLastIndex(traded) + 1);
}
