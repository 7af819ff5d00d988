/**
 * Loads in front of the servers. Small ones that come within a moment share an insert and a commit, each with its own number: an
 * insert costs some 40 ms of the server whatever it holds. Loads of one restaurant follow each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineGone, EngineTimeout } from '../bounds.ts';
import type { LoadKind, Merged, Spool } from '../load.ts';

/** How long the first of some small loads waits for others. */
const TOGETHER_MS = 25;
/** What is merged together: as many as this, of no more than this many characters. It bounds how long each waits. */
const MOST_TOGETHER = 256;
const MOST_CHARACTERS = 1024 * 1024;
/** Groups that are on their way at once: while one is inserted, another is merged. */
const MOST_GROUPS = 4;
/** How soon a load is tried again whose restaurant somebody else loads. */
const HELD_MS = 50;

export interface WaitingLoad {
  restaurant: number;
  spool: Spool;
}

interface Waiting extends WaitingLoad {
  kind: LoadKind;
  characters: number;
  turn: string;
  /** Not before this instant, of `performance.now()`. */
  from: number;
  until: number;
  resolve(merged: Merged): void;
  reject(error: unknown): void;
}

/** Runs loads of one kind; answers what each did, undefined for those whose restaurants somebody else holds. */
export type RunGroup = (kind: LoadKind, loads: readonly WaitingLoad[]) => Promise<(Merged | undefined)[]>;

const charactersOf = (spool: Spool): number =>
  'folder' in spool
    ? Number.POSITIVE_INFINITY
    : Object.values(spool.parts).reduce((sum, lines) => sum + lines.length, spool.records.length);

/** Answers Facts.merge, and a promise of the end of what is on its way. A load waits for its restaurant up to `waitMs`. */
export function createGroups(run: RunGroup, waitMs: number) {
  let waiting: Waiting[] = [];
  const busy = new Set<number>();
  const groups = new Set<Promise<void>>();
  /** Whose turn it was last comes last. */
  const turns = new Map<string, number>();
  let turn = 0;
  let isSoon = false;

  /** The loads of the next group, taken out of those that wait. */
  function take(): Waiting[] {
    const now = performance.now();
    const blocked = new Set(busy);
    const taken: Waiting[] = [];
    let characters = 0;
    const inTurn = waiting.toSorted((one, other) => (turns.get(one.turn) ?? 0) - (turns.get(other.turn) ?? 0));
    for (const one of inTurn) {
      const [first] = taken;
      const fits = !first || (one.kind === first.kind && characters + one.characters <= MOST_CHARACTERS);
      if (!fits || one.from > now || blocked.has(one.restaurant) || taken.length === MOST_TOGETHER) {
        // What comes after it for the same restaurant comes after it.
        blocked.add(one.restaurant);
        continue;
      }
      taken.push(one);
      characters += one.characters;
      turns.set(one.turn, ++turn);
    }
    const isTaken = new Set(taken);
    waiting = waiting.filter((one) => !isTaken.has(one));
    if (waiting.length === 0) turns.clear();
    // In the order in which they came: so are their numbers.
    return taken;
  }

  async function runGroup(loads: Waiting[]): Promise<void> {
    const [first] = loads;
    if (!first) return;
    try {
      const merged = await run(first.kind, loads);
      for (const [place, load] of loads.entries()) {
        const one = merged[place];
        if (one) load.resolve(one);
        else putBack(load);
      }
    } catch (error) {
      // A server that is away would fail each of them; any other error is that of one of them.
      if (loads.length === 1 || error instanceof EngineGone || error instanceof EngineTimeout) {
        for (const load of loads) load.reject(error);
        return;
      }
      // By halves, so that the one is found in few steps.
      const half = loads.length >> 1;
      await runGroup(loads.slice(0, half));
      await runGroup(loads.slice(half));
    }
  }

  function putBack(load: Waiting): void {
    const now = performance.now();
    if (now >= load.until) load.reject(new EngineGone('another load of the restaurant is under way'));
    else {
      waiting.unshift({ ...load, from: now + HELD_MS });
      void sleep(HELD_MS).then(pump);
    }
  }

  function pump(): void {
    while (groups.size < MOST_GROUPS) {
      const loads = take();
      if (loads.length === 0) return;
      for (const { restaurant } of loads) busy.add(restaurant);
      const group = runGroup(loads).finally(() => {
        groups.delete(group);
        for (const { restaurant } of loads) busy.delete(restaurant);
        pump();
      });
      groups.add(group);
    }
  }

  function soon(): void {
    if (isSoon) return;
    isSoon = true;
    setTimeout(() => {
      isSoon = false;
      pump();
    }, TOGETHER_MS);
  }

  return {
    merge: (restaurant: number, spool: Spool, turnOf = ''): Promise<Merged> =>
      new Promise((resolve, reject) => {
        const characters = charactersOf(spool);
        const until = performance.now() + waitMs;
        waiting.push({
          restaurant,
          spool,
          kind: spool.kind,
          characters,
          turn: turnOf,
          from: 0,
          until,
          resolve,
          reject,
        });
        if (Number.isFinite(characters)) soon();
        else pump();
      }),
    async close(): Promise<void> {
      for (const load of waiting) load.reject(new EngineGone('the service is stopping'));
      waiting = [];
      await Promise.allSettled(groups);
    },
  };
}
