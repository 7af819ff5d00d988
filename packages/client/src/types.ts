/** What the resources of the client share: options of calls, and what is known of reports. Names are those of the wire (reference dialect). */

export type TimeRange = 'day' | 'week' | 'month' | 'year';

/** The forms of a report that a Daypart service has; the live system has JSON alone. */
export type Format = 'json' | 'ndjson' | 'csv' | 'parquet';

/** Which restaurants a report is about: all active ones of the group unless said otherwise. */
export interface Restaurants {
  restaurantIds?: readonly string[] | undefined;
  /** All but these. Not together with `restaurantIds`. */
  excludedRestaurantIds?: readonly string[] | undefined;
  /** Only restaurants that are inactive now. */
  onlyInactiveRestaurants?: boolean | undefined;
}

/** `restaurantName` is there where it was asked for. */
export type Named<A> = A extends { fetchRestaurantNames: true }
  ? { restaurantName: string }
  : { restaurantName?: string };

/** The restaurant of a record whose names are there in any case. */
export interface OfRestaurant {
  restaurantGuid: string;
  restaurantName: string;
  restaurantLocationName: string | null;
  /** Empty where the restaurant has none. */
  restaurantLocationCode: string;
}

export interface Restaurant {
  restaurantGuid: string;
  restaurantName: string;
  active: boolean;
  testMode: boolean;
  archived: boolean;
  /** ISO 4217, null for none; undefined where the service does not say, such as the live system. */
  currencyCode?: string | null | undefined;
}

/** What the rows of one currency add up to: `currencyCode`, and sums by the names and types of the fields in the rows. */
export interface ControlTotals {
  currencyCode: string | null;
  [field: string]: number | string | null;
}

/** What totals can be made by, as far as the report has it. */
export type TotalsBy =
  | 'restaurant'
  | 'businessDate'
  | 'weekday'
  | 'businessHour'
  | 'diningOption'
  | 'revenueCenter'
  | 'orderSource'
  | (string & {});

/** What of a report is added up. */
export interface TotalsQuery {
  /** At most three; none adds up the whole report. */
  by?: readonly TotalsBy[] | undefined;
  /** The figures of each row, by their names; all without it. */
  fields?: readonly string[] | undefined;
  /** Only rows of dates from this one on, and up to that one: YYYYMMDD. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only rows of dates of this weekday: 1 for Monday to 7 for Sunday. */
  weekday?: number | undefined;
}

/** Rows of a report added up: the keys of `by`, and figures by the names and types of the fields in the rows, made of one currency. */
export interface TotalsRow {
  /** ISO 4217, null for none. */
  currencyCode: string | null;
  /** How many rows of the report were added up. */
  rows: number;
  /** Null where a figure cannot be split so, as labour by a group, or has no value. */
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
  /** The time of the snapshot that the rows were computed from, UTC ISO 8601; null where the service does not say. */
  asOf: string | null;
  /**
   * How many restaurants and dates lack items or payments, because their orders were loaded before these were kept: figures of them are too
   * low. 0 where the service says of none; `reports.status(guid)` lists them as `incomplete`.
   */
  incomplete: number;
  rows: Row[];
}

/** What one check of a report answers. */
export type Retrieval<Row> =
  | ({ ready: true } & Report<Row>)
  /** `retryAfterMs` is when to look again; null where the service does not say. */
  | { ready: false; guid: string; reportStatus: string; retryAfterMs: number | null };

/** The progress of a call. A state that a later version adds means: still waiting. */
export interface Progress {
  state: 'creating' | 'waiting' | 'reading';
  /** Null until it is created. A 409 makes a new one. */
  guid: string | null;
  /** 1 for the first reportRequestGuid. */
  attempt: number;
  /** Milliseconds since the call began. */
  elapsedMs: number;
  /** Milliseconds until the next look; null where it is under way. */
  nextMs: number | null;
}

export interface CallOptions {
  /** Ends the call; what is thrown is its reason. */
  signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Creates with the same key and the same ask answer the same reportRequestGuid for 24 hours; a new key unless given. */
  idempotencyKey?: string | undefined;
  /** `later`: the JSON is rendered when it is first read. A report that is only added up is ready sooner. Other services ignore it. */
  forms?: 'later' | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Longest time for all of the call, in milliseconds; 15 minutes unless said otherwise. */
  timeoutMs?: number | undefined;
  /** New reportRequestGuids that are asked for after a 409; 2 unless said otherwise. */
  maxNewGuids?: number | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** How the rows of a report are read that was asked for before. */
export interface RowsOptions extends WaitOptions {
  /** Whether they have `restaurantName`. Where a report is asked for, the ask says so. */
  fetchRestaurantNames?: boolean | undefined;
}

/** GET /reports/{guid} of a Daypart service. */
export interface ReportStatus {
  reportRequestGuid: string;
  /** Of a report family, such as `metrics`. */
  kind: string;
  /** Of the client that asked for it. */
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
  /** One entry a currency; null until it is completed. */
  controlTotals?: ControlTotals[] | null | undefined;
  /** Of reports that need items or payments: where they are missing; the first 1,000 restaurants and dates. */
  incomplete?: { restaurantGuid: string; businessDate: string; missing: string }[] | null | undefined;
  /** What exists of a completed report, uncompressed; other files are made when they are first read. Of one report, not of a list. */
  files?: ReportFile[] | undefined;
  failure: unknown;
  [more: string]: unknown;
}

/** A file of a report. */
export interface ReportFile {
  format: Format;
  fetchRestaurantNames: boolean;
  /** Whether it begins with a byte order mark. */
  bom: boolean;
  bytes: number;
}
