/** The restaurants of the SQLite ledger. */
import type { RestaurantLedger } from '../restaurant.ts';
import { type RestaurantQueries, restaurantMethods, restaurantOf, restaurantValues } from '../sql/restaurant.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function restaurantLedger(connection: Connection) {
  const sql = openQueries<RestaurantQueries>('restaurant', connection);
  const changes = {
    async putRestaurant(restaurant) {
      return transaction(connection.db, () => {
        const created = sql.restaurant({ guid: restaurant.guid }) === undefined;
        const row = sql.putRestaurant(restaurantValues(restaurant));
        return row && { created, restaurant: restaurantOf(row) };
      });
    },
  } satisfies Partial<RestaurantLedger>;
  return { ...restaurantMethods(sql), changes };
}
