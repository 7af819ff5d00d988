/** The restaurants of the PostgreSQL ledger. */
import type { RestaurantLedger } from '../restaurant.ts';
import { type RestaurantQueries, restaurantMethods, restaurantOf, restaurantValues } from '../sql/restaurant.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

interface UpdateQueries extends RestaurantQueries {
  updateRestaurant: RestaurantQueries['putRestaurant'];
}

const queries = loadQueries<UpdateQueries>('restaurant');

export function restaurantLedger(pool: PostgresPool) {
  const methods = {
    async putRestaurant(restaurant) {
      return await pool.transaction(async (run) => {
        const sql = queries(run);
        const values = restaurantValues(restaurant);
        const created = (await sql.restaurant({ guid: restaurant.guid })) === undefined;
        // Also correct if the restaurant exists by now: of two services that add it at once, the second replaces it.
        const row = created ? await sql.putRestaurant(values) : await sql.updateRestaurant(values);
        return row && { created, restaurant: restaurantOf(row) };
      });
    },
  } satisfies Partial<RestaurantLedger>;
  return { ...restaurantMethods(queries(pool.run)).reads, ...methods };
}
