/** Loads that wait, and which of them are next: those of one kind that may be merged together, in turn, one group of a restaurant at a time. */
import { EngineGone, FactsBusy } from '../bounds.ts';
import type { Merged, Spool } from '../load.ts';

/** What is merged together: as many as this, of no more than this many characters. It bounds how long each waits. */
const MOST_TOGETHER = 256;
const MOST_CHARACTERS = 1024 * 1024;
/** How soon a load is tried again whose restaurant is loaded by another node. */
export const HELD_MS = 50;
/** How long a restaurant is left to other nodes after a load of it: longer than they wait before they try again. */
const REST_MS = 60;

export interface Waiting {
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

export interface Queue {
  add(load: Waiting): void;
  isEmpty(): boolean;
  /** Takes the loads of the next group out, and holds their restaurants; none where none may begin now. */
  take(): Waiting[];
  /** Frees the restaurants of a group. Those that another node held wait again, in front of those that came later. */
  done(loads: readonly Waiting[], held: readonly Waiting[]): void;
  /** Rejects all that wait. */
  close(): void;
}

export function createQueue(): Queue {
  let waiting: Waiting[] = [];
  const busy = new Set<number>();
  const restUntil = new Map<number, number>();
  /** Whose turn it was last comes last. */
  const turns = new Map<string, number>();
  let turn = 0;

  /** The first that may begin, and those that may be merged with it. */
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
        // What comes after it for the same restaurant comes after it.
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
