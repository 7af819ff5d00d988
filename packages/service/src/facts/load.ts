/** A load: its lines, as files or in memory, and what merging them did. */
import type { TouchedDay } from './loaded.ts';
import type { OrderPart } from './order.ts';

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
  /** Records that are current now (newer than or equal to the stored version, in the order of the body). */
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
