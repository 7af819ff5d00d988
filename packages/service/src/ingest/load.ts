/** One load: turns a body of source records into facts, all in one step (docs/loading.md#orders-and-time-entries). */
import type { Facts } from '../facts/facts.ts';
import type { LoadKind, MergeCounts, Merged, Spool } from '../facts/load.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { type Read, type ReadBody, readBody } from './read.ts';
import type { BodyFormat } from './records.ts';
import { removeSpool } from './spool.ts';

/** The path to which each kind of record is posted, below that of its restaurant. */
export const LOAD_PATHS: Record<LoadKind, string> = {
  orders: 'orders',
  shifts: 'time-entries',
  settlements: 'payouts',
};

export interface LoadDeps {
  facts: Facts;
  /** The folder in which loads are spooled; created if missing. */
  spoolFolder: string;
  /** Milliseconds since 1970 UTC; by default the machine's clock. */
  clock?: () => number;
  /** The key for card fingerprints of a management group; absent if they are disabled. */
  fingerprintKey?: ((group: string) => Promise<Uint8Array>) | undefined;
  /** Reads bodies; by default on the caller's thread. */
  readBody?: ReadBody;
  /**
   * Called with the business dates (YYYYMMDD) on which a merged load changed anything; not called if it changed
   * nothing.
   */
  onMerged?: ((restaurant: Restaurant, kind: LoadKind, dates: number[]) => void) | undefined;
}

/** Announces the dates that a merge has changed, if any. */
export function announceMerged(
  { onMerged }: Pick<LoadDeps, 'onMerged'>,
  restaurant: Restaurant,
  kind: LoadKind,
  { accepted, days }: Merged,
): void {
  const hasChanged = kind === 'settlements' ? accepted > 0 : days.length > 0;
  const dates = days.map(({ businessDate }) => businessDate);
  if (hasChanged) onMerged?.(restaurant, kind, dates);
}

export interface LoadAnswer {
  /** Records that replaced another version, or were the first. */
  accepted: number;
  /** Records that are the same as the stored version, or older. */
  unchanged: number;
  /** The first 1,000 records that could not be read. */
  rejected: Read['rejected'];
  /** How many records could not be read, listed or not. */
  rejectedCount: number;
  /** The unknown words of accepted records; absent if they have none. */
  notes?: Read['notes'];
}

/** A body of records of one kind. */
export interface LoadBody {
  kind: Spool['kind'];
  body: AsyncIterable<Buffer>;
  format: BodyFormat;
}

/**
 * Loads a body of records in constant memory. What it returns as accepted is on disk. When it throws, nothing in the
 * body is stored, except for FactsGone with `outcomeUnknown`; it throws what `readBody` throws, and the engine's
 * errors. `counted` is called once the whole body has been read, and decides whether it is merged.
 */
export async function load(
  deps: LoadDeps,
  restaurant: Restaurant,
  { kind, body, format }: LoadBody,
  counted: (merge: () => Promise<MergeCounts>) => Promise<MergeCounts> = (merge) => merge(),
): Promise<LoadAnswer> {
  const { timeZone, closeoutHour, overtimeMultiplier, refundsOn } = restaurant;
  const fingerprintKey = kind === 'orders' ? await deps.fingerprintKey?.(restaurant.group) : undefined;
  const place = {
    timeZone,
    closeoutHour,
    overtimeMultiplier,
    refundsOn,
    fingerprintKey,
    now: (deps.clock ?? Date.now)(),
  };
  const read = deps.readBody ?? readBody;
  const { spool, count, rejected, rejectedCount, notes } = await read(
    { kind, format, place, spoolFolder: deps.spoolFolder, group: restaurant.group },
    body,
  );
  try {
    const { accepted, unchanged } = await counted(async () => {
      if (count === rejectedCount) return { accepted: 0, unchanged: 0 };
      const merged = await deps.facts.merge(restaurant.id, spool, restaurant.group);
      announceMerged(deps, restaurant, kind, merged);
      return { accepted: merged.accepted, unchanged: merged.unchanged };
    });
    return { accepted, unchanged, rejected, rejectedCount, ...(notes.length > 0 ? { notes } : {}) };
  } finally {
    await removeSpool(spool);
  }
}
