/** The dayparts that a report by daypart is made with: those that are set when it is gathered. */
import { type Daypart, DEFAULT_DAYPARTS, type ReportDayparts } from '../contract/dayparts.ts';
import type { DaypartLedger } from '../ledger/daypart.ts';
import type { Restaurant } from '../ledger/restaurant.ts';

/** Each restaurant with the dayparts that count for it, and what the report is said to be made with. */
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
