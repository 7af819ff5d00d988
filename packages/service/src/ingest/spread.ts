/** A time entry over the local clock hours in which it was worked (docs/metrics.md#sales-metrics). */

import { HOUR_MS } from '../contract/time.ts';
import type { WorkedHour } from '../facts/shift.ts';
import { wallClock } from './clock.ts';

/** Nobody works for 31 days: such an entry is a mistyped date, and goes wholly to its first hour. */
const LONGEST_MS = 31 * 86_400_000;

/** The first instant after `from` at which the wall clock of the zone jumps, `to` being one after it did. */
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

/** Milliseconds by local clock hour, in the order in which the hours first came; the hour of `inAt` alone when nothing passed. */
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
 * Whole parts of `total` in proportion to the weights: what rounding down leaves goes one by one to the largest rests, of
 * equal ones to the earlier. They add up to the total, which may be negative.
 */
export function largestRemainder(total: number, weights: readonly number[]): number[] {
  if (total === 0) return weights.map(() => 0);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  // No product is larger than this one: where it is exact all are, and numbers take a fifth of the time of big integers.
  if (Math.abs(total) * sum <= Number.MAX_SAFE_INTEGER) return spreadExactly(total, weights, sum);
  const whole = BigInt(sum);
  const size = BigInt(Math.abs(total));
  const products = weights.map((weight) => size * BigInt(weight));
  const parts = products.map((product) => Number(product / whole));
  const left = Math.abs(total) - parts.reduce((sum, part) => sum + part, 0);
  const byRest = products
    .map((product, place) => ({ rest: product % whole, place }))
    .sort((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest > b.rest ? -1 : 1));
  for (const { place } of byRest.slice(0, left)) parts[place] = (parts[place] ?? 0) + 1;
  return parts.map((part) => (total < 0 ? -part : part) + 0);
}

/** The same where every product of total and weight is a safe integer. */
function spreadExactly(total: number, weights: readonly number[], whole: number): number[] {
  const size = Math.abs(total);
  const sign = total < 0 ? -1 : 1;
  const rests: { rest: number; place: number }[] = [];
  let left = size;
  const parts = weights.map((weight, place) => {
    const product = size * weight;
    const rest = product % whole;
    const part = (product - rest) / whole;
    left -= part;
    rests.push({ rest, place });
    return part;
  });
  if (left > 0) {
    rests.sort((a, b) => b.rest - a.rest || a.place - b.place);
    for (const { place } of rests.slice(0, left)) parts[place] = (parts[place] ?? 0) + 1;
  }
  return parts.map((part) => sign * part + 0);
}

/** Hours (micro-hours) and pay (cents) of an entry by local clock hour, in proportion to elapsed time. Instants are ms UTC. */
export function spreadOverHours(
  entry: { inAt: number; outAt: number; microHours: number; payCents: number },
  timeZone: string,
): WorkedHour[] {
  const elapsed = elapsedByHour(entry.inAt, entry.outAt, timeZone);
  // An entry without length goes wholly to its hour.
  const weights = elapsed.size === 1 ? [1] : [...elapsed.values()];
  const hours = largestRemainder(entry.microHours, weights);
  const pay = largestRemainder(entry.payCents, weights);
  return [...elapsed.keys()].map((hour, place) => ({
    hour,
    micro_hours: hours[place] ?? 0,
    pay_cents: pay[place] ?? 0,
  }));
}
