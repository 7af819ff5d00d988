/** The queue of loads: selects those of one kind that may be merged together, in turn, one group per restaurant at a time. */
import { EngineGone, FactsBusy } from '../bounds.ts';
import type { Merged, Spool } from '../load.ts';

/** The most loads, and characters, that are merged together. Bounds how long each waits. */
const MOST_TOGETHER = 256;
const MOST_CHARACTERS = 1024 * 1024;
/** How soon a load is tried again if another node loads its restaurant. */
export const HELD_MS = 50;
/** How long a restaurant is left to other nodes after a load: longer than they wait before they try again. */
const REST_MS = 60;

export interface Waiting {
  restaurant: number;
  turn: string;
  /** For loads that may be merged together; undefined for work that runs alone. */
  load: { spool: Spool; characters: number } | undefined;
  /** Instants of `performance.now()`: not before `from`, not after `to`. */
  from: number;
  until: number;
  /** Runs work that runs alone; false if another node holds the restaurant. */
  alone(): Promise<boolean>;
  resolve(merged: Merged): void;
  reject(error: unknown): void;
}

export interface Queue {
  add(load: Waiting): void;
  isEmpty(): boolean;
  /** Takes the loads of the next group out, and marks their restaurants as busy; empty if none may begin now. */
  take(): Waiting[];
  /** Frees the restaurants of a group. Loads whose restaurants another node held wait again, before those that came later. */
  done(loads: readonly Waiting[], held: readonly Waiting[]): void;
  /** Rejects all waiting loads. */
  close(): void;
}

export function createQueue(): Queue {
  let waiting: Waiting[] = [];
  const busy = new Set<number>();
  const restUntil = new Map<number, number>();
  /** Kinds by their last turn: the one served last comes last. */
  const turns = new Map<string, number>();
  let turn = 0;

  /** The first load that may begin, and those that may be merged with it. */
  function choose(now: number): Waiting[] {
    const blocked = new Set(busy);
    const chosen: Waiting[] = [];
    let characters = 0;
    const inTurn = waiting.toSorted((one, other) => (turns.get(one.turn) ?? 0) - (turns.get(other.turn) ?? 0));
    for (const one of inTurn) {
      const [first] = chosen;
      const joins =
        one.load &&
        first?.load?.spool.kind === one.load.spool.kind &&
        characters + one.load.characters <= MOST_CHARACTERS &&
        chosen.length < MOST_TOGETHER;
      const isEarly = one.from > now || (restUntil.get(one.restaurant) ?? 0) > now;
      if ((first && !joins) || isEarly || blocked.has(one.restaurant)) {
        // Later loads of the same restaurant must stay behind it.
        blocked.add(one.restaurant);
        continue;
      }
      chosen.push(one);
      characters += one.load?.characters ?? Number.POSITIVE_INFINITY;
    }
    return chosen;
  }

  return {
    add: (load) => void waiting.push(load),
    isEmpty: () => waiting.length === 0,
    take() {
      const now = performance.now();
      for (const [restaurant, until] of restUntil) if (until <= now) restUntil.delete(restaurant);
      const taken = choose(now);
      const isTaken = new Set(taken);
      waiting = waiting.filter((one) => !isTaken.has(one));
      for (const one of taken) {
        turns.set(one.turn, ++turn);
        busy.add(one.restaurant);
      }
      if (waiting.length === 0) turns.clear();
      return taken;
    },
    done(loads, held) {
      const now = performance.now();
      for (const { restaurant } of loads) {
        busy.delete(restaurant);
        restUntil.set(restaurant, now + REST_MS);
      }
      const [late, early] = [held.filter(({ until }) => until <= now), held.filter(({ until }) => until > now)];
      for (const load of late) load.reject(new FactsBusy('other loads hold the restaurant'));
      waiting = [...early.map((load) => ({ ...load, from: now + HELD_MS })), ...waiting];
    },
    close() {
      for (const load of waiting) load.reject(new EngineGone('the service is stopping'));
      waiting = [];
    },
  };
}
