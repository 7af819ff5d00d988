/**
 * Loads in front of the servers. Small ones that come within a moment share an insert and a commit, each with its own number: an
 * insert costs some 40 ms of the server whatever it holds. Loads of one restaurant follow each other.
 */
import { EngineGone, EngineTimeout, FactsBusy } from '../bounds.ts';
import type { LoadKind, Merged, Spool } from '../load.ts';

/** How long the first of some small loads waits for others. */
const TOGETHER_MS = 25;
/** What is merged together: as many as this, of no more than this many characters. It bounds how long each waits. */
const MOST_TOGETHER = 256;
const MOST_CHARACTERS = 1024 * 1024;
/** Groups that are on their way at once: while one is inserted, another is merged. */
const MOST_GROUPS = 4;
/** How soon a load is tried again whose restaurant is loaded by another node. */
const HELD_MS = 50;
/** How long a restaurant is left to other nodes after a load of it: longer than they wait before they try again. */
const REST_MS = 60;

export interface WaitingLoad {
  restaurant: number;
  spool: Spool;
}

interface Waiting {
  restaurant: number;
  turn: string;
  /** Of what may be merged together; undefined for what is run alone. */
  load: { spool: Spool; characters: number } | undefined;
  /** Instants of `performance.now()`: not before, and not after. */
  from: number;
  until: number;
  /** Runs what is run alone; false when another node holds the restaurant. */
  alone(): Promise<boolean>;
  resolve(merged: Merged): void;
  reject(error: unknown): void;
}

/** Runs loads of one kind; answers what each did, undefined for those whose restaurants another node holds. */
export type RunGroup = (kind: LoadKind, loads: readonly WaitingLoad[]) => Promise<(Merged | undefined)[]>;

export interface Groups {
  merge(restaurant: number, spool: Spool, turn?: string): Promise<Merged>;
  /** Runs `write` in its turn among the loads of a restaurant, again where it answers that another node holds it. */
  exclusive(restaurant: number, write: () => Promise<boolean>): Promise<void>;
  /** Rejects what waits; resolves when what is on its way has ended. */
  close(): Promise<void>;
}

const charactersOf = (spool: Spool): number =>
  'folder' in spool
    ? Number.POSITIVE_INFINITY
    : Object.values(spool.parts).reduce((sum, lines) => sum + lines.length, spool.records.length);

/** A load waits for its restaurant up to `waitMs`, then it is rejected with FactsBusy. */
export function createGroups(run: RunGroup, waitMs: number): Groups {
  let waiting: Waiting[] = [];
  const busy = new Set<number>();
  const restUntil = new Map<number, number>();
  const groups = new Set<Promise<void>>();
  /** Whose turn it was last comes last. */
  const turns = new Map<string, number>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires, by `performance.now()`. */
  let timerAt = 0;

  /** The loads of the next group, taken out of those that wait. */
  function take(): Waiting[] {
    const now = performance.now();
    const blocked = new Set(busy);
    const taken: Waiting[] = [];
    let characters = 0;
    const inTurn = waiting.toSorted((one, other) => (turns.get(one.turn) ?? 0) - (turns.get(other.turn) ?? 0));
    for (const one of inTurn) {
      const [first] = taken;
      const joins =
        one.load &&
        first?.load?.spool.kind === one.load.spool.kind &&
        characters + one.load.characters <= MOST_CHARACTERS &&
        taken.length < MOST_TOGETHER;
      const isEarly = one.from > now || (restUntil.get(one.restaurant) ?? 0) > now;
      if ((first && !joins) || isEarly || blocked.has(one.restaurant)) {
        // What comes after it for the same restaurant comes after it.
        blocked.add(one.restaurant);
        continue;
      }
      taken.push(one);
      characters += one.load?.characters ?? Number.POSITIVE_INFINITY;
      turns.set(one.turn, ++turn);
    }
    const isTaken = new Set(taken);
    waiting = waiting.filter((one) => !isTaken.has(one));
    if (waiting.length === 0) turns.clear();
    return taken;
  }

  /** Runs what was taken; answers those whose restaurants another node holds. */
  async function runGroup(loads: Waiting[]): Promise<Waiting[]> {
    const [first] = loads;
    if (!first) return [];
    try {
      if (!first.load) return (await first.alone()) ? [] : loads;
      const own = loads.flatMap(({ restaurant, load }) => (load ? [{ restaurant, spool: load.spool }] : []));
      const merged = await run(first.load.spool.kind, own);
      return loads.filter((load, place) => {
        const one = merged[place];
        if (one) load.resolve(one);
        return one === undefined;
      });
    } catch (error) {
      // A server that is away would fail each of them; any other error is that of one of them.
      if (loads.length === 1 || error instanceof EngineGone || error instanceof EngineTimeout) {
        for (const load of loads) load.reject(error);
        return [];
      }
      // By halves, so that the one is found in few steps.
      const half = loads.length >> 1;
      return [...(await runGroup(loads.slice(0, half))), ...(await runGroup(loads.slice(half)))];
    }
  }

  /** In front of those that came later. */
  function putBack(held: Waiting[]): void {
    const now = performance.now();
    const [late, early] = [held.filter(({ until }) => until <= now), held.filter(({ until }) => until > now)];
    for (const load of late) load.reject(new FactsBusy('other loads hold the restaurant'));
    waiting = [...early.map((load) => ({ ...load, from: now + HELD_MS })), ...waiting];
  }

  function pump(): void {
    while (groups.size < MOST_GROUPS) {
      const loads = take();
      if (loads.length === 0) break;
      for (const { restaurant } of loads) busy.add(restaurant);
      const group = runGroup(loads).then((held) => {
        groups.delete(group);
        const now = performance.now();
        for (const { restaurant } of loads) {
          busy.delete(restaurant);
          restUntil.set(restaurant, now + REST_MS);
        }
        putBack(held);
        pump();
      });
      groups.add(group);
    }
    const now = performance.now();
    for (const [restaurant, until] of restUntil) if (until <= now) restUntil.delete(restaurant);
    if (waiting.length > 0 && groups.size < MOST_GROUPS) soon(HELD_MS);
  }

  /** Looks again then, or before. */
  function soon(ms: number): void {
    const at = performance.now() + ms;
    if (timer && timerAt <= at) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      pump();
    }, ms);
  }

  function add(restaurant: number, turnOf: string, work: Pick<Waiting, 'load' | 'alone'>): Promise<Merged> {
    return new Promise((resolve, reject) => {
      const until = performance.now() + waitMs;
      waiting.push({ restaurant, turn: turnOf, from: 0, until, resolve, reject, ...work });
      soon(TOGETHER_MS);
    });
  }

  return {
    merge: (restaurant, spool, turnOf = '') =>
      add(restaurant, turnOf, {
        load: { spool, characters: charactersOf(spool) },
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
      clearTimeout(timer);
      for (const load of waiting) load.reject(new EngineGone('the service is stopping'));
      waiting = [];
      await Promise.allSettled(groups);
    },
  };
}
