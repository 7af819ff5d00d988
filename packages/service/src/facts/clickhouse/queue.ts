/** The queue of loads: selects those of one kind that may be merged together, in turn, one group per restaurant at a time. */
import { EngineGone, FactsBusy } from '../bounds.ts';
import type { Merged, Spool } from '../load.ts';

/** The most loads, and characters, that are merged together. Bounds how long each waits. */
const MOST_TOGETHER = 256;
const MOST_CHARACTERS = 1024 * 1024;
/**
 * How long a small load waits at most for the small group in progress, to be merged together with the next loads of its clients. Groups that
 * overlapped stayed apart: four clients that each sent one load after the other took 2.5 calls of ClickHouse for a load instead of 2.0,
 * and 3.9 on a busy machine.
 */
const JOIN_MS = 1000;
/** How soon a load is tried again if another node loads its restaurant. */
const HELD_MS = 50;
/** How long a restaurant is left to other nodes after a load: longer than they wait before they try again. */
const REST_MS = 60;

export interface Waiting {
  restaurant: number;
  turn: string;
  /** For loads that may be merged together; undefined for work that runs alone. */
  load: { spool: Spool; characters: number } | undefined;
  /** Instants of the queue's clock: when it was added, and not before `from`, not after `until`. */
  added: number;
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
  /**
   * Takes the loads of the next group out, and marks their restaurants as busy; empty if none may begin now, or if others are likely to
   * join soon.
   */
  take(): Waiting[];
  /** Frees the restaurants of a group. Loads whose restaurants another node held wait again, before those that came later. */
  done(loads: readonly Waiting[], held: readonly Waiting[]): void;
  /** Rejects all waiting loads. */
  close(): void;
}

/** Whether others may join these loads: no files, and not work that runs alone. */
const isSmall = (loads: readonly Waiting[]): boolean =>
  loads.every(({ load }) => (load?.characters ?? Number.POSITIVE_INFINITY) <= MOST_CHARACTERS);

/** `clock` returns milliseconds since an arbitrary instant. */
export function createQueue(clock = () => performance.now()): Queue {
  let waiting: Waiting[] = [];
  /** The restaurants of groups in progress, and whether those are of small loads. */
  const busy = new Map<number, boolean>();
  const restUntil = new Map<number, number>();
  /** Until when the restaurants of the last small group rest. */
  let restsUntil = 0;
  /** Kinds by their last turn: the one served last comes last. */
  const turns = new Map<string, number>();
  let turn = 0;

  /** The first load that may begin, and those that may be merged with it; none if it should wait until others join. */
  function choose(now: number): Waiting[] {
    const blocked = new Set(busy.keys());
    const chosen: Waiting[] = [];
    let characters = 0;
    let isFull = false;
    let areSomeEarly = false;
    const inTurn = waiting.toSorted((one, other) => (turns.get(one.turn) ?? 0) - (turns.get(other.turn) ?? 0));
    for (const one of inTurn) {
      const [first] = chosen;
      const fits = characters + (one.load?.characters ?? 0) <= MOST_CHARACTERS && chosen.length < MOST_TOGETHER;
      const joins = one.load && first?.load?.spool.kind === one.load.spool.kind && fits;
      const isEarly = one.from > now || (restUntil.get(one.restaurant) ?? 0) > now;
      isFull ||= !fits;
      areSomeEarly ||= isEarly;
      if ((first && !joins) || isEarly || blocked.has(one.restaurant)) {
        // Later loads of the same restaurant must stay behind it.
        blocked.add(one.restaurant);
        continue;
      }
      chosen.push(one);
      characters += one.load?.characters ?? Number.POSITIVE_INFINITY;
    }
    // The clients of a small group are likely to send their next loads as soon as it is done.
    const mayGrow =
      isSmall(chosen) && !isFull && ((areSomeEarly && now < restsUntil) || [...busy.values()].some(Boolean));
    return mayGrow && chosen.every(({ added }) => now < added + JOIN_MS) ? [] : chosen;
  }

  return {
    add: (load) => void waiting.push(load),
    isEmpty: () => waiting.length === 0,
    take() {
      const now = clock();
      for (const [restaurant, until] of restUntil) if (until <= now) restUntil.delete(restaurant);
      const taken = choose(now);
      const isTaken = new Set(taken);
      waiting = waiting.filter((one) => !isTaken.has(one));
      for (const one of taken) {
        turns.set(one.turn, ++turn);
        busy.set(one.restaurant, isSmall(taken));
      }
      if (waiting.length === 0) turns.clear();
      return taken;
    },
    done(loads, held) {
      const now = clock();
      for (const { restaurant } of loads) {
        busy.delete(restaurant);
        restUntil.set(restaurant, now + REST_MS);
      }
      if (isSmall(loads)) restsUntil = now + REST_MS;
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
