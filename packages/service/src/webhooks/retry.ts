/** When a delivery is tried again. */
import { askedMs } from '../http/public-request.ts';

/**
 * The wait after each failed attempt, in seconds. After the last the delivery is dropped, 2 days and 4 hours after the
 * first at the earliest.
 */
export const RETRY_SECONDS = [5, 30, 120, 600, 3600, 3 * 3600, 8 * 3600, 16 * 3600, 24 * 3600];
/** Each wait is up to this share longer, so that a receiver that was down does not get all retries at once. */
const JITTER = 0.2;
/**
 * Milliseconds from the failed attempt with this number, from 1, to the next; undefined if it was the last. A receiver
 * that asks for a longer wait gets it.
 */
export function retryMs(attempt: number, retryAfter: string | undefined, now: number): number | undefined {
  const seconds = RETRY_SECONDS[attempt - 1];
  if (seconds === undefined) return undefined;
  return Math.round(Math.max(seconds * 1000, askedMs(retryAfter, now)) * (1 + Math.random() * JITTER));
}
