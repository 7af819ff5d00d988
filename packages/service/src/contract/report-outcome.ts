/**
 * What is stored with the rows of a report: their sums, and what they lack because the details they are made from were
 * not stored when the orders were loaded, or a connection has not read the date yet.
 */

/** The sums of the rows of one currency. Amounts of different currencies are never added. */
export interface CurrencyTotals {
  /** ISO 4217; null for restaurants that have none. */
  currencyCode: string | null;
  /** How many rows there are; unknown for reports that were gathered by an earlier version. */
  rows?: number;
  /**
   * By field of the record, in its smallest unit: counts, cents, hours as integers (`DECIMALS` in families/family.ts).
   * Null for a sum of 2^53 units or more, which no number has exactly.
   */
  sums: Record<string, number | null>;
}

/** Details of orders that some reports require. */
export type OrderDetail = 'items' | 'payments';

/** A date that a connection has yet to read. */
export const STILL_READING = 'still_reading';

/** Business dates of restaurants that have orders loaded before the details were stored, or are still to be read. */
export interface Incomplete {
  /** How many there are. */
  count: number;
  /** The first `MOST_INCOMPLETE` of them, ordered by restaurant and date. `businessDate` is a YYYYMMDD integer. */
  days: {
    restaurantGuid: string;
    businessDate: number;
    /** Absent: the details that the family of the report requires. */
    missing?: typeof STILL_READING;
  }[];
}

/** The most that GET /reports/{guid} lists. */
export const MOST_INCOMPLETE = 1000;
