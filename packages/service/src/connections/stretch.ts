/** How much less often each restaurant is asked where a connection has many. */
import type { ConnectionSource } from '@daypart/client/source';

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
