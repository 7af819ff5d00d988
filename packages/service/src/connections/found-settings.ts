/** The settings of a restaurant as the point of sale has them, in the form in which they are stored. */

import type { UpstreamRestaurant } from '@daypart/client/source';
import type { Restaurant } from '../ledger/restaurant.ts';
import { restaurantBody } from '../restaurants/restaurants.ts';

/** What a point of sale does not say of a restaurant. */
type Ours = Pick<Restaurant, 'overtimeMultiplier' | 'refundsOn' | 'active' | 'testMode'>;

/** Without `ours` those of a restaurant that is new. Throws Problem invalid_body for settings that cannot be stored. */
export function settingsOf(found: UpstreamRestaurant, ours?: Ours) {
  const { name, timeZone, closeoutHour, locationName = null, locationCode = null, currencyCode, archived } = found;
  const theirs = { name, timeZone, closeoutHour, locationName, locationCode, currencyCode, archived };
  return restaurantBody.read(Object.assign(theirs, ours));
}
