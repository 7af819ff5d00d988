/** Restaurants with their sums in a period. */
import { addDays, cents } from '@daypart/client';
import type { GroupDays } from '../data/days.ts';
import type { Restaurant } from '../data/restaurants.ts';
import { datesOf } from '../model/dates.ts';
import { currencyTotals, type FigureRow } from '../model/figures.ts';
import { datesText, type Sides } from '../model/like-for-like.ts';
import type { PartialDay } from '../model/partial-day.ts';
import type { Period } from '../model/period.ts';
import type { Deviation } from '../model/stands-out.ts';
import type { Ranked } from './restaurant-table.tsx';

const SPARK_DAYS = 28;

const byRestaurant = (rows: readonly FigureRow[]) => Map.groupBy(rows, ({ restaurantGuid }) => restaurantGuid);

/** Net sales in cents for each date; undefined if there is no row. */
function netOf(rows: readonly FigureRow[], dates: string[]): (number | undefined)[] {
  const net = new Map<string, number>();
  for (const { businessDate = '', netSalesAmount } of rows)
    net.set(businessDate, (net.get(businessDate) ?? 0) + cents(netSalesAmount));
  return dates.map((date) => net.get(date));
}

interface Ranking {
  days: GroupDays;
  period: Period;
  comparison: Period | undefined;
  /** The compared sums; undefined without a comparison. */
  sides: Sides | undefined;
  partialDay: PartialDay | undefined;
}

/** The restaurants with their sums. */
export function rankedOf(
  restaurants: Restaurant[],
  { days, period, comparison, sides, partialDay }: Ranking,
  deviations: Deviation[],
): Ranked[] {
  const dates = datesOf(addDays(period.end, 1 - SPARK_DAYS), period.end);
  const [now, alike, before] = [days.now, sides?.now ?? [], sides?.before ?? []].map(byRestaurant);
  const recent = byRestaurant(days.recent ?? []);
  const all = Map.groupBy(days.net, ({ restaurantGuid = '' }) => restaurantGuid);
  const worse = Map.groupBy(
    deviations.filter(({ better }) => !better),
    ({ restaurantGuid }) => restaurantGuid,
  );
  return restaurants.map((restaurant) => {
    const { guid, currencyCode } = restaurant;
    const sum = (rows: FigureRow[] | undefined) => rows && currencyTotals(rows, currencyCode);
    return {
      restaurant,
      sum: sum(now?.get(guid)),
      alike: sum(alike?.get(guid)),
      before: sum(before?.get(guid)),
      dates: datesText(all.get(guid), period, comparison),
      // A date that is not over would end the line near 0.
      weeks: netOf(recent.get(guid) ?? [], dates.slice(0, partialDay?.running.has(guid) ? -1 : undefined)),
      // An unusual figure of the last date says nothing about a longer period.
      unusual: new Map(
        period.start === period.end ? worse.get(guid)?.map((deviation) => [deviation.measure, deviation]) : [],
      ),
    };
  });
}
