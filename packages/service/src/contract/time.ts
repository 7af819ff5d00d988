/** Durations in milliseconds, and instants in the format of the wire. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An instant (ms since 1970 UTC) as ISO 8601 in UTC. */
export function shownTime(instant: number): string;
export function shownTime(instant: number | null): string | null;
export function shownTime(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
