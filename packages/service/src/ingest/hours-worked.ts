/** Distributes a time entry over the local hours in which it was worked (docs/metrics.md#sales-metrics). */

import { wallClock } from '../contract/clock.ts';
import { DAY_MS, HOUR_MS } from '../contract/time.ts';
import type { WorkedHour } from '../facts/shift.ts';
import { largestRemainder } from './money.ts';

/** Nobody works for 31 days: such an entry is a mistyped date, and is counted in its first hour. */
const LONGEST_MS = 31 * DAY_MS;

/** The first instant after `from` at which the local clock of the zone jumps; `to` must be after the jump. */
function jumpBetween(from: number, to: number, timeZone: string): number {
  const offset = wallClock(from, timeZone) - from;
  let before = from;
  let after = to;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallClock(middle, timeZone) - middle === offset) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * Milliseconds by local hour, in the order in which the hours first occurred; only the hour of `inAt` if no time
 * passed.
 */
function elapsedByHour(inAt: number, outAt: number, timeZone: string): Map<number, number> {
  const elapsed = new Map<number, number>();
  const end = outAt - inAt > LONGEST_MS ? inAt : outAt;
  let at = inAt;
  do {
    const wall = wallClock(at, timeZone);
    const intoHour = ((wall % HOUR_MS) + HOUR_MS) % HOUR_MS;
    let next = Math.min(end, at + HOUR_MS - intoHour);
    // The last moment of the stretch shows whether the clock was changed within it.
    if (next > at && wallClock(next - 1, timeZone) - (next - 1) !== wall - at)
      next = jumpBetween(at, next - 1, timeZone);
    const hour = Math.floor(wall / HOUR_MS) % 24;
    elapsed.set((hour + 24) % 24, (elapsed.get((hour + 24) % 24) ?? 0) + Math.max(next - at, 0));
    at = next;
  } while (at < end);
  return elapsed;
}

/**
 * Hours (micro-hours) and pay (cents) of an entry by local hour, in proportion to elapsed time. Instants are ms since
 * 1970 UTC.
 */
export function spreadOverHours(
  entry: { inAt: number; outAt: number; microHours: number; payCents: number },
  timeZone: string,
): WorkedHour[] {
  const elapsed = elapsedByHour(entry.inAt, entry.outAt, timeZone);
  // An entry without length is counted in its hour.
  const weights = elapsed.size === 1 ? [1] : [...elapsed.values()];
  const hours = largestRemainder(entry.microHours, weights);
  const pay = largestRemainder(entry.payCents, weights);
  return [...elapsed.keys()].map((hour, index) => ({
    hour,
    micro_hours: hours[index] ?? 0,
    pay_cents: pay[index] ?? 0,
  }));
}
