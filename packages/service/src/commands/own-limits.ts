/** Limits that are a group's or a client's own, at the command line. */
import { UsageError } from '@daypart/cli';
import { readOwnLimits } from '../admin/own-limits.ts';
import { Problem } from '../contract/problems.ts';
import type { OwnLimits } from '../ledger/group.ts';

/** `check=5/min,60/day retrieval=off` as limits; `none` for none of its own. Throws UsageError. */
export function readLimits(text: string): OwnLimits {
  if (text === 'none') return {};
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const pairs = parts.map((part) => {
    const at = part.indexOf('=');
    if (at < 1)
      throw new UsageError('--quota is LIMIT=CALLS, separated by blanks: "check=50/min,600/day retrieval=off"');
    return [part.slice(0, at), part.slice(at + 1)];
  });
  try {
    return readOwnLimits(Object.fromEntries(pairs));
  } catch (error) {
    throw error instanceof Problem ? new UsageError(`--quota: ${error.message}`) : error;
  }
}

/** Limits in the words of `--quota`; `-` if there are none. */
export const shownLimits = (limits: OwnLimits = {}): string =>
  Object.entries(limits)
    .map((pair) => pair.join('='))
    .join(' ') || '-';

/** Throws UsageError. */
export function missingLimits(): never {
  throw new UsageError('clients set needs --quota, such as "check=5/min,60/day"');
}

export const limitedLine = (id: string, limits: OwnLimits): string =>
  Object.keys(limits).length === 0 ? `${id} has no limits of its own.` : `Limits of ${id}: ${shownLimits(limits)}`;
