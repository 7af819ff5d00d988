/** What the SQLite ledger knows of time: until when it has seen it pass, and how a jump of the clock is not taken for time. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { transaction } from './migrate.ts';

export interface ClockLedger {
  /**
   * Tells the ledger what time it is. Of a gap since the last telling at most `largestGapMs` counts as time that has passed:
   * whatever has not expired, expires later by the rest, and idempotency keys end later by it. A clock that goes back takes back
   * what was put off before. Answers the gap, and by how much expiry moved (ms; below 0: taken back).
   */
  seeTime(now: number, largestGapMs: number): Promise<{ gapMs: number; movedMs: number }>;
  /** The `asOf` of the oldest report that is completed; null without one. */
  oldestReadable(): Promise<number | null>;
}

export function clockOf(db: DatabaseSync, statement: (name: string) => StatementSync): ClockLedger {
  return {
    async seeTime(now, largestGapMs) {
      return transaction(db, () => {
        const seen = statement('seenTime').get() as { seen_at: number; held_ms: number } | undefined;
        const gapMs = seen ? now - seen.seen_at : 0;
        const held = seen?.held_ms ?? 0;
        // A correction by seconds goes back too: what it takes back is as little.
        const by = gapMs > largestGapMs ? gapMs - largestGapMs : 0 - Math.min(held, Math.max(0, -gapMs));
        if (by !== 0) {
          statement('putOffReports').run({ by });
          statement('putOffKeys').run({ by });
        }
        statement('seeTime').run({ now, by });
        return { gapMs, movedMs: by };
      });
    },
    async oldestReadable() {
      return (statement('oldestReadable').get()?.as_of ?? null) as number | null;
    },
  };
}
