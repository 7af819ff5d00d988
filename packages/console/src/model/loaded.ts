/** Whether a business date of a restaurant is there. */
import { addDays } from '@daypart/client';

/** A date of `GET /restaurants/{guid}/days`. */
export interface LoadedDay {
  businessDate: string;
  orders: number;
  checks: number;
  timeEntries: number;
  /** Since when items and payments are there; null where orders were loaded before they were kept. */
  itemsFrom: string | null;
  loadedAt: string;
}

export type LoadedState = 'loaded' | 'without-items' | 'without-labour' | 'missing' | 'closed' | 'late';

const WEEKS = [7, 14, 21, 28];

/**
 * A date without data is late after the last one that is loaded, closed where the restaurant had no data on that weekday for four
 * weeks, and missing otherwise. A date before the first one is closed.
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
  if (firstBusinessDate !== null && date < firstBusinessDate) return 'closed';
  return WEEKS.some((before) => days.has(addDays(date, -before))) ? 'missing' : 'closed';
}
