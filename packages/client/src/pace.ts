/** Spreads out create calls, so that a long history stays within the limits of the service. */
import { spentLimit } from './answers.ts';
import { DAY_MS } from './dates.ts';
import type { Family, FamilyTypes } from './resources/family.ts';

type Limited = Pick<Family<FamilyTypes>, 'limitOf' | 'knownLimits'>;

export interface Pace {
  /** Milliseconds until a create of the family and range is allowed. */
  waitMs(family: Limited, range: string): number;
  /** Records a create that was answered. */
  note(family: Limited, range: string, headers: Headers): void;
}

/** `clock` returns milliseconds since 1970. */
export function createPace(clock: () => number = Date.now): Pace {
  const sent: Record<string, number[]> = {};
  const freeAt: Record<string, number | undefined> = {};
  return {
    waitMs(family, range) {
      const limit = family.limitOf(range);
      const now = clock();
      const freeFrom = freeAt[limit];
      if (freeFrom !== undefined) return Math.max(0, freeFrom - now);
      const times = sent[limit] ?? [];
      const waits = (family.knownLimits[limit] ?? []).map(([calls, ms]) => (times.at(-calls) ?? 0) + ms - now);
      return Math.max(0, ...waits);
    },
    note(family, range, headers) {
      const limit = family.limitOf(range);
      const now = clock();
      // An answer with the place of the report is of a service that would state its limits if it had any; the live
      // system states neither.
      const left = spentLimit(headers) ?? (headers.has('location') ? 0 : null);
      freeAt[limit] = left === null ? undefined : now + left;
      sent[limit] = [...(sent[limit] ?? []).filter((time) => time > now - DAY_MS), now];
    },
  };
}
