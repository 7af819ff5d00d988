/** The dayparts of a report by daypart: those that are set when it is gathered. */
import { type Daypart, DEFAULT_DAYPARTS, type ReportDayparts } from '../contract/dayparts.ts';
import type { DaypartLedger, Restaurant } from '../ledger/restaurant.ts';

/** Each restaurant with its dayparts, and what to store with the report about them. */
export async function withDayparts(
  ledger: DaypartLedger,
  group: string,
  restaurants: readonly Restaurant[],
): Promise<{ restaurants: (Restaurant & { dayparts: readonly Daypart[] })[]; dayparts: ReportDayparts }> {
  const sets = await ledger.dayparts(group);
  const ofGroup = sets.group ?? DEFAULT_DAYPARTS;
  const own = restaurants.flatMap(({ guid }) => {
    const dayparts = sets.restaurants[guid];
    return dayparts ? [{ guid, dayparts }] : [];
  });
  return {
    restaurants: restaurants.map((one) => ({ ...one, dayparts: sets.restaurants[one.guid] ?? ofGroup })),
    dayparts: { group: ofGroup, restaurants: own },
  };
}
