/** The restaurants of the group, with their loaded dates. */
import { businessDateAt, daysBetween, type LoadedRestaurant } from '@daypart/client';
import { lastDateOf } from '../model/loaded.ts';
import { daypart } from './client.ts';

/** A restaurant with its settings and loaded dates, the last of them as `lastDateOf` has it. */
export type Restaurant = LoadedRestaurant;

/** All restaurants of the group, those in use first, each part ordered by name. */
export async function readRestaurants(signal: AbortSignal): Promise<Restaurant[]> {
  const read = await daypart.request<Restaurant[]>('GET', '/restaurants', { signal });
  const now = Date.now();
  const all = read.map((one) => ({ ...one, lastBusinessDate: lastDateOf(one, now) }));
  const order = new Intl.Collator();
  return all.sort((a, b) => Number(inUse(b)) - Number(inUse(a)) || order.compare(a.name, b.name));
}

/** Whether reports count it without naming it: active, not archived, not a test. */
export const inUse = ({ active, archived, testMode }: Restaurant): boolean => active && !archived && !testMode;

/** Restaurants that stopped reporting longer ago do not affect the latest date. */
const LATE_DAYS = 7;

/**
 * `latest` is the last business date that every restaurant in use has, among those that reported within the week before
 * the newest date, and `newest` that date. If nothing is loaded, both are yesterday in the time zone where it is
 * earliest.
 */
export function lastDates(restaurants: Restaurant[], now = Date.now()): { latest: string; newest: string } {
  const dates = restaurants.filter(inUse).flatMap(({ lastBusinessDate }) => lastBusinessDate ?? []);
  const newest = dates.reduce((last, date) => (date > last ? date : last), '');
  if (newest === '') {
    const yesterday = businessDateAt(now - 86_400_000, 'UTC', 0);
    return { latest: yesterday, newest: yesterday };
  }
  const latest = dates
    .filter((date) => daysBetween(date, newest) < LATE_DAYS)
    .reduce((first, date) => (date < first ? date : first));
  return { latest, newest };
}

/**
 * The date with which the screens of a restaurant begin: that of all screens, or its own last one if that is before.
 * YYYYMMDD.
 */
export const latestOf = ({ lastBusinessDate: last }: Restaurant, { latest }: { latest: string }): string =>
  last !== null && last < latest ? last : latest;

/**
 * Today in the latest time zone of the restaurants, the last date of which the service makes a report; undefined if
 * there are none.
 */
export const todayOf = (restaurants: Restaurant[], now = Date.now()): string | undefined =>
  restaurants
    .map(({ timeZone }) => businessDateAt(now, timeZone, 0))
    .sort()
    .at(-1);

export const currenciesOf = (restaurants: Restaurant[]): Map<string, string | null> =>
  new Map(restaurants.map(({ guid, currencyCode }) => [guid, currencyCode]));

/** Whether the name, location or code of the restaurant contains the typed text. */
export const found = ({ name, locationName, locationCode }: Restaurant, typed: string): boolean =>
  `${name} ${locationName ?? ''} ${locationCode ?? ''}`.toLowerCase().includes(typed.trim().toLowerCase());
