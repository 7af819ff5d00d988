/** The time that the SQLite ledger has recorded, and how a jump of the clock is excluded from expiry. */
import type { ClockLedger } from '../clock.ts';
import { type ClockQueries, clockMethods, gapOf } from '../sql/clock.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function clockLedger(connection: Connection) {
  const sql = openQueries<ClockQueries>('clock', connection);
  const reads = {
    ...clockMethods(sql).reads,
    async now() {
      return Date.now();
    },
  } satisfies Partial<ClockLedger>;
  const changes = {
    async seeTime(now, largestGapMs) {
      return transaction(connection.db, () => {
        const gap = gapOf(sql.seenTime(), now, largestGapMs);
        const by = gap.movedMs;
        if (by !== 0) {
          sql.putOffReports({ by });
          sql.putOffKeys({ by });
        }
        sql.seeTime({ now, by });
        return gap;
      });
    },
  } satisfies Partial<ClockLedger>;
  return { reads, changes };
}
