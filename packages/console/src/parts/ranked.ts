/** Restaurants with their sums of a period. */
import { addDays, cents } from '@daypart/client';
import type { Restaurant } from '../data/restaurants.ts';
import { datesOf } from '../model/dates.ts';
import { type Row, sumOf } from '../model/figures.ts';
import { contains, type Period } from '../model/period.ts';
import type { Deviation } from '../model/stands-out.ts';
import type { Ranked } from './restaurant-table.tsx';

const SPARK_DAYS = 28;

/** `rows` are those of each restaurant by business date. */
export function rankedOf(
  restaurants: Restaurant[],
  rows: ReadonlyMap<string, ReadonlyMap<string, Row[]>>,
  period: Period,
  comparison: Period | undefined,
  deviations: Deviation[],
): Ranked[] {
  const weeks = datesOf(addDays(period.end, 1 - SPARK_DAYS), period.end);
  const worse = deviations.filter(({ better }) => !better);
  return restaurants.map((restaurant) => {
    const dates = rows.get(restaurant.guid) ?? new Map<string, Row[]>();
    const sum = (some: Period | undefined) => {
      if (!some) return undefined;
      const own = [...dates].flatMap(([date, all]) => (contains(some, date) ? all : []));
      return own.length > 0 ? sumOf(own, restaurant.currencyCode) : undefined;
    };
    const own = worse.filter(({ restaurantGuid }) => restaurantGuid === restaurant.guid);
    return {
      restaurant,
      sum: sum(period),
      before: sum(comparison),
      weeks: weeks.map((date) => dates.get(date)?.reduce((total, row) => total + cents(row.netSalesAmount), 0)),
      // What is unusual of the last date says nothing of a longer period.
      unusual: new Set(period.start === period.end ? own.map(({ measure }) => measure) : []),
    };
  });
}
