/** Law: a point of sale is never asked more often than it allows. */
import { HOUR_MS } from '../../contract/time.ts';

/** One call as it was sent. */
export interface FairCall {
  /** When it was sent, ms since 1970 UTC. */
  at: number;
  /** Empty or undefined for calls that name none. */
  restaurant: string | undefined;
  /** How many calls were in progress with it, and how many of its restaurant. */
  atOnce: number;
  atOnceOfRestaurant: number;
  /** Whether it was a sign-in that was answered. */
  isSignIn: boolean;
}

const MOST_LOGINS = 2;

/** Whether calls at these instants (ms) are at most so many a second after a burst, in every window. */
export function isWithin(at: readonly number[], perSecond: number, burst: number): boolean {
  // Calls in a window of any length are those that leak out of it and the burst.
  let [level, last] = [0, 0];
  for (const time of at) {
    level = Math.max(0, level - ((time - last) / 1000) * perSecond) + 1;
    last = time;
    if (level > burst + 0.01) return false;
  }
  return true;
}

/** Whether there are too many sign-ins, in words: also of nodes one after the other. */
export function unfairSignIns(calls: readonly FairCall[]): string[] {
  const logins = calls.filter(({ isSignIn }) => isSignIn).map(({ at }) => at);
  const inHour = logins.map((at) => logins.filter((other) => other >= at && other < at + HOUR_MS).length);
  const most = Math.max(0, ...inHour);
  return most > MOST_LOGINS ? [`${most} sign-ins within an hour`] : [];
}

/** What is unfair in the calls of a connection, in words; `perSecond` is its rate. */
export function unfairUse(calls: readonly FairCall[], perSecond: number): string[] {
  const unfair: string[] = [];
  const check = (isFair: boolean, what: string): void => void (isFair || unfair.push(what));
  const times = (of: readonly FairCall[]): number[] => of.map(({ at }) => at);
  check(isWithin(times(calls), perSecond, 1), `the connection is asked more often than ${perSecond} times a second`);
  for (const [restaurant, of] of Map.groupBy(calls, (call) => call.restaurant))
    check(isWithin(times(of), 1, 3), `${restaurant || 'the connection itself'} is asked more often than once a second`);
  check(
    calls.every(({ atOnce }) => atOnce <= 4),
    'more than four calls at once',
  );
  check(
    calls.every(({ atOnceOfRestaurant }) => atOnceOfRestaurant <= 1),
    'two calls of a restaurant at once',
  );
  unfair.push(...unfairSignIns(calls));
  return unfair;
}
