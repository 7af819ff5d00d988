/** The restaurants of the groups. */

export interface Restaurant {
  /** Small integer that facts use; given by the ledger. */
  id: number;
  guid: string;
  group: string;
  name: string;
  timeZone: string;
  closeoutHour: number;
  locationName: string | null;
  locationCode: string | null;
  currencyCode: string | null;
  /** Decimal, e.g. 1.5. */
  overtimeMultiplier: number;
  active: boolean;
  testMode: boolean;
  archived: boolean;
}

export interface RestaurantLedger {
  restaurant(guid: string): Promise<Restaurant | undefined>;
  /** Of one group, by GUID; with `guids`, those of them that are the group's. A whole group may be asked for often: it is kept in memory. */
  restaurantsOf(group: string, guids?: string[]): Promise<readonly Restaurant[]>;
  /** Restaurants by ledger id, for gathering; by GUID. */
  restaurantsById(ids: number[]): Promise<Restaurant[]>;
  /**
   * Adds or replaces by GUID within the group. `created` says which; `undefined` if the GUID belongs to another group,
   * and then nothing has changed. The given `id` is ignored.
   */
  putRestaurant(restaurant: Omit<Restaurant, 'id'>): Promise<{ created: boolean; restaurant: Restaurant } | undefined>;
}
