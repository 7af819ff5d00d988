/** The time that a ledger has recorded, and how a jump of the clock is excluded from expiry, in SQL. */
import type { ClockLedger } from '../clock.ts';
import type { RowCache } from './row-cache.ts';
import { loadQueries, type Sql } from './statements.ts';

interface Seen {
  seen_at: number;
  held_ms: number;
}

const queries = loadQueries<{
  seenTime(): Seen | undefined;
  seeTime(of: { now: number; by: number }): number;
  postponeReports(of: { by: number }): number;
  postponeKeys(of: { by: number }): number;
  oldestReadable(): { as_of: number | null } | undefined;
}>(new URL('./clock.sql', import.meta.url));

/** The gap since the time last recorded, and by how much expiry moves when the new time is recorded (ms). */
function gapOf(seen: Seen | undefined, now: number, largestGapMs: number): { gapMs: number; movedMs: number } {
  const gapMs = seen ? now - seen.seen_at : 0;
  const held = seen?.held_ms ?? 0;
  // A correction of a few seconds also sets the clock back; it takes back only as much.
  return { gapMs, movedMs: gapMs > largestGapMs ? gapMs - largestGapMs : 0 - Math.min(held, Math.max(0, -gapMs)) };
}

export function clockLedger(sql: Sql, cache: RowCache): Omit<ClockLedger, 'now'> {
  const query = queries(sql);
  const seeTime = (now: number, largestGapMs: number) =>
    sql.transaction(async (inner) => {
      const within = queries(inner);
      const gap = gapOf(await within.seenTime(), now, largestGapMs);
      const by = gap.movedMs;
      if (by !== 0) {
        await within.postponeReports({ by });
        await within.postponeKeys({ by });
      }
      await within.seeTime({ now, by });
      return gap;
    });
  return {
    seeTime: (now, largestGapMs) =>
      cache.reports.changingSome(seeTime(now, largestGapMs), ({ movedMs }) => (movedMs === 0 ? [] : 'all')),
    async oldestReadable() {
      return (await query.oldestReadable())?.as_of ?? null;
    },
  };
}
