/**
 * The facts: what metrics and checks are computed from. Embedded form: DuckDB in a child process. Data goes in and
 * out as files; only file names and counts cross to the engine. Money is integer cents, instants milliseconds since
 * 1970 UTC, business dates YYYYMMDD integers, hours of work micro-hours (1 h = 1,000,000), GUIDs lower case.
 */

import type { Daypart } from '../contract/dayparts.ts';
import type { Incomplete } from '../contract/incomplete.ts';
import type { CurrencyTotals } from '../contract/totals.ts';
import type { Aggregate, Dialect } from '../contract/words.ts';
import type { CardPaymentFact } from './card-payment.ts';
import type { LineFact } from './line.ts';
import type { Coverage, LoadedDay, TouchedDay } from './loaded.ts';
import type { Menu, MenuCounts } from './menus.ts';

/**
 * The parts of an order that have rows of their own, each with a table of its name. A version of an order brings its rows of
 * every part, and takes them along when it is replaced.
 */
export const ORDER_PARTS = ['checks', 'lines', 'card_payments'] as const satisfies (keyof PartFacts)[];
export type OrderPart = (typeof ORDER_PARTS)[number];

/** A line of the file of each part. Order, business date and opened time of a stored row are those of its order. */
export interface PartFacts {
  checks: CheckFact;
  lines: LineFact;
  card_payments: CardPaymentFact;
}

/** Bits of `details` of an order: which of its details the load that brought it has read. */
export const DETAILS = { items: 1, payments: 2 } as const;

/** What an order is to the metrics (docs/metrics.md#what-counts): `gone` is deleted or waste, kept so that an older copy cannot bring it back. */
export type OrderStanding = 'counted' | 'voided' | 'gone';

/** One line of `orders.ndjson`. Every property is always written; null where there is none. */
export interface OrderFact {
  /** 0-based place in the body: the later of two equal versions wins. */
  seq: number;
  order_guid: string;
  business_date: number;
  /** Local clock hour of the order's opened time, 0 to 23. */
  business_hour: number;
  opened_at: number;
  /** 0 where the order has no modifiedDate: any dated version is newer. */
  modified_at: number;
  standing: OrderStanding;
  /** The sum of its `DETAILS`; 0 for orders loaded by a version that read none of them. */
  details: number;
  dining_guid: string | null;
  dining_name: string | null;
  revenue_guid: string | null;
  revenue_name: string | null;
  /** Normalised (docs/metrics.md#sales-metrics), null if missing. */
  source: string | null;
  /** 0 unless counted. */
  guests: number;
  /** Counted, and with a live check that is not CLOSED. */
  open: boolean;
  /** voidOrdersCount of docs/metrics.md#sales-metrics; false when gone. */
  has_void: boolean;
  has_discount: boolean;
  void_cents: number;
  /** Sums over live checks; 0 unless counted. */
  gross_cents: number;
  discount_cents: number;
  refund_cents: number;
}

/** One line of `checks.ndjson`: docs/metrics.md#check-records. Checks that the report does not list are not written. */
export interface CheckFact {
  /** The `seq` of its order. */
  seq: number;
  order_guid: string;
  check_guid: string;
  business_date: number;
  /** The order's. */
  opened_at: number;
  order_number: number | null;
  check_number: number | null;
  paid_at: number | null;
  modified_at: number | null;
  status: string | null;
  voided: boolean;
  dining_guid: string | null;
  dining_name: string | null;
  revenue_guid: string | null;
  revenue_name: string | null;
  server_guid: string | null;
  /** First and last name where the order carries them. */
  server_name: string | null;
  total_cents: number;
  discount_cents: number;
  tax_cents: number;
  tip_cents: number;
  gratuity_cents: number;
  refund_cents: number;
  /** What the check adds to its order: over all checks they sum up to the order's. Sales are 0 unless it is live. */
  void_cents: number;
  sales_gross_cents: number;
  sales_discount_cents: number;
  sales_refund_cents: number;
}

/** What of a time entry was worked in one local clock hour, 0 to 23. */
export interface WorkedHour {
  hour: number;
  micro_hours: number;
  pay_cents: number;
}

/** One line of `shifts.ndjson`: a time entry. */
export interface ShiftFact {
  seq: number;
  entry_guid: string;
  business_date: number;
  in_at: number;
  /** null while the shift is open. */
  out_at: number | null;
  modified_at: number;
  deleted: boolean;
  job_guid: string | null;
  /** As the entry carries them, for what reference data has no name of; so are those of the employee. */
  job_title: string | null;
  job_code: string | null;
  employee_guid: string | null;
  employee_first: string | null;
  employee_last: string | null;
  employee_chosen: string | null;
  /** False without an hourlyWage: not an hourly job. */
  hourly: boolean;
  /** regularHours + overtimeHours in micro-hours. */
  micro_hours: number;
  /** Pay of the whole entry, rounded to cents once (docs/metrics.md#sales-metrics), with the restaurant's overtime multiplier. */
  pay_cents: number;
  /** The part of `micro_hours` and of `pay_cents` that is overtime; the rest is regular. */
  overtime_micro: number;
  overtime_cents: number;
  /** Hours and pay by local clock hour; they add up to the entry's. Empty unless it has ended. */
  by_hour: WorkedHour[];
}

export type SettlementStatus = 'CAPTURED' | 'SENT' | 'NONE';

/** A payment or refund that a settlement names. */
export interface SettledTransaction {
  payment_guid: string | null;
  refund: boolean;
  paid_at: number | null;
  /** The restaurant's wall clock at `paid_at`, whole seconds as milliseconds as if it were UTC. */
  paid_local: number | null;
}

/** One line of `settlements.ndjson`: a deposit of card payments. */
export interface SettlementFact {
  seq: number;
  settlement_guid: string;
  /** 0 where it is deleted, and so are all sums. */
  settled_date: number;
  modified_at: number;
  deleted: boolean;
  status: SettlementStatus;
  /** Payments, as given or counted. */
  transaction_count: number;
  payment_cents: number;
  refund_cents: number;
  fee_cents: number;
  /** Withholdings of transactions, and adjustments. */
  withheld_cents: number;
  transactions: SettledTransaction[];
}

/** What of a stored order a later version of it must know. */
export type StoredOrder = Pick<OrderFact, 'business_date' | 'business_hour' | 'opened_at' | 'modified_at' | 'standing'>;

export type LoadKind = 'orders' | 'shifts' | 'settlements';

/** The files of one load, all in `folder`: `orders.ndjson` and one for each of `ORDER_PARTS`, `shifts.ndjson` or `settlements.ndjson`. */
export interface SpoolFiles {
  kind: LoadKind;
  folder: string;
}

/** A small load, its lines as they would be in the files: some 250 kB at most, since it is merged in memory. */
export interface SpoolLines {
  kind: LoadKind;
  /** One a line. */
  records: string;
  /** Of orders: a missing part has no lines. */
  parts: Partial<Record<OrderPart, string>>;
}

/** The facts of one load. */
export type Spool = SpoolFiles | SpoolLines;

export interface MergeCounts {
  /** Records that now stand (newer than, or equal to, what was there, in the order of the body). */
  accepted: number;
  /** Records older than what was there. */
  unchanged: number;
}

export interface Merged extends MergeCounts {
  /** The number of the load: each has its own, and a later one's is higher. */
  load: number;
  /** By date; none where no record was accepted. */
  days: TouchedDay[];
}

export interface NamedRef {
  guid: string;
  name: string;
}
export interface Reference {
  diningOptions: NamedRef[];
  revenueCenters: NamedRef[];
  employees: { guid: string; firstName: string; lastName: string; chosenName: string }[];
  jobs: { guid: string; title: string; code: string; wageFrequency: string | null; excludeFromReporting: boolean }[];
}

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
  /** Names what the rows were computed from: `changes` compares two of them, and `covers` tells which is the later. */
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
  /** How many the report has: each row is of one of them. */
  currencies: number;
  /** Fields that the report's rows are split by. */
  fields: readonly string[];
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
  /** Of menu reports: by check, item and names, which stand in `before` and `after`. */
  lines: Change[];
  /** Of metrics only. */
  timeEntries: Change[];
}

/** Days of one kind of sheet that are not what the facts say; `days` counts all, `first` names up to 20. */
export interface SheetFault {
  sheet: 'daily rollups' | 'menu rollups' | 'labour rollups' | 'loaded days' | 'order dates';
  days: number;
  first: { restaurantId: number; businessDate: number }[];
}

/** What a form is written in. */
export type Format = 'json' | 'ndjson' | 'csv' | 'parquet';

/** One rendering of a snapshot. */
export interface Form {
  format: Format;
  /** Of a report family. */
  kind: string;
  dialect: Dialect;
  /** CSV alone: a byte order mark stands before it. */
  bom?: true;
  /** Whether restaurantName is in. */
  names: boolean;
  /** Of the report: the `live` dialect leaves out the fields of groupings that were not asked for. */
  groups: string[];
  aggregate: Aggregate;
}

/**
 * What work waits behind: only what is in the same lane. `short` and `long` are for gathers and what belongs to them
 * (what is short takes either), `quick` and `render` for what a call waits for.
 */
export type WorkLane = 'short' | 'long' | 'quick' | 'render';

export interface Bounds {
  /** Milliseconds until the work is interrupted and EngineTimeout is thrown. */
  deadlineMs: number;
  signal?: AbortSignal;
  /** Left out: `short`, of a rendering `quick`. */
  lane?: WorkLane;
  /** Called now and then with how much is done, 0 to 1, in a gather and a rendering; it may go back a little. */
  onProgress?: ((done: number) => void) | undefined;
}

/** The engine did not answer in time. */
export class EngineTimeout extends Error {
  override readonly name = 'EngineTimeout';
}
/** The engine stopped, is being restarted, or has no disk left: nothing of the call was kept. `full` tells the last. */
export class EngineGone extends Error {
  override readonly name = 'EngineGone';
  readonly full: boolean;
  constructor(message: string, full = false) {
    super(message);
    this.full = full;
  }
}

/** Both are the ledger's: `LedgerIdentity`. */
export interface FactsIdentity {
  id: string;
  epoch: string;
}

/** What is loaded. */
export interface LoadedFacts {
  /**
   * Merges one load: durable when resolved, nothing kept when thrown. Newest modified_at wins, equal replaces. Small loads
   * that wait are merged in one transaction, with the same outcome as one after another, and none of them fails because
   * of another. Those who load take turns by `turn`.
   */
  merge(restaurantId: number, spool: Spool, turn?: string): Promise<Merged>;
  /** What is loaded of restaurants. From memory: it may be asked for as often as anybody likes. */
  coverage(restaurantIds: readonly number[]): Promise<Map<number, Coverage>>;
  /** The dates of a span that have an order or a time entry, in their order; both ends count. */
  loadedDays(restaurantId: number, from: number, to: number): Promise<LoadedDay[]>;
  /** What stands of an order, deleted or not; undefined when it was never merged. */
  order(restaurantId: number, orderGuid: string): Promise<StoredOrder | undefined>;
  /** Drops the versions that were replaced before the instant (ms UTC). */
  forgetReplaced(before: number): Promise<void>;
}

/** Names and menus that are loaded beside the facts. */
export interface ReferenceFacts {
  /** Each list present replaces that list; answers what is stored, lists by guid. */
  putReference(restaurantId: number, lists: Partial<Reference>): Promise<Reference>;
  reference(restaurantId: number): Promise<Reference>;
  /** Replaces all menus; answers how many of each there are now. */
  putMenus(restaurantId: number, menus: readonly Menu[]): Promise<MenuCounts>;
  /** In the order in which they were put. */
  menus(restaurantId: number): Promise<Menu[]>;
}

/** What reports are made of. */
export interface ReportFacts {
  /**
   * Computes the rows (in the order of docs/contract.md#row-order) into a Parquet file that `render` reads. Of a small report it also writes the
   * form that is asked for, which then costs a fraction of `render`; `rendered` tells.
   */
  gather(query: GatherQuery, parquet: string, bounds: Bounds, first?: { form: Form; file: string }): Promise<Gathered>;
  /** Writes the records of a snapshot, in the field order of docs/contract.md#records, in the format of the form. */
  render(parquet: string, form: Form, file: string, bounds: Bounds): Promise<void>;
  /** Adds up the rows of a snapshot, by the keys of the query in their order. */
  totals(parquet: string, query: TotalsQuery, bounds: Bounds): Promise<TotalsRow[]>;
  /** What moved between two snapshots, while the versions replaced since then are kept. */
  changes(query: ChangesQuery, bounds: Bounds): Promise<Changes>;
  /** Whether a snapshot has every load of another. Of two that were taken one after the other, the later covers the earlier. */
  covers(snapshot: string, other: string): boolean;
}

/** What keeps the facts whole. */
export interface FactsStore {
  /** Compares what is kept besides the facts with the facts, in one snapshot. Empty when all is well. */
  verify(bounds: Bounds): Promise<SheetFault[]>;
  /** Computes what is kept besides the facts again, in one transaction. */
  rebuild(bounds: Bounds): Promise<void>;
  /** Which data folder the facts belong to; undefined before they were told. */
  identity(): Promise<FactsIdentity | undefined>;
  identify(identity: FactsIdentity): Promise<void>;
  /** The highest id of a restaurant that there is anything of, 0 where there is none, and the snapshot that a report would see now. */
  highest(): Promise<{ restaurantId: number; snapshot: string }>;
  /** Copies the facts to their place in a folder; no load is merged before `meanwhile` has ended too. */
  backup(folder: string, meanwhile: () => Promise<void>): Promise<void>;
  /** Throws when the engine does not answer within the deadline. */
  ping(deadlineMs: number): Promise<void>;
  /** Interrupts what runs and ends the engine. */
  close(): Promise<void>;
}

export interface Facts extends LoadedFacts, ReferenceFacts, ReportFacts, FactsStore {}
