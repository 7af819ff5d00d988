/** When a delivery is tried again. */

/**
 * The wait after each failed attempt, in seconds. After the last the delivery is dropped, 2 days and 4 hours after the
 * first at the earliest.
 */
export const RETRY_SECONDS = [5, 30, 120, 600, 3600, 3 * 3600, 8 * 3600, 16 * 3600, 24 * 3600];
/** Each wait is up to this share longer, so that a receiver that was down does not get all retries at once. */
const JITTER = 0.2;
/** The longest wait that a receiver can ask for. */
const MOST_ASKED_MS = 24 * 3_600_000;

/** What `Retry-After` asks for, in milliseconds from now: seconds, or a date (RFC 9110 10.2.3). 0 for anything else. */
function askedMs(retryAfter: string | undefined, now: number): number {
  const asked = retryAfter?.trim() ?? '';
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : / GMT$/.test(asked) ? Date.parse(asked) - now : 0;
  return ms > 0 ? Math.min(ms, MOST_ASKED_MS) : 0;
}

/**
 * Milliseconds from the failed attempt with this number, from 1, to the next; undefined if it was the last. A receiver
 * that asks for a longer wait gets it.
 */
export function retryMs(attempt: number, retryAfter: string | undefined, now: number): number | undefined {
  const seconds = RETRY_SECONDS[attempt - 1];
  if (seconds === undefined) return undefined;
  return Math.round(Math.max(seconds * 1000, askedMs(retryAfter, now)) * (1 + Math.random() * JITTER));
}
