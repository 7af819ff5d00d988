/**
 * The facts, from which reports are computed, in DuckDB in a child process (`duckdb/`), or in ClickHouse for several
 * nodes (`clickhouse/`). Data is exchanged through files; only file names and counts are sent to the engine. Money is
 * integer cents, instants milliseconds since 1970 UTC, business dates YYYYMMDD integers, hours of work micro-hours (1 h
 * = 1,000,000), GUIDs lower case.
 */
import type { Bounds } from './bounds.ts';
import type { Form } from './form.ts';
import type { Merged, Spool } from './load.ts';
import type { Coverage, LoadedDay } from './loaded.ts';
import type { StoredCheck, StoredOrder } from './order.ts';
import type { Menu, MenuCounts, Reference } from './reference.ts';
import type { Changes, ChangesQuery, Gathered, GatherQuery, TotalsQuery, TotalsRow } from './report.ts';
import type { CountingEntry, EntryQuery } from './shift.ts';

/** Days on which one kind of rollup differs from the facts; `days` counts all, `first` names up to 20. */
export interface RollupFault {
  label: 'daily rollups' | 'menu rollups' | 'labor rollups' | 'loaded days' | 'order dates';
  days: number;
  first: { restaurantId: number; businessDate: number }[];
}

/** Committed loads that have lost rows, because the rows are from an older copy than the record of committed loads. */
export interface LostLoads {
  loads: number;
  restaurantIds: readonly number[];
  /** When the first and the last of them were committed, milliseconds since 1970 UTC. */
  first: number;
  last: number;
}

/** Both belong to the ledger: `LedgerIdentity`. */
export interface FactsIdentity {
  id: string;
  epoch: string;
}

/** What is loaded. */
export interface LoadedFacts {
  /**
   * Merges one load: durable when resolved, nothing is stored when it throws, except for FactsGone with
   * `outcomeUnknown`. The newest modified_at wins, and an equal one replaces unless its facts are the same. A load that
   * changes nothing writes nothing. Small loads that wait together are merged in one transaction, with the same outcome
   * as one after another, and none of them fails because of another. Callers with different `turn` take turns.
   */
  merge(restaurantId: number, spool: Spool, turn?: string): Promise<Merged>;
  /** What is loaded for restaurants. Read from memory, so it is cheap to call often. */
  coverage(restaurantIds: readonly number[]): Promise<Map<number, Coverage>>;
  /** The last date of each that is not after `until` and has data; absent if it has none. Reads, so ask for few. */
  lastDates(restaurantIds: readonly number[], until: number): Promise<Map<number, number>>;
  /** The dates of a span, both inclusive, that have an order, a dated part of one, a time entry or waste, in order. */
  loadedDays(restaurantId: number, from: number, to: number): Promise<LoadedDay[]>;
  /** The GUIDs of the orders of a business date that are neither deleted nor waste, in order. */
  ordersOf(restaurantId: number, businessDate: number): Promise<string[]>;
  /** The current version of an order, deleted or not; undefined if it was never merged. */
  order(restaurantId: number, orderGuid: string): Promise<StoredOrder | undefined>;
  /** Deletes the versions that were replaced before the instant (ms since 1970 UTC). */
  forgetReplaced(before: number): Promise<void>;
}

/** Single records. */
export interface RecordFacts {
  /** The time entries that count in labor, by date, start and GUID. */
  timeEntries(restaurantId: number, query: EntryQuery): Promise<CountingEntry[]>;
  /** A listed check with its parts, the latest one with this GUID; undefined if there is none. */
  check(restaurantId: number, checkGuid: string): Promise<StoredCheck | undefined>;
}

/** Names and menus, loaded in addition to orders and time entries. */
export interface ReferenceFacts {
  /** Replaces each list that is present; returns what is stored then, lists by GUID. */
  putReference(restaurantId: number, lists: Partial<Reference>): Promise<Reference>;
  reference(restaurantId: number): Promise<Reference>;
  /** Whether any menus, or any names, are stored. */
  hasList(restaurantId: number, of: 'menus' | 'reference'): Promise<boolean>;
  /** Replaces all menus; returns how many of each kind there are now. */
  putMenus(restaurantId: number, menus: readonly Menu[]): Promise<MenuCounts>;
  /** In the order in which they were put. */
  menus(restaurantId: number): Promise<Menu[]>;
}

/** What reports are made of. */
export interface ReportFacts {
  /**
   * Computes the rows (ordered as in docs/contract.md#row-order) into a Parquet file that `render` reads. For a small
   * report it also makes the first form, at a fraction of the cost of `render`, in its file or as `text`; `rendered`
   * says whether it did.
   */
  gather(query: GatherQuery, parquet: string, bounds: Bounds, first?: { form: Form; file: string }): Promise<Gathered>;
  /**
   * Writes the records of a snapshot, with the fields of docs/contract.md#records, in the format of the form; of a
   * workbook the rows of its sheet, as XML. Returns the number of rows.
   */
  render(parquet: string, form: Form, file: string, bounds: Bounds): Promise<number>;
  /** Adds up the rows of a snapshot, by the keys of the query. */
  totals(parquet: string, query: TotalsQuery, bounds: Bounds): Promise<TotalsRow[]>;
  /** The changes between two snapshots, as long as the versions replaced since then are kept. */
  changes(query: ChangesQuery, bounds: Bounds): Promise<Changes>;
  /**
   * Whether a snapshot includes every load of another. Of two taken one after the other, the later covers the earlier.
   */
  covers(snapshot: string, other: string): boolean;
}

/** Verifies, rebuilds, identifies and copies the facts. */
export interface FactsStore {
  /** Compares the rollups with the facts, in one snapshot. Empty if everything matches. */
  verify(bounds: Bounds): Promise<RollupFault[]>;
  /** Committed loads that have lost rows; undefined if there are none. */
  lost(bounds: Bounds): Promise<LostLoads | undefined>;
  /** Computes the rollups again, in one transaction. Remaining rows of lost loads are removed. */
  rebuild(bounds: Bounds): Promise<void>;
  /** The data folder to which the facts belong; undefined before `identify`. */
  identity(): Promise<FactsIdentity | undefined>;
  identify(identity: FactsIdentity): Promise<void>;
  /**
   * The highest id of a restaurant with any facts, 0 if there are none, and the snapshot that a report would see now.
   */
  highest(): Promise<{ restaurantId: number; snapshot: string }>;
  /**
   * Deletes everything of these restaurants, so that no file of the facts has it; loads for them throw
   * RestaurantRemoved from then on. Without
   * `always` nothing is done if there is nothing of them; otherwise the files are rewritten, since they may have what
   * was deleted before.
   */
  removeRestaurants(restaurantIds: readonly number[], bounds: Bounds, always: boolean): Promise<void>;
  /**
   * Writes a Parquet file for each table with rows of these restaurants into an existing folder. Returns their names.
   */
  exportRestaurants(restaurantIds: readonly number[], folder: string, bounds: Bounds): Promise<string[]>;
  /** Copies the facts to their place in a folder; no load is merged until `meanwhile` has ended too. */
  backup(folder: string, meanwhile: () => Promise<void>): Promise<void>;
  /** Throws if the engine does not answer within the deadline. */
  ping(deadlineMs: number): Promise<void>;
  /** Interrupts running work and ends the engine. */
  close(): Promise<void>;
}

export interface Facts extends LoadedFacts, RecordFacts, ReferenceFacts, ReportFacts, FactsStore {}
