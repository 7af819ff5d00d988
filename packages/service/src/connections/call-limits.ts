/**
 * How often a point of sale is asked: at a pace for each restaurant and one for the connection, at most four calls at
 * once and one of a restaurant, and not before a limit of the point of sale is over. Waiting is never an error.
 */
import { type ConnectionSource, SourceError } from '@daypart/client/source';
import { MINUTE_MS } from '../contract/time.ts';
import type { Timers } from './timers.ts';

/** One restaurant: so many ms between calls, after so many at once. */
export const RESTAURANT_MS = 1000;
const RESTAURANT_BURST = 3;
const AT_ONCE = 4;
/** A limit that lasts longer ends the call, which is then due again. */
const LONGEST_WAIT_MS = MINUTE_MS;
/** The longest that a point of sale may ask to wait. */
const LONGEST_HOLD_MS = 60 * MINUTE_MS;

/** Calls at regular times, of which the first so many may come at once. */
class Pace {
  readonly #intervalMs: number;
  readonly #burst: number;
  #next = 0;

  constructor(intervalMs: number, burst = 1) {
    this.#intervalMs = intervalMs;
    this.#burst = burst;
  }

  /** When the next call may come. */
  get readyAt(): number {
    return this.#next - (this.#burst - 1) * this.#intervalMs;
  }

  take(now: number): void {
    this.#next = Math.max(now, this.#next) + this.#intervalMs;
  }
}

/** The place that a limit is about: one path of one restaurant. */
interface LimitPlace {
  /** Empty for calls that name none. */
  restaurant: string;
  /** Without GUIDs. */
  path: string;
}

interface WantedTurn extends LimitPlace {
  /** Between two such calls; 0 if only the pace of the restaurant counts. */
  everyMs: number;
  /** Those with a lower number come first. */
  priority: number;
  signal: AbortSignal;
}

interface Waiter {
  wanted: WantedTurn;
  begin(): void;
  fail(reason: unknown): void;
}

const keyOf = ({ restaurant, path }: LimitPlace): string => `${restaurant} ${path}`;

export class CallLimits {
  readonly #timers: Timers;
  readonly #connection: Pace;
  readonly #restaurants = new Map<string, Pace>();
  readonly #paths = new Map<string, Pace>();
  readonly #held = new Map<string, number>();
  readonly #busy = new Set<string>();
  #heldUntil = 0;
  #waiting: Waiter[] = [];
  #cancelTimer: () => void = () => undefined;

  constructor({ timers, perSecond }: { timers: Timers; perSecond: number }) {
    this.#timers = timers;
    this.#connection = new Pace(1000 / perSecond);
  }

  /** Until when (ms since 1970 UTC, our clock) no call of the connection is made; 0 if none is held. */
  get heldUntil(): number {
    return this.#heldUntil > this.#timers.now() ? this.#heldUntil : 0;
  }

  /**
   * Resolves when the call may be made, to what ends it. Throws SourceError `throttled` if a limit lasts longer than a
   * minute, or the reason of the signal.
   */
  take(wanted: WantedTurn): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (wanted.signal.aborted) return reject(wanted.signal.reason);
      const leave = (): void => {
        wanted.signal.removeEventListener('abort', abort);
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
      };
      const waiter: Waiter = {
        wanted,
        begin: () => {
          leave();
          resolve(this.#begin(wanted));
        },
        fail: (reason) => {
          leave();
          reject(reason);
        },
      };
      const abort = (): void => {
        waiter.fail(wanted.signal.reason);
        this.#serve();
      };
      wanted.signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiter);
      this.#waiting.sort((a, b) => a.wanted.priority - b.wanted.priority);
      this.#serve();
    });
  }

  /** Makes no call before `until` (ms since 1970 UTC, our clock): of the connection, or of one place. */
  hold(until: number, place?: LimitPlace): void {
    const end = Math.min(until, this.#timers.now() + LONGEST_HOLD_MS);
    if (!place) this.#heldUntil = Math.max(this.#heldUntil, end);
    else this.#held.set(keyOf(place), Math.max(this.#held.get(keyOf(place)) ?? 0, end));
    this.#serve();
  }

  #begin({ restaurant, path, everyMs }: WantedTurn): () => void {
    const now = this.#timers.now();
    this.#busy.add(restaurant);
    this.#connection.take(now);
    this.#paceOf(restaurant).take(now);
    if (everyMs > 0) {
      const spaced = new Pace(everyMs);
      spaced.take(now);
      this.#paths.set(keyOf({ restaurant, path }), spaced);
    }
    return () => {
      this.#busy.delete(restaurant);
      this.#serve();
    };
  }

  #paceOf(restaurant: string): Pace {
    const known = this.#restaurants.get(restaurant) ?? new Pace(RESTAURANT_MS, RESTAURANT_BURST);
    this.#restaurants.set(restaurant, known);
    return known;
  }

  /** Begins every call that may be made now, and looks again when the next one may. */
  #serve(): void {
    this.#cancelTimer();
    const now = this.#timers.now();
    let next = Number.POSITIVE_INFINITY;
    for (const waiter of [...this.#waiting]) {
      const { wanted } = waiter;
      const heldUntil = Math.max(this.#heldUntil, this.#held.get(keyOf(wanted)) ?? 0);
      if (heldUntil - now > LONGEST_WAIT_MS) {
        waiter.fail(
          new SourceError('throttled', 'The point of sale limits how often it is asked.', { retryAt: heldUntil }),
        );
        continue;
      }
      if (this.#busy.has(wanted.restaurant) || this.#busy.size >= AT_ONCE) continue;
      const spaced = wanted.everyMs > 0 ? (this.#paths.get(keyOf(wanted))?.readyAt ?? 0) : 0;
      const readyAt = Math.max(heldUntil, spaced, this.#paceOf(wanted.restaurant).readyAt);
      const beginsAt = Math.max(readyAt, this.#connection.readyAt);
      if (beginsAt <= now) waiter.begin();
      else next = Math.min(next, beginsAt);
      // The turn of the connection is that of the first who waits for nothing else.
      if (beginsAt > now && readyAt <= now) break;
    }
    if (next < Number.POSITIVE_INFINITY) this.#cancelTimer = this.#timers.after(next - now, () => this.#serve());
  }
}

/**
 * Of the calls that a connection may make, what asking for changes may take: the rest is for names, checks, the past.
 */
const POLLS_PART = 0.5;

/**
 * By how much the times between two reads of changes and menus are multiplied: 1 up to some 380 restaurants of the
 * usual pace. Without it, 2,000 restaurants would be due more often than they may be asked, and some would wait for
 * hours.
 */
export function stretchOf(
  { timeEntries, menus, requestsPerSecond }: Pick<ConnectionSource, 'timeEntries' | 'menus' | 'requestsPerSecond'>,
  { restaurants, pollSeconds, perSecond }: { restaurants: number; pollSeconds: number; perSecond: number | null },
): number {
  const periods = [pollSeconds, timeEntries?.everySeconds, menus?.everySeconds];
  const ofOne = periods.reduce<number>((sum, seconds) => sum + (seconds ? 1 / seconds : 0), 0);
  const calls = Math.min(perSecond ?? requestsPerSecond.usual, requestsPerSecond.most);
  return Math.max(1, (restaurants * ofOne) / (calls * POLLS_PART));
}
