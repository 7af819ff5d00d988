/**
 * The dates on which small loads recently stored orders, which are searched first. An order may have moved to another date
 * since.
 */

/** Some 10 MB. */
const MOST_ORDERS = 50_000;

export interface RecentDates {
  /** The business date (YYYYMMDD) of an order by its key; undefined if it is not remembered. */
  of(key: string): number | undefined;
  /** Remembers an order. */
  stored(key: string, businessDate: number): void;
}

export function createRecentDates(): RecentDates {
  const dates = new Map<string, number>();
  return {
    of: (key) => dates.get(key),
    stored(key, businessDate) {
      // The oldest entry is the first key.
      dates.delete(key);
      dates.set(key, businessDate);
      const [oldest] = dates.keys();
      if (dates.size > MOST_ORDERS && oldest !== undefined) dates.delete(oldest);
    },
  };
}
