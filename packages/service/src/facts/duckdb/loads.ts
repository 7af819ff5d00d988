/**
 * Queues loads for the engine. Small loads that arrived together are merged in one transaction: a merge of one order
 * takes 8 ms, one of 64 takes 35. They take turns with loads of up to 16 MB. A larger load is merged beside them, in a
 * lane of its own.
 */
import { setImmediate } from 'node:timers/promises';
import { charactersOf, type LoadKind, type Merged, type Spool, type SpoolFiles, type SpoolLines } from '../load.ts';
import { MOST_CHARACTERS, MOST_IN_BATCH, runBatch } from '../load-groups.ts';
import { NUMBERS_BESIDE } from './snapshot.ts';

/**
 * A load with more bytes than this is merged beside the others. Small loads wait 0.1 s for this much, and waited 7 s
 * for 100,000 orders.
 */
const LARGE_BYTES = 16 * 1024 * 1024;
/** How long a merge waits for others to join, as a share of the duration of the last merge; see `untilJoined`. */
const JOIN_PART = 0.25;
/**
 * With at least this many loads under way, half of them are merged while the other half is answered and sends its next
 * loads. Otherwise the engine and the service take turns, each waiting for the other. With fewer, the fixed cost of a
 * merge, some 6 ms, outweighs the gain.
 */
const HALVES_FROM = 32;

interface WaitingLoad<S extends Spool> {
  restaurant: number;
  spool: S;
  resolve(merged: Merged): void;
  reject(error: unknown): void;
}

/** A small load that waits for the engine. */
type SmallLoad = Pick<WaitingLoad<SpoolLines>, 'restaurant' | 'spool'>;

/** Small loads that are merged together. */
interface Group {
  count: number;
  /** Resolves when each is settled. */
  done: Promise<void>;
}

interface MergeLoads {
  /**
   * `isBeside`: a large load is being merged, so only rows of the restaurants of these loads may be deleted or
   * replaced.
   */
  batch(kind: LoadKind, loads: readonly SmallLoad[], isBeside: boolean): Promise<Merged[]>;
  alone(restaurant: number, spool: SpoolFiles): Promise<Merged>;
  /** Merges a large load while other calls merge loads of other restaurants, fewer than NUMBERS_BESIDE of them. */
  large(restaurant: number, spool: SpoolFiles): Promise<Merged>;
}

/**
 * Owners of loads take turns; the loads of one owner and kind are first come, first served, without those of
 * restaurants that are held.
 */
function openTurns<S extends Spool>(isHeld: (restaurant: number) => boolean = () => false) {
  const queues = new Map<string, WaitingLoad<S>[]>();
  let count = 0;
  return {
    add(turn: string, waiting: WaitingLoad<S>): void {
      count++;
      const queue = queues.get(turn);
      if (queue) queue.push(waiting);
      else queues.set(turn, [waiting]);
    },
    /**
     * Takes the next load, of a kind where one is named, unless it does not fit; its owner goes to the end of the line.
     */
    take(kind?: LoadKind, fits: (next: WaitingLoad<S>) => boolean = () => true): WaitingLoad<S> | undefined {
      for (const [turn, queue] of queues) {
        const index = queue.findIndex(
          ({ restaurant, spool }) => !isHeld(restaurant) && (kind === undefined || spool.kind === kind),
        );
        const next = queue[index];
        if (!next || !fits(next)) continue;
        queue.splice(index, 1);
        count--;
        queues.delete(turn);
        if (queue.length > 0) queues.set(turn, queue);
        return next;
      }
      return undefined;
    },
    count: () => count,
  };
}

/** Takes up to `most` loads that may be merged together, of the kind that is first in line. */
function takeBatch(small: ReturnType<typeof openTurns<SpoolLines>>, most: number): WaitingLoad<SpoolLines>[] {
  const taken: WaitingLoad<SpoolLines>[] = [];
  let characters = 0;
  while (taken.length < most) {
    const next = small.take(
      taken[0]?.spool.kind,
      ({ spool }) => taken.length === 0 || characters + charactersOf(spool) <= MOST_CHARACTERS,
    );
    if (!next) break;
    taken.push(next);
    characters += charactersOf(next.spool);
  }
  return taken;
}

/** Merges loads in one transaction; settles each. If that fails, an error of one load touches no other. */
const mergeBatch = (
  merge: (kind: LoadKind, loads: readonly SmallLoad[]) => Promise<Merged[]>,
  loads: WaitingLoad<SpoolLines>[],
): Promise<void> =>
  runBatch(loads, (some) => merge((some[0] as SmallLoad).spool.kind, some), {
    resolve: (load, merged) => load.resolve(merged),
    reject: (load, error) => load.reject(error),
  });

/**
 * A half is complete with this share of it. Halves of 31 and 33 would otherwise stay so, and every second merge would
 * wait the full time for a load that belongs to the other half: 3 of 40 ms for each merge.
 */
const HALF_PART = 7 / 8;

/** Returns how many loads half of those under way are. */
const halfOf = (underWay: number): number => Math.ceil((underWay / 2) * HALF_PART);

/** Waits for small loads that are about to arrive; `count` returns how many wait. */
function openJoining(count: () => number) {
  const last = { ms: 0, endedAt: 0 };
  /** How many small loads the next merge waits for. */
  let wanted = 0;
  /** Whether that is half of the loads under way. */
  let byHalves = false;
  let inEngine = 0;
  /** Called with each small load that is added. */
  let onAdded = (): void => undefined;

  /**
   * Resolves when `wanted` small loads wait, or after a quarter of the last merge's duration: clients that were just
   * answered send their next load. Without it the first of 64 connections was merged alone while the others waited. A
   * single client does not wait.
   */
  async function untilJoined(): Promise<void> {
    const ms = last.endedAt + last.ms * JOIN_PART - performance.now();
    if (ms < 1 || count() >= wanted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      onAdded = () => {
        if (count() < wanted) return;
        clearTimeout(timer);
        resolve();
      };
    });
    onAdded = () => undefined;
  }

  return {
    untilJoined,
    /** Call it with each small load that is added. */
    added: () => onAdded(),
    /** Whether a half is complete. */
    isHalf: (): boolean => byHalves && count() >= wanted,
    /** Call it when a merge of so many small loads is posted, and what it returns when that has ended. */
    posted(loads: number): () => void {
      const postedAt = performance.now();
      inEngine += loads;
      return () => {
        const endedAt = performance.now();
        // It may have waited in the engine for the one before.
        Object.assign(last, { ms: endedAt - Math.max(postedAt, last.endedAt), endedAt });
        const underWay = inEngine + count();
        inEngine -= loads;
        byHalves = underWay >= HALVES_FROM;
        wanted = byHalves ? halfOf(underWay) : loads;
      };
    },
  };
}

/**
 * Merges groups one at a time; the next is posted behind the one that is being merged when `mayPostAhead` allows it.
 */
function openGroups(post: () => Group, mayPostAhead: () => boolean) {
  let isMerging = false;
  let ahead: Group | undefined;

  function postAhead(): void {
    if (!isMerging || ahead || !mayPostAhead()) return;
    const next = post();
    if (next.count > 0) ahead = next;
  }

  return {
    postAhead,
    isAhead: () => ahead !== undefined,
    /** Merges the group that was posted ahead, or else the next; returns how many loads it had. */
    async mergeNext(): Promise<number> {
      const { count, done } = ahead ?? post();
      ahead = undefined;
      isMerging = true;
      postAhead();
      await done;
      isMerging = false;
      return count;
    },
  };
}

/** Implements Facts.merge. */
export function createLoads(merge: MergeLoads): (restaurant: number, spool: Spool, turn?: string) => Promise<Merged> {
  /** The large load that is being merged, and how many load numbers are left below its own. */
  let largeMerge: { restaurant: number; left: number } | undefined;
  const isHeld = (restaurant: number): boolean => restaurant === largeMerge?.restaurant;
  const small = openTurns<SpoolLines>(isHeld);
  const files = openTurns<SpoolFiles>(isHeld);
  const large = openTurns<SpoolFiles>();
  let busy = false;
  /** Whether a restaurant was freed since the last round of `work`. */
  let isFreed = false;
  const joining = openJoining(() => small.count());

  /** Begins to merge the small loads whose turn it is. */
  function postNext(): Group {
    const loads = takeBatch(small, Math.min(largeMerge?.left ?? MOST_IN_BATCH, MOST_IN_BATCH));
    if (largeMerge) largeMerge.left -= loads.length;
    const ended = joining.posted(loads.length);
    const done = mergeBatch((kind, some) => merge.batch(kind, some, largeMerge !== undefined), loads);
    return { count: loads.length, done: done.then(ended) };
  }

  /**
   * A half that is complete is posted ahead, since the engine waited for it for 10 of 34 ms. Not while a large load
   * waits, which begins when nothing is merged, nor one with files, whose turn is next.
   */
  const mayPostAhead = (): boolean =>
    joining.isHalf() && files.count() === 0 && (large.count() === 0 || largeMerge !== undefined);
  const groups = openGroups(postNext, mayPostAhead);

  /** Merges the small loads whose turn it is, and one load with files; returns how many there were. */
  async function mergeNext(): Promise<number> {
    const count = await groups.mergeNext();
    const alone = groups.isAhead() || largeMerge?.left === 0 ? undefined : files.take();
    if (!alone) return count;
    if (largeMerge) largeMerge.left--;
    await merge.alone(alone.restaurant, alone.spool).then(alone.resolve, alone.reject);
    return count + 1;
  }

  async function mergeLarge({ restaurant, spool, resolve, reject }: WaitingLoad<SpoolFiles>): Promise<void> {
    largeMerge = { restaurant, left: NUMBERS_BESIDE };
    await merge.large(restaurant, spool).then(resolve, reject);
    largeMerge = undefined;
    // Loads of its restaurant had to wait. A round of `work` that is under way may have passed them over already.
    isFreed = true;
    if (!busy) void work();
  }

  /**
   * Small loads and loads with files take turns, so that neither waits for all of the others. A large load starts while
   * no other is being merged; those that had to wait for it are merged before the next one.
   */
  async function work(): Promise<void> {
    busy = true;
    for (;;) {
      if (!groups.isAhead() && files.count() === 0) await joining.untilJoined();
      const merged = await mergeNext();
      const next = largeMerge || groups.isAhead() ? undefined : large.take();
      if (next) void mergeLarge(next);
      else if (merged === 0 && !isFreed) break;
      isFreed = false;
      // Lets other writers take the lane.
      await setImmediate();
    }
    busy = false;
  }

  return (restaurant, spool, turn = '') =>
    new Promise((resolve, reject) => {
      if ('folder' in spool)
        (spool.bytes > LARGE_BYTES ? large : files).add(turn, { restaurant, spool, resolve, reject });
      else {
        small.add(turn, { restaurant, spool, resolve, reject });
        joining.added();
        // Together with those that arrive at the same time.
        if (joining.isHalf()) void setImmediate().then(groups.postAhead);
      }
      if (!busy) void work();
    });
}
