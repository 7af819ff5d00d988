/** How groups divide the business day. */
import type { Daypart } from '../contract/dayparts.ts';

export interface DaypartSets {
  /** Null where the group has the default. */
  group: readonly Daypart[] | null;
  /** Of the restaurants that differ, by GUID. */
  restaurants: Readonly<Record<string, readonly Daypart[]>>;
}

export interface DaypartLedger {
  /** What is set in a group. It may be asked for often: it is kept in memory. */
  dayparts(group: string): Promise<DaypartSets>;
  /** Sets those of a restaurant, or of the group where it is null. The group must be known. */
  putDayparts(group: string, restaurantGuid: string | null, dayparts: readonly Daypart[]): Promise<void>;
  /** Removes them: then those of the group count. Not an error where there are none. */
  removeDayparts(group: string, restaurantGuid: string): Promise<void>;
}
