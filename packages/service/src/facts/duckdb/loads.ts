/**
 * Queues loads for the engine: one merge at a time; small loads that arrived together are merged in one transaction. A merge of
 * one order takes 8 ms, one of 64 takes 35.
 */
import { setImmediate } from 'node:timers/promises';
import { EngineGone, EngineTimeout } from '../bounds.ts';
import type { LoadKind, Merged, Spool, SpoolFiles, SpoolLines } from '../load.ts';

/** The most loads, and characters, that are merged together. Bounds how long each waits. */
const MOST_TOGETHER = 256;
const MOST_CHARACTERS = 1024 * 1024;
/** How long a merge waits for others to join, as a share of the duration of the last merge; see `untilJoined`. */
const JOIN_PART = 0.25;
/**
 * With at least this many loads under way, half of them are merged while the other half is answered and sends its next loads. Otherwise
 * the engine and the service take turns, each waiting for the other. With fewer, the fixed cost of a merge, some 6 ms, outweighs the gain.
 */
const HALVES_FROM = 32;

interface Waiting<S extends Spool> {
  restaurant: number;
  spool: S;
  resolve(merged: Merged): void;
  reject(error: unknown): void;
}

/** A small load that waits for the engine. */
export type SmallLoad = Pick<Waiting<SpoolLines>, 'restaurant' | 'spool'>;

export interface MergeLoads {
  together(kind: LoadKind, loads: SmallLoad[]): Promise<Merged[]>;
  alone(restaurant: number, spool: SpoolFiles): Promise<Merged>;
}

/** Owners of loads take turns; the loads of one owner are first come, first served. */
function openTurns<S extends Spool>() {
  const queues = new Map<string, Waiting<S>[]>();
  let count = 0;
  return {
    add(turn: string, waiting: Waiting<S>): void {
      count++;
      const queue = queues.get(turn);
      if (queue) queue.push(waiting);
      else queues.set(turn, [waiting]);
    },
    /** Takes the next load if `isTaken` allows it; its owner goes to the end of the line. */
    take(isTaken: (next: Waiting<S>) => boolean = () => true): Waiting<S> | undefined {
      for (const [turn, queue] of queues) {
        const [next] = queue;
        if (!next || !isTaken(next)) continue;
        queue.shift();
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

const charactersOf = ({ records, parts }: SpoolLines): number =>
  Object.values(parts).reduce((sum, lines) => sum + lines.length, records.length);

/** Takes the loads that may be merged together, of the kind that is first in line. */
function takeTogether(small: ReturnType<typeof openTurns<SpoolLines>>): Waiting<SpoolLines>[] {
  const taken: Waiting<SpoolLines>[] = [];
  let characters = 0;
  while (taken.length < MOST_TOGETHER) {
    const next = small.take(
      ({ spool }) =>
        taken.length === 0 ||
        (spool.kind === taken[0]?.spool.kind && characters + charactersOf(spool) <= MOST_CHARACTERS),
    );
    if (!next) break;
    taken.push(next);
    characters += charactersOf(next.spool);
  }
  return taken;
}

/** Returns how many loads the next merge waits for, if the last one had `merged` loads and `waiting` loads arrived meanwhile. */
const untilMany = (merged: number, waiting: number): number =>
  merged + waiting < HALVES_FROM ? merged : Math.ceil((merged + waiting) / 2);

/** Implements Facts.merge. */
export function createLoads(merge: MergeLoads): (restaurant: number, spool: Spool, turn?: string) => Promise<Merged> {
  const small = openTurns<SpoolLines>();
  const large = openTurns<SpoolFiles>();
  let busy = false;
  const last = { ms: 0, endedAt: 0 };
  /** How many small loads the next merge waits for. */
  let wanted = 0;
  /** Called with each small load that is added. */
  let onAdded = (): void => undefined;

  /**
   * Resolves when `wanted` small loads wait, or after a quarter of the last merge's duration: clients that were just answered send their
   * next load. Without it the first of 64 connections was merged alone while the others waited. A single client does not wait.
   */
  async function untilJoined(): Promise<void> {
    const ms = last.endedAt + last.ms * JOIN_PART - performance.now();
    if (ms < 1 || large.count() > 0 || small.count() >= wanted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      onAdded = () => {
        if (small.count() < wanted) return;
        clearTimeout(timer);
        resolve();
      };
    });
    onAdded = () => undefined;
  }

  async function mergeTogether(loads: Waiting<SpoolLines>[]): Promise<void> {
    const [first] = loads;
    if (!first) return;
    try {
      const merged = await merge.together(first.spool.kind, loads);
      for (const [place, load] of loads.entries()) load.resolve(merged[place] as Merged);
    } catch (error) {
      // An engine that ended or is stuck would fail all of them; any other error belongs to one of them.
      if (loads.length === 1 || error instanceof EngineGone || error instanceof EngineTimeout) {
        for (const load of loads) load.reject(error);
        return;
      }
      // Split in halves, so that the failing one is found in few steps.
      const half = loads.length >> 1;
      await mergeTogether(loads.slice(0, half));
      await mergeTogether(loads.slice(half));
    }
  }

  async function mergeAlone({ restaurant, spool, resolve, reject }: Waiting<SpoolFiles>): Promise<void> {
    await merge.alone(restaurant, spool).then(resolve, reject);
  }

  /** Small loads and large ones take turns, so that neither waits for all of the others. */
  async function work(): Promise<void> {
    busy = true;
    while (small.count() + large.count() > 0) {
      await untilJoined();
      const began = performance.now();
      const loads = takeTogether(small);
      await mergeTogether(loads);
      const endedAt = performance.now();
      Object.assign(last, { ms: endedAt - began, endedAt });
      wanted = untilMany(loads.length, small.count());
      const alone = large.take();
      if (alone) await mergeAlone(alone);
      // Lets other writers take the lane.
      await setImmediate();
    }
    busy = false;
  }

  return (restaurant, spool, turn = '') =>
    new Promise((resolve, reject) => {
      if ('folder' in spool) large.add(turn, { restaurant, spool, resolve, reject });
      else {
        small.add(turn, { restaurant, spool, resolve, reject });
        onAdded();
      }
      if (!busy) void work();
    });
}
