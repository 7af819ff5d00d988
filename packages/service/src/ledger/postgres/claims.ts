/** How a worker gets reports of the PostgreSQL ledger: in turn with every other service. */

import { hasRoom, type LeaseLedger } from '../lease.ts';
import { OWN_MS, type ReportLane, type ReportRequest } from '../report.ts';
import { claimable, type LeaseQueries, mostClaimed } from '../sql/lease.ts';
import { type ReportRow, reportOf } from '../sql/report.ts';
import type { RowCache } from './cache.ts';
import { lock } from './locks.ts';
import type { PostgresPool, Run } from './pool.ts';
import { loadQueries } from './queries.ts';

/** Who claims, and until when the reports that other services queue are left to their workers. */
interface Claimer {
  now: number;
  worker: string;
  leftUntil: number;
}

interface ClaimQueries {
  countClaimable(of: Claimer & { most: number }): ReturnType<LeaseQueries['countWaiting']>;
  claimNext(of: Claimer & { lane: ReportLane; leaseUntil: number }): ReportRow | undefined;
}

const queries = loadQueries<ClaimQueries>('lease');

/** Answers `claimReports`: a report that waits alone takes five statements. */
export function createClaims(pool: PostgresPool, cache: RowCache): LeaseLedger['claimReports'] {
  const sql = queries(pool.run);

  return async (worker, now, leaseUntil, room) => {
    // Asked every second for ever by every service: the lock is taken only when there is one.
    const claimer: Claimer = { now, worker, leftUntil: now - OWN_MS };
    const most = claimable(await sql.countClaimable({ ...claimer, most: mostClaimed(room) }), room);
    if (most.short + most.long === 0) return { short: [], long: [] };

    async function claim(run: Run, lane: ReportLane, waiting: number): Promise<ReportRequest[]> {
      const locked = queries(run);
      const claimed: ReportRequest[] = [];
      while (claimed.length < waiting && hasRoom(room[lane], claimed)) {
        const row = await locked.claimNext({ ...claimer, lane, leaseUntil });
        if (!row) break;
        claimed.push(reportOf(row));
      }
      return claimed;
    }
    const claimed = await pool.transaction(async (run) => {
      // Whose turn it is depends on all claims before: of those at once, each waits for the one before it.
      await lock(run, 'claimReport');
      const short = await claim(run, 'short', most.short);
      return { short, long: await claim(run, 'long', most.long - short.length) };
    });
    for (const { guid } of [...claimed.short, ...claimed.long]) cache.reports.drop(guid);
    return claimed;
  };
}
