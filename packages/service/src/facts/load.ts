/** A load: its lines, in files or in memory, and the result of merging them. */
import type { TouchedDay } from './loaded.ts';
import type { OrderPart } from './order.ts';

export type LoadKind = 'orders' | 'shifts' | 'settlements';

/**
 * The files of one load, all in `folder`: `orders.ndjson` and one for each of `ORDER_PARTS`, `shifts.ndjson` or
 * `settlements.ndjson`. The line of a record may have a `facts_digest`, a UUID that is equal for two versions of it
 * only if everything that is stored of them is.
 */
export interface SpoolFiles {
  kind: LoadKind;
  folder: string;
  /** How long the files are together. */
  bytes: number;
}

/**
 * A small load in memory, with the lines that the files would have: at most some 250 kB, since it is merged in memory.
 */
export interface SpoolLines {
  kind: LoadKind;
  /** One record per line. */
  records: string;
  /** For orders; a missing part has no lines. */
  parts: Partial<Record<OrderPart, string>>;
  /** The records replace stored versions up to this `modified_at`, instead of those up to their own. */
  replaces?: number;
}

/** How long all its lines are together. */
export const charactersOf = ({ records, parts }: SpoolLines): number =>
  Object.values(parts).reduce((sum, lines) => sum + lines.length, records.length);

/** The facts of one load. */
export type Spool = SpoolFiles | SpoolLines;

export interface MergeCounts {
  /**
   * Records that replaced another version, or were the first: newer than it, or equally new with other facts, in the
   * order of the body.
   */
  accepted: number;
  /**
   * Records that are older than the current version, or the same; all versions of a record if the last of them was
   * stored before.
   */
  unchanged: number;
}

export interface Merged extends MergeCounts {
  /** The number of the load: unique, and higher than those of earlier loads. 0 if it changed nothing and took none. */
  load: number;
  /** By date; empty if no record was accepted. */
  days: TouchedDay[];
}
