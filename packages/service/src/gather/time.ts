/** Keeps expiry in step with the time that has really passed, even if the clock jumps. */
import type { Logger } from 'pino';
import type { ClockLedger } from '../ledger/clock.ts';

/**
 * Half the lifetime of an idempotency key; of a gap in the clock, at most this much counts as time that has passed. A
 * service that was off for a month expires its reports up to a week of running later; one whose clock was a month ahead
 * at a start loses none.
 */
export const LARGEST_GAP_MS = 12 * 3_600_000;
/** How often the time is recorded in the ledger: after a kill, at most this much is lost. */
const WRITE_MS = 60_000;

interface TimeDeps {
  ledger: ClockLedger;
  log: Logger;
  largestGapMs: number;
}

/** Returns a function to call before anything is expired: at the start, and with each tick. */
export function watchTime({ ledger, log, largestGapMs }: TimeDeps): () => Promise<void> {
  let written: number | undefined;
  return async () => {
    const now = await ledger.now();
    if (written !== undefined && now >= written && now - written < WRITE_MS) return;
    const { gapMs, movedMs } = await ledger.seeTime(now, largestGapMs);
    written = now;
    const jump = { jumpSeconds: Math.round(gapMs / 1000), movedSeconds: Math.round(movedMs / 1000) };
    if (movedMs > 0) log.warn(jump, 'the clock jumped ahead: expiry is postponed');
    else if (movedMs < 0) log.warn(jump, 'the clock was set back: expiry is no longer postponed');
  };
}
