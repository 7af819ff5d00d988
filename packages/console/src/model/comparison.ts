/** A period of some restaurants of one currency beside its comparison. */
import type { Totals } from '@daypart/client';
import { groupBy, type Row, sumOf } from './figures.ts';
import { contains, type Period } from './period.ts';

export interface Beside {
  /** All restaurants of the currency in the period. */
  now: Totals;
  /** What of `now` has a comparison, and the comparison; undefined where there is none. */
  alike: { now: Totals; before: Totals } | undefined;
  /** Restaurants with data in the period, and how many of them have some in the comparison too. */
  restaurants: number;
  compared: number;
}

const within = (rows: Row[], period: Period): Row[] =>
  rows.filter(({ businessDate }) => contains(period, businessDate));

/**
 * The sums of rows of one currency beside those of the comparison. A restaurant without data in the comparison is new: it is in
 * the sums of the period, but on neither side of the change.
 */
export function beside(rows: Row[], period: Period, comparison: Period | undefined, currency: string | null): Beside {
  const current = groupBy(within(rows, period), ({ restaurantGuid }) => restaurantGuid);
  const now = sumOf([...current.values()].flat(), currency);
  if (!comparison) return { now, alike: undefined, restaurants: current.size, compared: 0 };
  const earlier = groupBy(within(rows, comparison), ({ restaurantGuid }) => restaurantGuid);
  const both = [...current.keys()].filter((guid) => earlier.has(guid));
  const alike =
    both.length === 0
      ? undefined
      : {
          now: sumOf(
            both.flatMap((guid) => current.get(guid) ?? []),
            currency,
          ),
          before: sumOf(
            both.flatMap((guid) => earlier.get(guid) ?? []),
            currency,
          ),
        };
  return { now, alike, restaurants: current.size, compared: both.length };
}
