/** The time of the database: one clock for all services, however far their own clocks differ. */
import type { ClockLedger } from '../clock.ts';
import { type ClockQueries, clockMethods, gapOf } from '../sql/clock.ts';
import type { RowCache } from './cache.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

/** How much two clocks may drift apart between measurements, as a ratio: 0.2 ms in a second is a bad clock, 200 ms a broken one. */
const DRIFT = 0.0002;

export interface DatabaseClock {
  /** The database's current time (ms since 1970 UTC), according to the last measurement. */
  now(): number;
  /** Records an answer of the database that was received between two instants of `performance.now()`. */
  measured(sentAt: number, databaseTime: number, receivedAt: number): void;
}

/** A clock that must be measured once before it is read. */
export function createDatabaseClock(): DatabaseClock {
  let offset = 0;
  let uncertain = Number.POSITIVE_INFINITY;
  let measuredAt = 0;
  return {
    now: () => Math.floor(performance.now() + offset),
    measured(sentAt, databaseTime, receivedAt) {
      const half = (receivedAt - sentAt) / 2;
      const found = databaseTime - (sentAt + receivedAt) / 2;
      const by = uncertain + (receivedAt - measuredAt) * DRIFT;
      // A slow answer is imprecise, so it is ignored unless the database's clock was set or another server has taken over.
      if (half > by && Math.abs(found - offset) <= by + half) return;
      offset = found;
      uncertain = half;
      measuredAt = receivedAt;
    },
  };
}

const queries = loadQueries<ClockQueries>('clock');

/** The time that was recorded. A jump of the clock empties the cache. */
export function clockLedger(pool: PostgresPool, clock: DatabaseClock, cache: RowCache) {
  const methods = {
    async now() {
      return clock.now();
    },
    async seeTime(now, largestGapMs) {
      const moved = await pool.transaction(async (run) => {
        const sql = queries(run);
        const gap = gapOf(await sql.seenTime(), now, largestGapMs);
        const by = gap.movedMs;
        if (by !== 0) {
          await sql.putOffReports({ by });
          await sql.putOffKeys({ by });
        }
        await sql.seeTime({ now, by });
        return gap;
      });
      if (moved.movedMs !== 0) cache.reports.empty();
      return moved;
    },
  } satisfies Partial<ClockLedger>;
  return { ...clockMethods(queries(pool.run)).reads, ...methods };
}
