/** The time that the SQLite ledger has seen pass, and how a jump of the clock is not taken for time. */
import type { ClockLedger } from '../clock.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

interface ClockQueries {
  seenTime(): { seen_at: number; held_ms: number } | undefined;
  seeTime(of: { now: number; by: number }): number;
  putOffReports(of: { by: number }): number;
  putOffKeys(of: { by: number }): number;
  oldestReadable(): { as_of: number | null } | undefined;
}

export function clockLedger(connection: Connection) {
  const sql = openQueries<ClockQueries>(new URL('./clock.sql', import.meta.url), connection);
  const reads = {
    async now() {
      return Date.now();
    },
    async oldestReadable() {
      return sql.oldestReadable()?.as_of ?? null;
    },
  } satisfies Partial<ClockLedger>;
  const changes = {
    async seeTime(now, largestGapMs) {
      return transaction(connection.db, () => {
        const seen = sql.seenTime();
        const gapMs = seen ? now - seen.seen_at : 0;
        const held = seen?.held_ms ?? 0;
        // A correction by seconds goes back too: what it takes back is as little.
        const by = gapMs > largestGapMs ? gapMs - largestGapMs : 0 - Math.min(held, Math.max(0, -gapMs));
        if (by !== 0) {
          sql.putOffReports({ by });
          sql.putOffKeys({ by });
        }
        sql.seeTime({ now, by });
        return { gapMs, movedMs: by };
      });
    },
  } satisfies Partial<ClockLedger>;
  return { reads, changes };
}
