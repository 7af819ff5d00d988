/** The dates on which small loads stored orders recently: where to look first. An order may be on another date by now. */

/** Some 10 MB. */
const MOST_ORDERS = 50_000;

export interface RecentDates {
  /** Business dates (YYYYMMDD) of orders by their keys; undefined for an order that is not among them. */
  of(key: string): number | undefined;
  /** Remembers an order. */
  stored(key: string, businessDate: number): void;
}

export function createRecentDates(): RecentDates {
  const dates = new Map<string, number>();
  return {
    of: (key) => dates.get(key),
    stored(key, businessDate) {
      // The one that was stored first is the first key.
      dates.delete(key);
      dates.set(key, businessDate);
      const [oldest] = dates.keys();
      if (dates.size > MOST_ORDERS && oldest !== undefined) dates.delete(oldest);
    },
  };
}
