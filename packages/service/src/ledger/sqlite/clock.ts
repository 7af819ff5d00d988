/** What the SQLite ledger knows of time: until when it has seen it pass, and how a jump of the clock is not taken for time. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ClockLedger } from '../clock.ts';
import { transaction } from './migrate.ts';

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
