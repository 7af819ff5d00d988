/** The queries of reports to the facts, and their results. */
import type { Daypart } from '../contract/dayparts.ts';
import type { CurrencyTotals, Incomplete } from '../contract/report-outcome.ts';
import type { Aggregate } from '../contract/words.ts';

/** The properties of a restaurant that a gather uses, read when it runs. */
export interface RestaurantScope {
  id: number;
  guid: string;
  name: string;
  /** Null or absent if the restaurant has none. */
  locationName?: string | null;
  locationCode?: string | null;
  /** IANA. */
  timeZone: string;
  closeoutHour: number;
  /** ISO 4217, or null. A report keeps the currency that each restaurant had when it was gathered. */
  currencyCode: string | null;
  /** For a report by daypart; they cover each hour once. */
  dayparts?: readonly Daypart[];
}

export interface GatherQuery {
  kind: string;
  restaurants: RestaurantScope[];
  startDate: number;
  endDate: number;
  aggregate: Aggregate;
  groups: string[];
  /** Whether guest payments include the fingerprints of cards; by default they do not. */
  fingerprints?: boolean;
}

export interface Gathered {
  rows: number;
  /** When the snapshot was taken, milliseconds since 1970 UTC. */
  asOf: number;
  /**
   * Identifies the data from which the rows were computed: `changes` compares two snapshots, and `covers` says which is
   * later.
   */
  snapshot: string;
  /**
   * One entry for each currency of the restaurants, by code, null last. Labour counts once for each restaurant and
   * time.
   */
  totals: CurrencyTotals[];
  /** The restaurants and days on which details that the family requires are missing; null if there are none. */
  incomplete: Incomplete | null;
  /** Whether the requested first form was made, in its file or as `text`. */
  rendered: boolean;
  /** The first form of a small report, which is then in no file. */
  text?: string | undefined;
}

/** How to add up the rows of a snapshot. */
export interface TotalsQuery {
  kind: string;
  /** `restaurant`, `businessDate`, `weekday` and splits of the family. */
  by: readonly string[];
  /** Whether the report has groups: then values that count once occur on several of its rows. */
  grouped: boolean;
  /** How many currencies the report has; each row has one of them. */
  currencies: number;
  /** The fields by which the report's rows are split. */
  fields: readonly string[];
  /** The sums and ratios to return; undefined for all of the family. */
  figures: readonly string[] | undefined;
  /** Only rows of these dates: both inclusive, weekdays are 1 for Monday to 7 for Sunday. */
  dates: { from: number | undefined; to: number | undefined; weekday: number | undefined };
  /** The most rows to return. */
  limit: number;
}

/** The sums of the rows with the same currency and keys. */
export interface TotalsRow {
  /** By field: text, and the integers of the snapshot. */
  keys: Record<string, string | number | null>;
  /** The index of the currency among those of the report. */
  currency: number;
  rows: number;
  /** By field, in the units of the snapshot; null if the figure cannot be split this way, or has no value. */
  figures: Record<string, number | null>;
}

/** The same request, gathered twice. */
export interface ChangesQuery {
  kind: string;
  startDate: number;
  endDate: number;
  before: { snapshot: string; restaurants: RestaurantScope[] };
  after: { snapshot: string; restaurants: RestaurantScope[] };
  offset: number;
  limit: number;
}

/**
 * A check, order or time entry that differs between the reports: its figures in the units of the control totals, null
 * if a report does not have it.
 */
export interface Change {
  restaurantGuid: string;
  orderGuid: string | null;
  /** For a check or a time entry. */
  guid: string | null;
  orderNumber: number | null;
  checkNumber: number | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** By restaurant, business date and GUID; `offset` and `limit` apply to each list. */
export interface Changes {
  checks: Change[];
  /** Only for metrics. */
  orders: Change[];
  /** For menu reports: by check, item and names, which are in `before` and `after`. */
  lines: Change[];
  /** Only for metrics. */
  timeEntries: Change[];
}
