/** Counts failed sign-ins of people, by address and by client id. */
import { createHash } from 'node:crypto';
import { Problem } from '../contract/problems.ts';
import { networkOf } from './address.ts';
import type { CountedWindow, Counters } from './counters.ts';
import { secondsLeft } from './limits.ts';

/** People mistype less often than this; a program that guesses gets 7,200 guesses a day. */
const WINDOW: CountedWindow = { name: 'sign-in', unit: 'minute', seconds: 60, quota: 5 };

interface FailedLogins {
  /** Throws Problem too_many_logins if any of the keys has failed 5 times within the minute. */
  check(keys: readonly string[]): Promise<void>;
  /** Counts a failure for each key. */
  note(keys: readonly string[]): Promise<void>;
}

/** The keys of a sign-in: the network it comes from, and the client it names, which may be a text of any length. */
export const keysOf = (address: string, clientId?: string): string[] => [
  `address ${networkOf(address)}`,
  ...(clientId === undefined ? [] : [`client ${createHash('sha256').update(clientId).digest('base64url')}`]),
];

/**
 * Counted whatever `--limits` says, because neither people nor their programs sign in that often. All services that
 * share the counters allow 5 together.
 */
export function createFailedLogins(counters: Counters, clock: () => number): FailedLogins {
  return {
    async check(keys) {
      const now = clock();
      const left = await Promise.all(keys.map((key) => counters.left(key, [WINDOW], now, true)));
      if (left.every(([one]) => one !== 0)) return;
      const wait = secondsLeft(WINDOW, now);
      throw new Problem('too_many_logins', `Too many sign-ins failed. Wait ${wait} s.`, {
        headers: { 'retry-after': String(wait) },
      });
    },
    async note(keys) {
      const now = clock();
      await Promise.all(keys.map((key) => counters.take(key, [WINDOW], now)));
    },
  };
}
