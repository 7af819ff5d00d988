/** Creates spread out so that a long history stays within what the service allows. */
import { spentLimit } from './answers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the live system allows, for services whose answers do not say how much is left: [calls, window in ms]. */
const KNOWN: Record<string, [number, number][]> = {
  short: [
    [10, MINUTE],
    [60, HOUR],
  ],
  long: [[10, HOUR]],
  check: [
    [5, MINUTE],
    [60, DAY],
  ],
};

export interface Pace {
  /** Milliseconds until a create of this kind has room. */
  waitMs(path: string): number;
  /** Notes a create that was answered. */
  note(path: string, headers: Headers): void;
}

const kindOf = (path: string): string =>
  path.startsWith('/check') ? 'check' : /\/(day|week)$/.test(path) ? 'short' : 'long';

/** `clock` answers milliseconds since 1970. */
export function createPace(clock: () => number = Date.now): Pace {
  const sent: Record<string, number[]> = {};
  const freeAt: Record<string, number | undefined> = {};
  return {
    waitMs(path) {
      const kind = kindOf(path);
      const now = clock();
      const told = freeAt[kind];
      if (told !== undefined) return Math.max(0, told - now);
      const times = sent[kind] ?? [];
      const waits = (KNOWN[kind] ?? []).map(([calls, window]) => (times.at(-calls) ?? 0) + window - now);
      return Math.max(0, ...waits);
    },
    note(path, headers) {
      const kind = kindOf(path);
      const now = clock();
      const left = spentLimit(headers);
      freeAt[kind] = left === null ? undefined : now + left;
      sent[kind] = [...(sent[kind] ?? []).filter((time) => time > now - DAY), now];
    },
  };
}
