/** What is loaded of restaurants: which business dates have anything, and since when. Business dates are YYYYMMDD integers. */

/** A business date on which a load changed anything. */
export interface TouchedDay {
  businessDate: number;
  /** Whether a record of the load is current on the date; false where the load only replaced or deleted there. */
  hasRecords: boolean;
}

/** What is loaded of a restaurant. */
export interface Coverage {
  /** YYYYMMDD: the first and the last date with an order or a time entry that is not deleted; null where there is none. */
  firstDate: number | null;
  lastDate: number | null;
  /** When a load last changed anything, ms UTC; null where none has since this is kept. */
  loadedAt: number | null;
  /** Another one whenever orders, time entries or reference data have changed. */
  version: string;
}

/** What is loaded of a restaurant and business date. */
export interface LoadedDay {
  businessDate: number;
  /** Those that are not deleted. */
  orders: number;
  /** As check reports list them. */
  checks: number;
  /** Those that are not deleted. */
  timeEntries: number;
  /** Whether all of its orders were loaded with their items and payments. */
  hasDetails: boolean;
  /** When a load last changed anything on it, ms UTC; null where none has since this is kept. */
  loadedAt: number | null;
}
