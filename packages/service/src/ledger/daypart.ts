/** How groups divide the business day. */
import type { Daypart } from '../contract/dayparts.ts';

export interface DaypartSets {
  /** Null if the group uses the default. */
  group: readonly Daypart[] | null;
  /** For restaurants that differ from their group, by GUID. */
  restaurants: Readonly<Record<string, readonly Daypart[]>>;
}

export interface DaypartLedger {
  /** The dayparts set in a group. Cached in memory, so it is cheap to call often. */
  dayparts(group: string): Promise<DaypartSets>;
  /** Sets the dayparts of a restaurant, or of the group when `restaurantGuid` is null. The group must exist. */
  putDayparts(group: string, restaurantGuid: string | null, dayparts: readonly Daypart[]): Promise<void>;
  /** Removes the dayparts of a restaurant, which then uses those of its group. Not an error when it has none. */
  removeDayparts(group: string, restaurantGuid: string): Promise<void>;
}
