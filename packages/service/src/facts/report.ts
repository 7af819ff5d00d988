/** What reports ask of the facts, and what they get. */
import type { Daypart } from '../contract/dayparts.ts';
import type { Incomplete } from '../contract/incomplete.ts';
import type { CurrencyTotals } from '../contract/totals.ts';
import type { Aggregate } from '../contract/words.ts';

/** What a gather needs to know of a restaurant, looked up when it runs. */
export interface RestaurantScope {
  id: number;
  guid: string;
  name: string;
  /** Null or left out where the restaurant has none. */
  locationName?: string | null;
  locationCode?: string | null;
  closeoutHour: number;
  /** ISO 4217, or null. A report keeps the currency that each restaurant had when it was gathered. */
  currencyCode: string | null;
  /** For a report by daypart: they cover each hour once. */
  dayparts?: readonly Daypart[];
}

export interface GatherQuery {
  kind: string;
  restaurants: RestaurantScope[];
  startDate: number;
  endDate: number;
  aggregate: Aggregate;
  groups: string[];
  /** Whether guest payments show the fingerprints of cards; left out: they do not. */
  fingerprints?: boolean;
}

export interface Gathered {
  rows: number;
  /** When the snapshot was taken, milliseconds UTC. */
  asOf: number;
  /** Names what the rows were computed from: `changes` compares two of them, and `covers` says which is the later. */
  snapshot: string;
  /** One entry for each currency of the restaurants, by code, null last. Labour counts once for each restaurant and time. */
  totals: CurrencyTotals[];
  /** The restaurant days of which details are missing that the family needs; null where none is. */
  incomplete: Incomplete | null;
  /** Whether the form that was asked for with it is written. */
  rendered: boolean;
}

/** What of a snapshot is added up. */
export interface TotalsQuery {
  kind: string;
  /** `restaurant`, `businessDate`, `weekday` and splits of the family. */
  by: readonly string[];
  /** Whether the report has groups: then what counts once is on several of its rows. */
  grouped: boolean;
  /** How many the report has: each row is of one of them. */
  currencies: number;
  /** Fields that the report's rows are split by. */
  fields: readonly string[];
  /** Only rows of these dates: both ends count, weekdays are 1 for Monday to 7 for Sunday. */
  dates: { from: number | undefined; to: number | undefined; weekday: number | undefined };
  /** The most rows that are answered. */
  limit: number;
}

/** The rows of one currency that have the same keys. */
export interface TotalsRow {
  /** By field: texts, and the integers of the snapshot. */
  keys: Record<string, string | number | null>;
  /** The place of the currency among those of the report. */
  currency: number;
  rows: number;
  /** By field, in the units of the snapshot; null where the figure cannot be split so, or has no value. */
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

/** A check, order or time entry that is not the same in both: its figures as in control totals, null where it is not in that report. */
export interface Change {
  restaurantGuid: string;
  orderGuid: string | null;
  /** Of a check or a time entry. */
  guid: string | null;
  orderNumber: number | null;
  checkNumber: number | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** By restaurant, business date and GUID; `offset` and `limit` hold for each list. */
export interface Changes {
  checks: Change[];
  /** Of metrics only. */
  orders: Change[];
  /** Of menu reports: by check, item and names, which are in `before` and `after`. */
  lines: Change[];
  /** Of metrics only. */
  timeEntries: Change[];
}
