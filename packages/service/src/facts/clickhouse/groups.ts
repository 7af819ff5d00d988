/**
 * Groups loads before they are sent to the servers. Small loads that arrive within a moment share an insert and a
 * commit, each with its own number: an insert takes some 40 ms on the server whatever its size. Loads of one restaurant
 * run one after the other.
 */
import { charactersOf, type LoadKind, type Merged, type Spool } from '../load.ts';
import { runBatch } from '../load-groups.ts';
import type { MergeLoad } from './merge.ts';
import { createQueue, type Waiting } from './queue.ts';

/**
 * How long the first of several small loads waits for others, and how often the queue is checked for loads that may
 * begin.
 */
const TOGETHER_MS = 25;
/** Groups in progress at once: while one is inserted, another is merged. */
const MOST_GROUPS = 4;

/** Runs loads of one kind; returns what each did, undefined for those whose restaurants another node holds. */
type RunGroup = (kind: LoadKind, loads: readonly MergeLoad[]) => Promise<(Merged | undefined)[]>;

export interface Groups {
  merge(restaurant: number, spool: Spool, turn?: string): Promise<Merged>;
  /**
   * Runs `write` in its turn among the loads of a restaurant; runs it again if it returns false: another node holds the
   * restaurant.
   */
  exclusive(restaurant: number, write: () => Promise<boolean>): Promise<void>;
  /** Rejects waiting loads; resolves when those in progress have ended. */
  close(): Promise<void>;
}

/** Runs loads; returns those whose restaurants another node holds. */
async function runTaken(run: RunGroup, taken: Waiting[]): Promise<Waiting[]> {
  const held: Waiting[] = [];
  async function runSome(loads: readonly Waiting[]): Promise<(Merged | 'done' | undefined)[]> {
    const [first] = loads;
    if (!first?.load) return [(await first?.alone()) ? 'done' : undefined];
    const own = loads.flatMap(({ restaurant, load }) => (load ? [{ restaurant, spool: load.spool }] : []));
    return await run(first.load.spool.kind, own);
  }
  await runBatch(taken, runSome, {
    resolve(load, result) {
      if (result === undefined) held.push(load);
      else if (result !== 'done') load.resolve(result);
    },
    reject: (load, error) => load.reject(error),
  });
  return held;
}

/** Runs `look` once, at the earliest of the requested times. */
function createTimer(look: () => void) {
  let timer: NodeJS.Timeout | undefined;
  /** When it fires, by `performance.now()`. */
  let firesAt = 0;
  return {
    within(ms: number): void {
      const at = performance.now() + ms;
      if (timer && firesAt <= at) return;
      clearTimeout(timer);
      firesAt = at;
      timer = setTimeout(() => {
        timer = undefined;
        look();
      }, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

/** A load waits up to `waitMs` for its restaurant, then it is rejected with FactsBusy. */
export function createGroups(run: RunGroup, waitMs: number): Groups {
  const queue = createQueue();
  const groups = new Set<Promise<void>>();
  const timer = createTimer(begin);

  /** Begins as many groups as may run. */
  function begin(): void {
    while (groups.size < MOST_GROUPS) {
      const loads = queue.take();
      if (loads.length === 0) break;
      const group = runTaken(run, loads).then((held) => {
        groups.delete(group);
        queue.done(loads, held);
        begin();
      });
      groups.add(group);
    }
    if (!queue.isEmpty() && groups.size < MOST_GROUPS) timer.within(TOGETHER_MS);
  }

  function add(restaurant: number, turn: string, work: Pick<Waiting, 'load' | 'alone'>): Promise<Merged> {
    return new Promise((resolve, reject) => {
      const added = performance.now();
      queue.add({ restaurant, turn, added, from: 0, until: added + waitMs, resolve, reject, ...work });
      timer.within(TOGETHER_MS);
    });
  }

  return {
    merge: (restaurant, spool, turn = '') =>
      add(restaurant, turn, {
        load: { spool, characters: 'folder' in spool ? Number.POSITIVE_INFINITY : charactersOf(spool) },
        alone: () => Promise.resolve(false),
      }),
    async exclusive(restaurant, write) {
      const written = Promise.withResolvers<void>();
      const alone = async (): Promise<boolean> => {
        const isDone = await write();
        if (isDone) written.resolve();
        return isDone;
      };
      add(restaurant, '', { load: undefined, alone }).catch(written.reject);
      await written.promise;
    },
    async close() {
      timer.stop();
      queue.close();
      await Promise.allSettled(groups);
    },
  };
}
