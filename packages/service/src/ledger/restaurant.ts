/** The restaurants of the groups, and how they divide the business day. */
import type { Daypart } from '../contract/dayparts.ts';
import type { RefundsOn } from '../contract/words.ts';

export interface Restaurant {
  /** Small integer, assigned by the ledger; the facts refer to restaurants by it. */
  id: number;
  guid: string;
  group: string;
  name: string;
  timeZone: string;
  closeoutHour: number;
  locationName: string | null;
  locationCode: string | null;
  currencyCode: string | null;
  /** A multiple of the hourly wage, for example 1.5. */
  overtimeMultiplier: number;
  /** The date on which refunds count: their own, or that of their order. */
  refundsOn: RefundsOn;
  active: boolean;
  testMode: boolean;
  archived: boolean;
}

export interface RestaurantLedger {
  restaurant(guid: string): Promise<Restaurant | undefined>;
  /**
   * Restaurants of one group, ordered by GUID; with `guids`, only those. A whole group is cached, so this is cheap to
   * call often.
   */
  restaurantsOf(group: string, guids?: string[]): Promise<readonly Restaurant[]>;
  /** Restaurants by ledger id, for gathering; ordered by GUID. */
  restaurantsById(ids: number[]): Promise<Restaurant[]>;
  /**
   * Adds or replaces by GUID within the group; `created` says which. Returns undefined, and changes nothing, if the
   * GUID belongs to another group. The given `id` is ignored.
   */
  putRestaurant(restaurant: Omit<Restaurant, 'id'>): Promise<{ created: boolean; restaurant: Restaurant } | undefined>;
}

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
