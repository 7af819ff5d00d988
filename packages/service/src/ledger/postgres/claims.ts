/** How a worker gets reports of the PostgreSQL ledger: in turn with every other service. */

import type { LeaseLedger } from '../lease.ts';
import { OWN_MS, type ReportLane } from '../report.ts';
import { type ReportRow, reportOf } from '../sql/report.ts';
import type { RowCache } from './cache.ts';
import { lockNumbers } from './locks.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

interface ClaimQueries {
  claimReports(of: {
    lockSpace: number;
    lockId: number;
    worker: string;
    now: number;
    /** Reports that other services queued after this are left to their workers. */
    leftUntil: number;
    leaseUntil: number;
    mostShort: number;
    msShort: number;
    mostLong: number;
    msLong: number;
  }): (ReportRow & { claimed_for: ReportLane })[];
}

const queries = loadQueries<ClaimQueries>('lease');

/**
 * Answers `claimReports`, in one statement: claims wait for each other, and a service that is slow between two statements would make
 * all others wait. With four nodes that had a fifth of a core each, a claim of four statements waited 39 ms for the lock, at most 368.
 */
export function createClaims(pool: PostgresPool, cache: RowCache): LeaseLedger['claimReports'] {
  const sql = queries(pool.run);
  const { space, id } = lockNumbers('claimReport');

  return async (worker, now, leaseUntil, { short, long }) => {
    const rows = await sql.claimReports({
      ...{ lockSpace: space, lockId: id, worker, now, leftUntil: now - OWN_MS, leaseUntil },
      ...{ mostShort: short.reports, msShort: short.ms, mostLong: long.reports, msLong: long.ms },
    });
    for (const { guid } of rows) cache.reports.drop(guid);
    const claimedFor = (lane: ReportLane) => rows.filter(({ claimed_for }) => claimed_for === lane).map(reportOf);
    return { short: claimedFor('short'), long: claimedFor('long') };
  };
}
