/** The restaurants of the group, with their loaded dates. */
import { businessDateAt, daysBetween } from '@daypart/client';
import type { Daypart } from '../model/dayparts.ts';
import { lastDateOf } from '../model/loaded.ts';
import { daypart } from './client.ts';

/** A restaurant as in the answer of `GET /restaurants`, with the last date of `lastDateOf`. Dates are YYYYMMDD, null if nothing is loaded. */
export interface Restaurant {
  guid: string;
  name: string;
  locationName: string | null;
  locationCode: string | null;
  timeZone: string;
  /** Hours of the local clock before it belong to the previous business date. */
  closeoutHour: number;
  currencyCode: string | null;
  active: boolean;
  archived: boolean;
  testMode: boolean;
  /** The dayparts of the restaurant, or those of the group. */
  dayparts: Daypart[];
  firstBusinessDate: string | null;
  lastBusinessDate: string | null;
  /** The instant of the last load, UTC, ISO 8601. */
  loadedAt: string | null;
}

/** All restaurants of the group, those in use first, each part ordered by name. */
export async function readRestaurants(signal: AbortSignal): Promise<Restaurant[]> {
  const read = await daypart.request<Restaurant[]>('GET', '/restaurants', { signal });
  const now = Date.now();
  const all = read.map((one) => ({ ...one, lastBusinessDate: lastDateOf(one, now) }));
  const order = new Intl.Collator();
  return all.sort((one, other) => Number(inUse(other)) - Number(inUse(one)) || order.compare(one.name, other.name));
}

/** Whether reports count it without naming it: active, not archived, not a test. */
export const inUse = ({ active, archived, testMode }: Restaurant): boolean => active && !archived && !testMode;

/** Restaurants that stopped reporting longer ago do not affect the latest date. */
const LATE_DAYS = 7;

/**
 * The last business date that every restaurant in use has, among those that reported within the week before the newest date. If nothing
 * is loaded, yesterday in the time zone where it is earliest.
 */
export function latestDate(restaurants: Restaurant[], now = Date.now()): string {
  const dates = restaurants.filter(inUse).flatMap(({ lastBusinessDate }) => lastBusinessDate ?? []);
  const newest = dates.reduce((last, date) => (date > last ? date : last), '');
  if (newest === '') return businessDateAt(now - 86_400_000, 'UTC', 0);
  return dates
    .filter((date) => daysBetween(date, newest) < LATE_DAYS)
    .reduce((first, date) => (date < first ? date : first));
}

export const currenciesOf = (restaurants: Restaurant[]): Map<string, string | null> =>
  new Map(restaurants.map(({ guid, currencyCode }) => [guid, currencyCode]));
