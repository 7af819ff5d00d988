/**
 * How loads become visible. ClickHouse has rows, each with the number of the load that wrote it; PostgreSQL has the
 * load log, which says which numbers are committed. Rows with a number that is not committed are never visible, no
 * matter who wrote them or when they arrive, so each step may fail, be interrupted, or happen late.
 *
 * The steps use two narrow interfaces, so that test/laws can run thousands of histories in memory.
 */
import type { Snapshot } from './snapshot.ts';

/** A load for which a number is requested. */
interface LoadEntry {
  restaurant: number;
  /** What is loaded: a kind of records, or `reference`. */
  kind: string;
}

interface BegunLoad {
  /** Among the entries, from 0. */
  index: number;
  load: number;
}

export interface Begun {
  /** Those whose restaurants were free, with consecutive numbers in the order of the entries. */
  loads: BegunLoad[];
  /** By the clock of PostgreSQL, milliseconds since 1970 UTC. */
  now: number;
}

export interface Promotion {
  promotion: number;
  /** What this promotion and those before it sum up. */
  snapshot: Snapshot;
}

/** The newest promotion, including the earlier ones. */
export interface Promoted extends Promotion {
  /** Lower numbers that are not published. */
  except: readonly number[];
}

/** What a reader sees: loads, and the published promotions. */
export interface Seen {
  snapshot: Snapshot;
  promoted: Promoted | undefined;
  /** Versions replaced by loads up to this one have been deleted. */
  forgotten: number;
  /** By the clock of PostgreSQL, milliseconds since 1970 UTC. */
  now: number;
}

/** The committed loads that readers and writers rely on. */
interface SeenLoads {
  /** The loads that are committed now, read by one statement. */
  seen(): Promise<Seen>;
}

/** The steps of loads. */
export interface LoadSteps {
  /**
   * Takes the lease of each restaurant that is free or whose lease has expired; open loads of the former holder are
   * aborted in the same commit. Assigns numbers to the loads of those restaurants.
   */
  begin(holder: string, entries: readonly LoadEntry[]): Promise<Begun>;
  /**
   * Commits all of the loads and frees their restaurants if all of them are still open; otherwise changes nothing.
   * Records how many rows they wrote together, if known.
   */
  commit(holder: string, loads: readonly number[], rows?: number): Promise<boolean>;
  /**
   * Extends the leases of the holder. Returns the time (ms since 1970 UTC) if all of the loads are still open; their
   * rows may be sent for a while after it.
   */
  renew(holder: string, loads: readonly number[]): Promise<number | undefined>;
  /**
   * Aborts those that are open and frees their restaurants; returns how many were open. If rows may have been written,
   * the numbers stay excluded until the rows are deleted.
   */
  abort(holder: string, loads: readonly number[], mayHaveRows: boolean): Promise<number>;
  /** Whether all of the loads are committed. */
  areCommitted(loads: readonly number[]): Promise<boolean>;
}

/** The steps that clean up after loads and promotions that were not committed or published. */
export interface SweepSteps {
  /**
   * Aborts loads whose lease has expired. Returns the aborted ones whose rows may be deleted: the grace period is
   * longer than any insert of them, and has passed since they were aborted and since the last deletion, if any.
   */
  toSweep(graceMs: number): Promise<number[]>;
  /** Records that their rows were deleted. After the second time they are no longer excluded. */
  swept(loads: readonly number[]): Promise<void>;
  /**
   * Marks unpublished promotions that began this long ago as lost, so that they can never be published, and returns
   * them.
   */
  losePromotions(graceMs: number): Promise<number[]>;
  forgetPromotions(promotions: readonly number[]): Promise<void>;
}

/** The steps of promotions. */
export interface PromotionSteps {
  /** A number for a promotion that follows `after`, or for the first. */
  nextPromotion(): Promise<{ promotion: number; now: number }>;
  /** Publishes a promotion, unless another one that follows `after` was published meanwhile. */
  publish(promotion: Promotion, after: Promotion | undefined): Promise<boolean>;
  /** The newest promotion that was published at least this long ago, unless it is retired. */
  toRetire(graceMs: number): Promise<Promotion | undefined>;
  /** Records that the deltas summed up in a promotion, and in those before it, were deleted. */
  retired(promotion: number): Promise<void>;
}

/** Each part of the protocol is given only the steps that it runs. */
export type LoadLog = SeenLoads & LoadSteps & SweepSteps & PromotionSteps;

/**
 * How long after the load log was asked an insert may begin. A process that was frozen sends its rows whenever it
 * resumes, when its load may have been aborted and swept long ago, so the store refuses them.
 */
const INSERT_WITHIN_MS = 15_000;

/**
 * Where rows are stored. `insert` and `promote` may fail with an unknown outcome: some of the rows may be stored, or
 * arrive later. They do not begin after the instant `until` (ms since 1970 UTC), by the clock of the store.
 */
export interface RowStore<Wanted, Stored, Added> {
  /** The stored versions that the loads may replace. */
  find(wanted: Wanted, snapshot: Snapshot): Promise<Stored>;
  insert(added: Added, until: number): Promise<void>;
  deleteLoads(loads: readonly number[]): Promise<void>;
  deletePromotions(promotions: readonly number[]): Promise<void>;
  /** Deletes the deltas of the loads that a snapshot sees, except those of the last of them. */
  deleteDeltas(seen: Snapshot): Promise<void>;
  /** Sums up, under a number, the deltas that one snapshot sees and the other does not. */
  promote(promotion: number, to: Snapshot, from: Snapshot | undefined, until: number): Promise<void>;
}

/** Loads that share an insert and a commit. */
interface LoadWork<Wanted, Stored, Added> {
  entries: readonly LoadEntry[];
  wanted(begun: Begun): Promise<Wanted>;
  /** What the loads add; undefined if nothing. */
  merge(stored: Stored, begun: Begun): Promise<Added | undefined>;
  /** How many rows that is, except those of rollups, which can be computed again. */
  rowsOf?(added: Added): number;
}

/**
 * The loads were aborted and none of their rows is or will be visible: they may be begun again, with new numbers.
 * `cause` says why.
 */
export class LoadAborted extends Error {
  override readonly name = 'LoadAborted';
}

/** It is unknown whether the loads are committed, because the load log did not answer. Loading them again is safe. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/**
 * Runs loads through their steps. Returns the loads that were begun and are now committed, or change nothing, without
 * those whose restaurants another holder has. Throws LoadAborted if they may be begun again, OutcomeUnknown, and what
 * `merge` throws; in the last case nothing is stored.
 */
export async function runLoads<Wanted, Stored, Added>(
  log: SeenLoads & LoadSteps,
  rows: RowStore<Wanted, Stored, Added>,
  holder: string,
  work: LoadWork<Wanted, Stored, Added>,
): Promise<Begun> {
  const begun = await log.begin(holder, work.entries);
  const loads = begun.loads.map(({ load }) => load);
  if (loads.length === 0) return begun;
  let added: Added | undefined;
  let now: number | undefined;
  try {
    const { snapshot } = await log.seen();
    const stored = await rows.find(await work.wanted(begun), snapshot);
    added = await work.merge(stored, begun);
    if (added !== undefined) now = await log.renew(holder, loads);
  } catch (error) {
    // No row was sent. If the log does not answer, the lease expires by itself.
    await log.abort(holder, loads, false).catch(() => undefined);
    throw error;
  }
  if (added === undefined) {
    // A load that changes nothing leaves nothing in the log, and is not among those that readers ask for.
    await log.abort(holder, loads, false).catch(() => undefined);
    return begun;
  }
  if (now === undefined) throw new LoadAborted('the lease of the load ran out');
  try {
    await rows.insert(added, now + INSERT_WITHIN_MS);
  } catch (error) {
    // An insert with unknown outcome is never repeated under its number, because its rows may still arrive.
    await abort(log, holder, loads, error);
  }
  try {
    if (await log.commit(holder, loads, work.rowsOf?.(added))) return begun;
  } catch (error) {
    if (await settle(log, holder, loads, error)) return begun;
  }
  // Another holder took over a restaurant after the lease had expired.
  throw new LoadAborted('the lease of the load ran out');
}

/** Aborts loads that may have rows. Throws LoadAborted; OutcomeUnknown if the log does not answer. */
async function abort(log: LoadSteps, holder: string, loads: readonly number[], cause: unknown): Promise<never> {
  try {
    await log.abort(holder, loads, true);
  } catch {
    // They are not committed, and nobody else will commit them, so they stay invisible.
  }
  throw new LoadAborted('the rows could not be stored', { cause });
}

/** After a commit with unknown outcome: whether the loads are committed. Those that are not are aborted. */
async function settle(log: LoadSteps, holder: string, loads: readonly number[], cause: unknown): Promise<boolean> {
  try {
    if ((await log.abort(holder, loads, true)) === 0) return await log.areCommitted(loads);
    return false;
  } catch {
    throw new OutcomeUnknown('the load log did not answer; load again, that is safe', { cause });
  }
}

/** Deletes the rows of aborted loads, which nobody can see; returns of how many loads. */
export async function sweep(
  log: SweepSteps,
  rows: Pick<RowStore<never, never, never>, 'deleteLoads' | 'deletePromotions'>,
  graceMs: number,
): Promise<number> {
  const loads = await log.toSweep(graceMs);
  if (loads.length > 0) {
    await rows.deleteLoads(loads);
    await log.swept(loads);
  }
  const promotions = await log.losePromotions(graceMs);
  if (promotions.length > 0) {
    await rows.deletePromotions(promotions);
    await log.forgetPromotions(promotions);
  }
  return loads.length;
}

/**
 * Sums up the deltas that have been committed since the last promotion. Returns false if another promotion was
 * published first.
 */
export async function promote(
  log: SeenLoads & PromotionSteps,
  rows: Pick<RowStore<never, never, never>, 'promote'>,
): Promise<boolean> {
  const { snapshot, promoted } = await log.seen();
  const { promotion, now } = await log.nextPromotion();
  await rows.promote(promotion, snapshot, promoted?.snapshot, now + INSERT_WITHIN_MS);
  return await log.publish({ promotion, snapshot }, promoted);
}

/**
 * Deletes the deltas that a promotion has summed up. They are no longer read: readers that began before it was
 * published have ended, if `graceMs` is longer than any report takes. False if there is nothing to delete.
 */
export async function retire(
  log: PromotionSteps,
  rows: Pick<RowStore<never, never, never>, 'deleteDeltas'>,
  graceMs: number,
): Promise<boolean> {
  const old = await log.toRetire(graceMs);
  if (!old) return false;
  await rows.deleteDeltas(old.snapshot);
  await log.retired(old.promotion);
  return true;
}
