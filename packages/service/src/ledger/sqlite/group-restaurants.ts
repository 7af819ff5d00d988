/** The restaurants of whole groups, kept in memory. */
import type { StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Restaurant } from '../restaurant.ts';
import { type RestaurantRow, restaurantOf } from './rows.ts';

/** Restaurants of all groups together: some 500 bytes each. */
const MOST_KEPT = 20_000;

/**
 * Reads the restaurants of a group, ordered by GUID: from memory while their version in the ledger is the same. A thousand
 * of them took 4.5 ms of the event loop for each report that names none; their version takes 5 µs, and changes with every
 * write of any process.
 */
export function openGroupRestaurants(
  statement: (name: string) => StatementSync,
): (group: string) => readonly Restaurant[] {
  const kept = new LRUCache<string, { version: unknown; restaurants: readonly Restaurant[] }>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ restaurants }) => restaurants.length + 1,
  });
  return (group) => {
    // Read before the rows: a write between the two makes the next caller read them again.
    const version = statement('restaurantsVersion').get({ group })?.version;
    const known = kept.get(group);
    if (known && known.version === version) return known.restaurants;
    const rows = statement('restaurantsOf').all({ group }) as unknown as RestaurantRow[];
    const restaurants = Object.freeze(rows.map(restaurantOf));
    kept.set(group, { version, restaurants });
    return restaurants;
  };
}
