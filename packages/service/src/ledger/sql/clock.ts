/** The time that the ledger has recorded, and how a jump of the clock is excluded from expiry: rows, statements, methods. */
import type { ClockLedger } from '../clock.ts';
import type { Statements } from './statements.ts';

export interface ClockQueries {
  seenTime(): { seen_at: number; held_ms: number } | undefined;
  seeTime(of: { now: number; by: number }): number;
  putOffReports(of: { by: number }): number;
  putOffKeys(of: { by: number }): number;
  oldestReadable(): { as_of: number | null } | undefined;
}

/** The gap since the time last recorded, and by how much expiry moves when the new time is recorded (ms). */
export function gapOf(
  seen: { seen_at: number; held_ms: number } | undefined,
  now: number,
  largestGapMs: number,
): { gapMs: number; movedMs: number } {
  const gapMs = seen ? now - seen.seen_at : 0;
  const held = seen?.held_ms ?? 0;
  // A correction of a few seconds also sets the clock back; it takes back only as much.
  return { gapMs, movedMs: gapMs > largestGapMs ? gapMs - largestGapMs : 0 - Math.min(held, Math.max(0, -gapMs)) };
}

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function clockMethods(sql: Statements<ClockQueries>) {
  const reads = {
    async oldestReadable() {
      return (await sql.oldestReadable())?.as_of ?? null;
    },
  } satisfies Partial<ClockLedger>;
  return { reads };
}
