/** Whether the data of a business date of a restaurant are loaded. */
import { addDays, businessDateAt } from '@daypart/client';

/** A date of `GET /restaurants/{guid}/days`. */
export interface LoadedDay {
  businessDate: string;
  orders: number;
  checks: number;
  timeEntries: number;
  /**
   * The time since which all orders have their items and payments; null if some were loaded before these were stored, or
   * without orders.
   */
  itemsFrom: string | null;
  loadedAt: string;
}

export type LoadedState = 'loaded' | 'without-items' | 'without-labour' | 'missing' | 'closed' | 'early' | 'late';

const WEEKS = [7, 14, 21, 28];

/**
 * The last date with data (YYYYMMDD) that is not after the current business date of the restaurant: orders may be for a date to come, or have a mistyped
 * one. `now` is in milliseconds since 1970. Null if nothing is loaded.
 */
export function lastDateOf(
  restaurant: { lastBusinessDate: string | null; timeZone: string; closeoutHour: number },
  now: number,
): string | null {
  const { lastBusinessDate: last, timeZone, closeoutHour } = restaurant;
  const current = businessDateAt(now, timeZone, closeoutHour);
  return last !== null && last > current ? current : last;
}

/**
 * The state of a date. Without data, a date after the last loaded one is late, one before the first is early, one on a weekday without data for
 * four weeks is closed, and any other is missing.
 */
export function stateOf(
  date: string,
  days: ReadonlyMap<string, LoadedDay>,
  { firstBusinessDate, lastBusinessDate }: { firstBusinessDate: string | null; lastBusinessDate: string | null },
): LoadedState {
  const day = days.get(date);
  if (day && day.orders > 0 && day.itemsFrom === null) return 'without-items';
  if (day)
    return day.timeEntries === 0 && [...days.values()].some(({ timeEntries }) => timeEntries > 0)
      ? 'without-labour'
      : 'loaded';
  if (lastBusinessDate === null || date > lastBusinessDate) return 'late';
  if (firstBusinessDate !== null && date < firstBusinessDate) return 'early';
  return WEEKS.some((before) => days.has(addDays(date, -before))) ? 'missing' : 'closed';
}
