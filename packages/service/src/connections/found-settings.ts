/** The settings of a restaurant as the point of sale has them, and what follows from them where it joins. */

import type { UpstreamRestaurant } from '@daypart/client/source';
import { businessDateOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import type { ConnectedRestaurant } from '../ledger/connection.ts';
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

const SETTINGS = [
  'name',
  'timeZone',
  'closeoutHour',
  'locationName',
  'locationCode',
  'currencyCode',
  'archived',
] as const satisfies readonly (keyof Restaurant)[];

/**
 * A stored restaurant with the settings of the point of sale, and the names of those that differ; what the point of
 * sale does not say stays. Throws Problem invalid_body.
 */
export function changedSettings(restaurant: Restaurant, found: UpstreamRestaurant) {
  const { guid, group, overtimeMultiplier, refundsOn, active, testMode } = restaurant;
  const ours = { overtimeMultiplier, refundsOn, active, testMode };
  const next: Omit<Restaurant, 'id'> = Object.assign(settingsOf(found, ours), { guid, group });
  return { next, differing: SETTINGS.filter((name) => next[name] !== restaurant[name]) };
}

/** Which business dates of the past are read of a restaurant that joins at an instant (`now`, ms since 1970 UTC). */
export function pastOf(
  { timeZone, closeoutHour, firstBusinessDate = 0 }: UpstreamRestaurant,
  { backfillDays, notBefore, now }: { backfillDays: number; notBefore: number | null; now: number },
): Pick<ConnectedRestaurant, 'backfillFrom' | 'backfillTo'> {
  const today = businessDateOf(now, timeZone, closeoutHour);
  const from = Math.max(addDays(today, -backfillDays), firstBusinessDate, notBefore ?? 0);
  return { backfillFrom: Math.min(from, today), backfillTo: addDays(today, -1) };
}
