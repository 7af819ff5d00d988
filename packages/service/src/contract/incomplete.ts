/** What a report lacks because the details it is made from were not stored when the orders were loaded. */

/** Details of orders that some reports require. */
export type OrderDetail = 'items' | 'payments';

/** Business dates of restaurants that have orders loaded before the details were stored. */
export interface Incomplete {
  /** How many there are. */
  count: number;
  /** The first `MOST_INCOMPLETE` of them, ordered by restaurant and date. `businessDate` is a YYYYMMDD integer. */
  days: { restaurantGuid: string; businessDate: number }[];
}

/** The most that GET /reports/{guid} lists. */
export const MOST_INCOMPLETE = 1000;
