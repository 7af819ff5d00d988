/**
 * The facts: what metrics and checks are computed from. Embedded form: DuckDB in a child process. Data goes in and
 * out as files; only file names and counts cross to the engine. Money is integer cents, instants milliseconds since
 * 1970 UTC, business dates YYYYMMDD integers, hours of work micro-hours (1 h = 1,000,000), GUIDs lower case.
 */
import type { Bounds } from './bounds.ts';
import type { Form } from './form.ts';
import type { Merged, Spool } from './load.ts';
import type { Coverage, LoadedDay } from './loaded.ts';
import type { Menu, MenuCounts } from './menus.ts';
import type { StoredOrder } from './order.ts';
import type { Reference } from './reference.ts';
import type { Changes, ChangesQuery, Gathered, GatherQuery, TotalsQuery, TotalsRow } from './report.ts';

/** Days on which one kind of rollup differs from the facts; `days` counts all, `first` names up to 20. */
export interface SheetFault {
  sheet: 'daily rollups' | 'menu rollups' | 'labour rollups' | 'loaded days' | 'order dates';
  days: number;
  first: { restaurantId: number; businessDate: number }[];
}

/** Committed loads whose rows are not all there, because the rows are of an older copy than the record of what was committed. */
export interface LostLoads {
  loads: number;
  restaurantIds: readonly number[];
  /** When the first and the last of them were committed, milliseconds UTC. */
  first: number;
  last: number;
}

/** Both are the ledger's: `LedgerIdentity`. */
export interface FactsIdentity {
  id: string;
  epoch: string;
}

/** What is loaded. */
export interface LoadedFacts {
  /**
   * Merges one load: durable when resolved, nothing kept when thrown, unless it is
   * FactsGone with `outcomeUnknown`. Newest modified_at wins, equal replaces. Small loads
   * that wait are merged in one transaction, with the same outcome as one after another, and none of them fails because
   * of another. Those who load take turns by `turn`.
   */
  merge(restaurantId: number, spool: Spool, turn?: string): Promise<Merged>;
  /** What is loaded of restaurants. From memory: it may be asked for as often as anybody likes. */
  coverage(restaurantIds: readonly number[]): Promise<Map<number, Coverage>>;
  /** The dates of a span that have an order or a time entry, in their order; both ends count. */
  loadedDays(restaurantId: number, from: number, to: number): Promise<LoadedDay[]>;
  /** The current version of an order, deleted or not; undefined when it was never merged. */
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
   * form that is asked for, which then costs a fraction of `render`; `rendered` says whether it was.
   */
  gather(query: GatherQuery, parquet: string, bounds: Bounds, first?: { form: Form; file: string }): Promise<Gathered>;
  /** Writes the records of a snapshot, in the field order of docs/contract.md#records, in the format of the form. */
  render(parquet: string, form: Form, file: string, bounds: Bounds): Promise<void>;
  /** Adds up the rows of a snapshot, by the keys of the query in their order. */
  totals(parquet: string, query: TotalsQuery, bounds: Bounds): Promise<TotalsRow[]>;
  /** What changed between two snapshots, while the versions replaced since then are kept. */
  changes(query: ChangesQuery, bounds: Bounds): Promise<Changes>;
  /** Whether a snapshot has every load of another. Of two that were taken one after the other, the later covers the earlier. */
  covers(snapshot: string, other: string): boolean;
}

/** What keeps the facts whole. */
export interface FactsStore {
  /** Compares what is kept besides the facts with the facts, in one snapshot. Empty when all is well. */
  verify(bounds: Bounds): Promise<SheetFault[]>;
  /** Loads that are not whole; undefined where all are. */
  lost(bounds: Bounds): Promise<LostLoads | undefined>;
  /** Computes what is kept besides the facts again, in one transaction. What is left of lost loads is removed. */
  rebuild(bounds: Bounds): Promise<void>;
  /** Which data folder the facts belong to; undefined before `identify`. */
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
