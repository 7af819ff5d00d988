/** Finds what a caller names in a path. */
import { readGuid } from '../contract/words.ts';
import { Problem } from '../problems.ts';
import type { Restaurant, RestaurantLedger } from './restaurant.ts';

/**
 * The group's restaurant of this GUID. Throws Problem restaurant_not_found for a malformed GUID, an unknown one and
 * another group's alike.
 */
export async function findRestaurant(ledger: RestaurantLedger, group: string, guidText: string): Promise<Restaurant> {
  const guid = readGuid(guidText);
  const restaurant = guid === undefined ? undefined : await ledger.restaurant(guid);
  if (restaurant?.group !== group)
    throw new Problem('restaurant_not_found', 'Your management group has no restaurant with this GUID.');
  return restaurant;
}
