/** Finds the restaurant that a path names. */

import { Problem } from '../contract/problems.ts';
import { readGuid } from '../contract/words.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';

/**
 * The group's restaurant with this GUID. Throws Problem `restaurant_not_found` for a malformed GUID, an unknown one and
 * one of another group: the caller cannot distinguish them.
 */
export async function findRestaurant(ledger: RestaurantLedger, group: string, guidText: string): Promise<Restaurant> {
  const guid = readGuid(guidText);
  const restaurant = guid === undefined ? undefined : await ledger.restaurant(guid);
  if (restaurant?.group !== group)
    throw new Problem('restaurant_not_found', 'Your management group has no restaurant with this GUID.');
  return restaurant;
}
