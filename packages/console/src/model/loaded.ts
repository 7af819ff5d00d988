/** Whether the data of a business date of a restaurant are loaded. */
import { addDays, businessDateAt, daysBetween } from '@daypart/client';

/** A date of `GET /restaurants/{guid}/days`. */
export interface LoadedDay {
  businessDate: string;
  orders: number;
  checks: number;
  timeEntries: number;
  /**
   * The time since which all orders have their items and payments; null if some were loaded before these were stored,
   * or without orders.
   */
  itemsFrom: string | null;
  loadedAt: string;
}

export type LoadedState = 'loaded' | 'without-items' | 'without-labour' | 'missing' | 'closed' | 'early' | 'late';

const WEEKS = [7, 14, 21, 28];

/** The dates that a restaurant has, and what decides which of them is the current one. */
interface Known {
  firstBusinessDate: string | null;
  lastBusinessDate: string | null;
  timeZone: string;
  closeoutHour: number;
}

/**
 * The last date with data (YYYYMMDD) that is not after the current business date of the restaurant: orders may be for a
 * date to come, or have a mistyped one. `now` is in milliseconds since 1970. Null if nothing is loaded.
 */
export function lastDateOf(
  { lastBusinessDate: last, timeZone, closeoutHour }: Omit<Known, 'firstBusinessDate'>,
  now: number,
): string | null {
  const current = businessDateAt(now, timeZone, closeoutHour);
  return last !== null && last > current ? current : last;
}

/**
 * The state of a date at an instant (in ms since 1970). Without data, the current business date and those to come are
 * late, one before the first is early, one on a weekday without data for four weeks is closed, and any other is
 * missing. For a date after the last loaded one, these are the last four weeks with data: `days` must begin four weeks
 * before the date or, if that is earlier, before the last loaded one.
 */
export function stateOf(
  date: string,
  days: ReadonlyMap<string, LoadedDay>,
  { firstBusinessDate: first, lastBusinessDate: last, timeZone, closeoutHour }: Known,
  now: number,
): LoadedState {
  const day = days.get(date);
  if (day && day.orders > 0 && day.itemsFrom === null) return 'without-items';
  if (day)
    return day.timeEntries === 0 && [...days.values()].some(({ timeEntries }) => timeEntries > 0)
      ? 'without-labour'
      : 'loaded';
  if (last === null || date >= businessDateAt(now, timeZone, closeoutHour)) return 'late';
  if (first !== null && date < first) return 'early';
  const since = date > last ? Math.floor((daysBetween(last, date) - 1) / 7) * 7 : 0;
  return WEEKS.some((before) => days.has(addDays(date, -since - before))) ? 'missing' : 'closed';
}
