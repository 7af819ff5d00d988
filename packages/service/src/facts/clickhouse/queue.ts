/**
 * The queue of loads: selects those of one kind that may be merged together, in turn, one group per restaurant at a
 * time.
 */
import { EngineGone, FactsBusy } from '../errors.ts';
import type { LoadKind, Merged, Spool } from '../load.ts';
import { MOST_CHARACTERS, MOST_IN_BATCH } from '../load-groups.ts';

/**
 * How long a small load waits at most for the small group in progress, to be merged together with the next loads of its
 * clients. Groups that overlapped stayed apart: four clients that each sent one load after the other took 2.5 calls of
 * ClickHouse for a load instead of 2.0, and 3.9 on a busy machine.
 */
const JOIN_MS = 1000;
/**
 * How long the next group waits for the clients of a small group after it is done, as a part of its duration: on a busy
 * machine, which takes long for groups, their next loads arrive late as well. A group that took seconds waited for a
 * store, not for its turn.
 */
const RETURN_PART = 1 / 4;
const RETURN_MS = 250;
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
   * Takes the loads of the next group out, and marks their restaurants as busy; empty if none may begin now, or if
   * others are likely to join soon.
   */
  take(): Waiting[];
  /**
   * Frees the restaurants of a group. Loads whose restaurants another node held wait again, before those that came
   * later.
   */
  done(loads: readonly Waiting[], held: readonly Waiting[]): void;
  /** Rejects all waiting loads. */
  close(): void;
}

/** Whether others may join these loads: no files, and not work that runs alone. */
const isSmall = (loads: readonly Waiting[]): boolean =>
  loads.every(({ load }) => (load?.characters ?? Number.POSITIVE_INFINITY) <= MOST_CHARACTERS);

/** The restaurants that are loaded now, or were a moment ago. Instants are those of the queue's clock. */
function createRestaurants() {
  /** Those of groups in progress, and the kind and beginning of the group; undefined if it is not of small loads. */
  const busy = new Map<number, { kind: LoadKind; since: number } | undefined>();
  const restUntil = new Map<number, number>();
  /** Until when the restaurants of the last small group rest, and until when its clients return. */
  let restsUntil = 0;
  let returnsUntil = 0;
  return {
    busy: () => busy.keys(),
    rests: (restaurant: number, now: number): boolean => (restUntil.get(restaurant) ?? 0) > now,
    begin(loads: readonly Waiting[], now: number): void {
      const kind = loads[0]?.load?.spool.kind;
      const group = kind && isSmall(loads) ? { kind, since: now } : undefined;
      for (const { restaurant } of loads) busy.set(restaurant, group);
    },
    end(loads: readonly Waiting[], now: number): void {
      for (const [restaurant, until] of restUntil) if (until <= now) restUntil.delete(restaurant);
      for (const { restaurant } of loads) {
        const group = busy.get(restaurant);
        if (group) {
          restsUntil = now + REST_MS;
          returnsUntil = now + Math.min(RETURN_MS, RETURN_PART * (now - group.since));
        }
        busy.delete(restaurant);
        restUntil.set(restaurant, now + REST_MS);
      }
    },
    /**
     * Whether more loads of a kind are likely to come soon: the clients of a small group send their next loads as soon
     * as it is done.
     */
    areMoreLikely: (kind: LoadKind | undefined, someNotDue: boolean, now: number): boolean =>
      now < returnsUntil ||
      (someNotDue && now < restsUntil) ||
      [...busy.values()].some((group) => group !== undefined && group.kind === kind),
  };
}

/** `clock` returns milliseconds since an arbitrary instant. */
export function createQueue(clock = () => performance.now()): Queue {
  let waiting: Waiting[] = [];
  const restaurants = createRestaurants();
  /** Kinds by their last turn: the one served last comes last. */
  const turns = new Map<string, number>();
  let turn = 0;

  /** The first load that may begin, and those that may be merged with it; none if it should wait until others join. */
  function choose(now: number): Waiting[] {
    const blocked = new Set(restaurants.busy());
    const chosen: Waiting[] = [];
    let characters = 0;
    let isFull = false;
    let someNotDue = false;
    const inTurn = waiting.toSorted((a, b) => (turns.get(a.turn) ?? 0) - (turns.get(b.turn) ?? 0));
    for (const one of inTurn) {
      const [first] = chosen;
      const fits = characters + (one.load?.characters ?? 0) <= MOST_CHARACTERS && chosen.length < MOST_IN_BATCH;
      const joins = one.load && first?.load?.spool.kind === one.load.spool.kind && fits;
      const isEarly = one.from > now || restaurants.rests(one.restaurant, now);
      isFull ||= !fits;
      someNotDue ||= isEarly;
      if ((first && !joins) || isEarly || blocked.has(one.restaurant)) {
        // Later loads of the same restaurant must stay behind it.
        blocked.add(one.restaurant);
        continue;
      }
      chosen.push(one);
      characters += one.load?.characters ?? Number.POSITIVE_INFINITY;
    }
    const kind = chosen[0]?.load?.spool.kind;
    const canGrow = isSmall(chosen) && !isFull && restaurants.areMoreLikely(kind, someNotDue, now);
    return canGrow && chosen.every(({ added }) => now < added + JOIN_MS) ? [] : chosen;
  }

  return {
    add: (load) => void waiting.push(load),
    isEmpty: () => waiting.length === 0,
    take() {
      const now = clock();
      const taken = choose(now);
      const isTaken = new Set(taken);
      waiting = waiting.filter((one) => !isTaken.has(one));
      for (const one of taken) turns.set(one.turn, ++turn);
      restaurants.begin(taken, now);
      if (waiting.length === 0) turns.clear();
      return taken;
    },
    done(loads, held) {
      const now = clock();
      restaurants.end(loads, now);
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
