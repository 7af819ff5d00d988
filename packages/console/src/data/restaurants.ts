/** The restaurants of the group, with what is loaded of each. */
import { businessDateAt, daysBetween } from '@daypart/client';
import type { Daypart } from '../model/dayparts.ts';
import { daypart } from './client.ts';

/** A restaurant as `GET /restaurants` has it. Dates are YYYYMMDD, null where nothing is loaded. */
export interface Restaurant {
  guid: string;
  name: string;
  locationName: string | null;
  locationCode: string | null;
  timeZone: string;
  /** Local hours before it belong to the previous business date. */
  closeoutHour: number;
  currencyCode: string | null;
  active: boolean;
  archived: boolean;
  testMode: boolean;
  /** Its own, or those of the group. */
  dayparts: Daypart[];
  firstBusinessDate: string | null;
  lastBusinessDate: string | null;
  /** When something was last loaded, UTC ISO 8601. */
  loadedAt: string | null;
}

/** All restaurants of the group, those in use first, each kind by name. */
export async function readRestaurants(signal: AbortSignal): Promise<Restaurant[]> {
  const all = await daypart.request<Restaurant[]>('GET', '/restaurants', { signal });
  const order = new Intl.Collator();
  return all.sort((one, other) => Number(inUse(other)) - Number(inUse(one)) || order.compare(one.name, other.name));
}

/** Whether reports count it unless it is named: active, not archived, no test. */
export const inUse = ({ active, archived, testMode }: Restaurant): boolean => active && !archived && !testMode;

/** Restaurants that stopped reporting longer ago do not hold the latest date back. */
const LATE_DAYS = 7;

/**
 * The last business date that every restaurant in use has, among those that reported in the last week before the newest;
 * where nothing is loaded, yesterday where it is earliest.
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
