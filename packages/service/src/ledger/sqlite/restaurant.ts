/** The restaurants of the SQLite ledger. */
import type { RestaurantLedger } from '../restaurant.ts';
import { type RestaurantQueries, restaurantMethods, restaurantOf, restaurantValues } from '../sql/restaurant.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

interface NumberedQueries extends RestaurantQueries {
  renumber(of: { guid: string }): number;
}

export function restaurantLedger(connection: Connection) {
  const sql = openQueries<NumberedQueries>('restaurant', connection);
  const changes = {
    async putRestaurant(restaurant) {
      return transaction(connection.db, () => {
        const created = sql.restaurant({ guid: restaurant.guid }) === undefined;
        const added = sql.putRestaurant(restaurantValues(restaurant));
        const row =
          created && sql.renumber({ guid: restaurant.guid }) > 0 ? sql.restaurant({ guid: restaurant.guid }) : added;
        return row && { created, restaurant: restaurantOf(row) };
      });
    },
  } satisfies Partial<RestaurantLedger>;
  return { ...restaurantMethods(sql), changes };
}
