/**
 * What a report lacks: the details it is made from were not stored when the orders were loaded, or a connection has not
 * read the date yet.
 */

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
