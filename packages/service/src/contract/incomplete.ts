/** What a report cannot say, because what it is made of was not kept when the orders were loaded. */

/** The details of orders that reports need beside their sums. */
export type OrderDetail = 'items' | 'payments';

/** Business dates of restaurants with orders that were loaded before the details were kept. */
export interface Incomplete {
  /** How many there are. */
  count: number;
  /** The first of them by restaurant and date, `MOST_INCOMPLETE` at most. `businessDate` is YYYYMMDD. */
  days: { restaurantGuid: string; businessDate: number }[];
}

/** Listed in the description of a report. */
export const MOST_INCOMPLETE = 1000;
