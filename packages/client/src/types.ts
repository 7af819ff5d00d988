/**
 * Types shared by the resources: options of calls, and properties of reports. Names are those of the wire (reference
 * dialect).
 */

export type TimeRange = 'day' | 'week' | 'month' | 'year';

/** The forms of a report on a Daypart service; the live system has only JSON. */
export type Format = 'json' | 'ndjson' | 'csv' | 'parquet' | 'xlsx';

/**
 * `people`, for CSV and Parquet, and the only one of workbooks: the name of the restaurant and `currencyCode` first,
 * GUIDs last, in CSV dates as 2026-03-10.
 */
export type Layout = 'record' | 'people';

/** The restaurants of a report: by default all active ones of the group. */
export interface Restaurants {
  restaurantIds?: readonly string[] | undefined;
  /** All but these. Not together with `restaurantIds`. */
  excludedRestaurantIds?: readonly string[] | undefined;
  /** Only restaurants that are inactive now. */
  onlyInactiveRestaurants?: boolean | undefined;
}

/** `restaurantName` is present if it was requested. */
export type Named<A> = A extends { fetchRestaurantNames: true }
  ? { restaurantName: string }
  : { restaurantName?: string };

/** The restaurant of a record that always has its names. */
export interface OfRestaurant {
  restaurantGuid: string;
  restaurantName: string;
  restaurantLocationName: string | null;
  /** Empty if the restaurant has none. */
  restaurantLocationCode: string;
}

export interface Restaurant {
  restaurantGuid: string;
  restaurantName: string;
  active: boolean;
  testMode: boolean;
  archived: boolean;
  /** ISO 4217, null for none; undefined if the service does not report it, as the live system. */
  currencyCode?: string | null | undefined;
}

/**
 * The sums of the rows of one currency: `currencyCode`, the number of `rows`, and sums by the names and types of the
 * fields in the rows.
 */
export interface ControlTotals {
  currencyCode: string | null;
  [field: string]: number | string | null;
}

/** The possible values of `by`; a report has only some of them. */
export type TotalsBy =
  | 'restaurant'
  | 'businessDate'
  | 'weekday'
  | 'businessHour'
  | 'diningOption'
  | 'revenueCenter'
  | 'orderSource'
  | (string & {});

/** How to add up a report. */
export interface TotalsQuery {
  /** At most three; without any, the whole report is added up. */
  by?: readonly TotalsBy[] | undefined;
  /** The figures of each row, by name; all by default. */
  fields?: readonly string[] | undefined;
  /** Only rows with dates from this one on, and up to that one, inclusive: YYYYMMDD. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only rows with dates of this weekday: 1 for Monday to 7 for Sunday. */
  weekday?: number | undefined;
}

/**
 * Sums of rows with the same keys and currency: the keys of `by`, and figures by the names and types of the fields in
 * the rows.
 */
export interface TotalsRow {
  /** ISO 4217, null for none. */
  currencyCode: string | null;
  /** How many rows of the report were added up. */
  rows: number;
  /** Null if a figure cannot be split this way, as labour by a group, or has no value. */
  [field: string]: number | string | null;
}

export interface ReportTotals<Row = TotalsRow> {
  reportRequestGuid: string;
  asOf: string | null;
  by: string[];
  rows: Row[];
}

/** A finished report. */
export interface Report<Row> {
  guid: string;
  /** The time of the snapshot from which the rows were computed, UTC ISO 8601; null if the service does not say. */
  asOf: string | null;
  /**
   * For how many restaurants and dates items or payments are missing, because their orders were loaded before these
   * were stored: their figures are too low. 0 if the service reports none; `reports.status(guid)` lists them as
   * `incomplete`.
   */
  incomplete: number;
  rows: Row[];
}

/** The result of checking a report once. */
export type Retrieval<Row> =
  | ({ ready: true } & Report<Row>)
  /** `retryAfterMs` is when to check again; null if the service does not say. */
  | { ready: false; guid: string; reportStatus: string; retryAfterMs: number | null };

/** The progress of a call. Treat unknown states, which a later version may add, as waiting. */
export interface Progress {
  state: 'creating' | 'waiting' | 'reading';
  /** Null until it is created. A 409 leads to a new one. */
  guid: string | null;
  /** 1 for the first reportRequestGuid. */
  attempt: number;
  /** Milliseconds since the call began. */
  elapsedMs: number;
  /** Milliseconds until the next check; null while one is in progress. */
  nextMs: number | null;
}

export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * For 24 hours, creates with the same key and the same ask return the same reportRequestGuid; a new key by default.
   */
  idempotencyKey?: string | undefined;
  /**
   * `later`: the JSON is rendered when it is first read. A report that is only added up is ready sooner. Other services
   * ignore it.
   */
  forms?: 'later' | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Longest time for the whole call, in milliseconds; 15 minutes by default. */
  timeoutMs?: number | undefined;
  /** How many new reportRequestGuids are created after a 409; 2 by default. */
  maxNewGuids?: number | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options for reading the rows of an existing report. */
export interface RowsOptions extends WaitOptions {
  /** Whether they have `restaurantName`. For a new report the ask says so. */
  fetchRestaurantNames?: boolean | undefined;
}

/** GET /reports/{guid} of a Daypart service. */
export interface ReportStatus {
  reportRequestGuid: string;
  /** The report family, such as `metrics`. */
  kind: string;
  /** The client that requested it. */
  clientId?: string | undefined;
  /** The call that created it; its path is below the base. */
  request: { method: string; path: string; body: Record<string, unknown> };
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | (string & {});
  rows: number | null;
  bytes: number | null;
  createdAt: string;
  completedAt: string | null;
  expiresAt: string | null;
  asOf: string | null;
  /** One entry per currency; null until it is completed. */
  controlTotals?: ControlTotals[] | null | undefined;
  /** For reports that require items or payments: where these are missing; the first 1,000 restaurants and dates. */
  incomplete?: { restaurantGuid: string; businessDate: string; missing: string }[] | null | undefined;
  /**
   * The existing uncompressed files of a completed report; others are made when they are first read. Absent in a list.
   */
  files?: ReportFile[] | undefined;
  failure: unknown;
  [more: string]: unknown;
}

/** A file of a report. */
export interface ReportFile {
  format: Format;
  /** Absent if the service has only that of the record. */
  layout?: Layout | undefined;
  fetchRestaurantNames: boolean;
  /** Whether it begins with a byte order mark. */
  bom: boolean;
  bytes: number;
}
