/** The time that the ledger has seen pass, and how a jump of the clock is not taken for time: rows, statements, methods. */
import type { ClockLedger } from '../clock.ts';
import type { Statements } from './statements.ts';

export interface ClockQueries {
  seenTime(): { seen_at: number; held_ms: number } | undefined;
  seeTime(of: { now: number; by: number }): number;
  putOffReports(of: { by: number }): number;
  putOffKeys(of: { by: number }): number;
  oldestReadable(): { as_of: number | null } | undefined;
}

/** By how much expiry moves when the time is written to the ledger, and the gap since the last time (ms). */
export function gapOf(
  seen: { seen_at: number; held_ms: number } | undefined,
  now: number,
  largestGapMs: number,
): { gapMs: number; movedMs: number } {
  const gapMs = seen ? now - seen.seen_at : 0;
  const held = seen?.held_ms ?? 0;
  // A correction by seconds goes back too: what it takes back is as little.
  return { gapMs, movedMs: gapMs > largestGapMs ? gapMs - largestGapMs : 0 - Math.min(held, Math.max(0, -gapMs)) };
}

export function clockMethods(sql: Statements<ClockQueries>) {
  const reads = {
    async oldestReadable() {
      return (await sql.oldestReadable())?.as_of ?? null;
    },
  } satisfies Partial<ClockLedger>;
  return { reads };
}
