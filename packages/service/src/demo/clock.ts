/** Converts local times to instants (milliseconds since 1970 UTC), and formats them like the source. */
import { wallClock } from '../contract/clock.ts';
import { toUtc } from '../contract/dates.ts';

/** How far local time is ahead of UTC, in milliseconds. */
const offsetAt = (timeZone: string, instant: number): number => wallClock(instant, timeZone) - instant;

/**
 * The instant at which the clocks of a zone show `seconds` after midnight of a date (YYYYMMDD); more than a day means
 * the early hours of the next date. A time that a clock change skips is taken an hour earlier, which keeps it on its
 * business date; for a time that occurs twice, either may be returned.
 */
export function instantAt(timeZone: string, date: number, seconds: number): number {
  const wall = toUtc(date) + seconds * 1000;
  for (const guess of [wall, wall - offsetAt(timeZone, wall)]) {
    const offset = offsetAt(timeZone, guess);
    if (offsetAt(timeZone, wall - offset) === offset) return wall - offset;
  }
  return instantAt(timeZone, date, seconds - 3600);
}

/** Formatted as in orders: `2026-01-01T14:13:12.000+0000`. */
export const stamp = (instant: number): string => `${new Date(instant).toISOString().slice(0, 23)}+0000`;
