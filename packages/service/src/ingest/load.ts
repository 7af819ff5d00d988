/** One load: a body of source records becomes facts, all of them in one step (docs/loading.md#orders-and-time-entries). */
import type { Facts } from '../facts/facts.ts';
import type { LoadKind, MergeCounts, Merged, Spool } from '../facts/load.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { type Read, type ReadBody, readBody } from './read.ts';
import type { BodyFormat } from './records.ts';
import { removeSpool } from './spool.ts';

/** Where each kind of record is posted to, below the path of its restaurant. */
export const LOAD_PATHS: Record<LoadKind, string> = {
  ...{ orders: 'orders', shifts: 'time-entries', settlements: 'payouts' },
};

export interface LoadDeps {
  facts: Facts;
  /** Where loads are spooled; made when missing. */
  spoolFolder: string;
  /** The key of card fingerprints of a management group; left out where there are none. */
  fingerprintKey?: ((group: string) => Promise<Uint8Array>) | undefined;
  /** How bodies are read: on the caller's thread unless said otherwise. */
  readBody?: ReadBody;
  /** Called with the business dates (YYYYMMDD) on which a merged load changed anything; none where they are not kept. */
  onMerged?: ((restaurant: Restaurant, kind: LoadKind, dates: number[]) => void) | undefined;
}

/** Says which dates a merge has changed, where it changed anything. */
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
  /** Records that are current now, equal versions included. */
  accepted: number;
  /** Records older than what was there. */
  unchanged: number;
  /** Records that could not be read: the first 1,000. */
  rejected: Read['rejected'];
  /** How many could not be read, listed or not. */
  rejectedCount: number;
}

/**
 * Loads a body of records in constant memory. What it answers as accepted is on disk; when it throws,
 * nothing in the body is stored, except for FactsGone with `outcomeUnknown`: what `readBody` throws, or the engine's errors. `counted` decides, once all of the body was
 * read, whether it is merged.
 */
export async function load(
  deps: LoadDeps,
  restaurant: Restaurant,
  kind: Spool['kind'],
  body: AsyncIterable<Buffer>,
  format: BodyFormat,
  counted: (merge: () => Promise<MergeCounts>) => Promise<MergeCounts> = (merge) => merge(),
): Promise<LoadAnswer> {
  const { timeZone, closeoutHour, overtimeMultiplier } = restaurant;
  const fingerprintKey = kind === 'orders' ? await deps.fingerprintKey?.(restaurant.group) : undefined;
  const place = { timeZone, closeoutHour, overtimeMultiplier, fingerprintKey };
  const read = deps.readBody ?? readBody;
  const { spool, count, rejected, rejectedCount } = await read(
    { kind, format, place, spoolFolder: deps.spoolFolder },
    body,
  );
  try {
    const { accepted, unchanged } = await counted(async () => {
      if (count === rejectedCount) return { accepted: 0, unchanged: 0 };
      const merged = await deps.facts.merge(restaurant.id, spool, restaurant.group);
      announceMerged(deps, restaurant, kind, merged);
      return { accepted: merged.accepted, unchanged: merged.unchanged };
    });
    return { accepted, unchanged, rejected, rejectedCount };
  } finally {
    await removeSpool(spool);
  }
}
