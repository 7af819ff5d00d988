/** Counts failed sign-ins of people, by address and by client id. */
import { Problem } from '../http/problems.ts';
import { networkOf } from './address.ts';
import { type CountedWindow, createMemoryCounters } from './counters.ts';
import { secondsLeft } from './limits.ts';

/** People mistype less often than this; a program that guesses gets 7,200 guesses a day. */
const WINDOW: CountedWindow = { name: 'sign-in', unit: 'minute', seconds: 60, quota: 5 };

export interface FailedLogins {
  /** Throws Problem too_many_logins if any of the keys has failed 5 times within the minute. */
  check(keys: readonly string[]): void;
  /** Counts a failure for each key. */
  note(keys: readonly string[]): void;
}

/** The keys of a sign-in: the network it comes from, and the client it names. */
export const keysOf = (address: string, clientId?: string): string[] => [
  `address ${networkOf(address)}`,
  ...(clientId === undefined ? [] : [`client ${clientId}`]),
];

/** Counted whatever `--limits` says, because neither people nor their programs sign in that often. */
export function createFailedLogins(clock: () => number): FailedLogins {
  const failures = createMemoryCounters();
  return {
    check(keys) {
      const now = clock();
      if (keys.every((key) => failures.left(key, [WINDOW], now)[0] !== 0)) return;
      const wait = secondsLeft(WINDOW, now);
      throw new Problem('too_many_logins', `Too many sign-ins failed. Wait ${wait} s.`, {
        headers: { 'retry-after': String(wait) },
      });
    },
    note(keys) {
      const now = clock();
      for (const key of keys) failures.take(key, [WINDOW], now);
    },
  };
}
