/**
 * What is loaded for restaurants: the business dates that have data, and since when. Business dates are YYYYMMDD
 * integers.
 */

/** A business date on which a load changed anything. */
export interface TouchedDay {
  businessDate: number;
  /** Whether a record of the load is current on the date; false if the load only replaced or deleted records there. */
  hasRecords: boolean;
}

/** What is loaded of a restaurant. */
export interface Coverage {
  /**
   * YYYYMMDD: the first and the last date with data: an order, a dated part of one, or a time entry that is not
   * deleted, or items of a waste order; null if there is none.
   */
  firstDate: number | null;
  lastDate: number | null;
  /** When a load last changed anything, ms since 1970 UTC; null if no load has since this is recorded. */
  loadedAt: number | null;
  /** Changes whenever orders, time entries, settlements, reference data or menus change. */
  version: string;
}

/** What is loaded of a restaurant and business date. */
export interface LoadedDay {
  businessDate: number;
  /** Orders that are neither deleted nor waste. */
  orders: number;
  /** Checks as listed in check reports. */
  checks: number;
  /** Time entries that are not deleted. */
  timeEntries: number;
  /** Whether all of its orders were loaded with their items and payments. */
  hasDetails: boolean;
  /** When a load last changed anything on the date, ms since 1970 UTC; null if no load has since this is recorded. */
  loadedAt: number | null;
}
