/** How a worker claims reports of the PostgreSQL ledger, taking turns with all other services. */

import type { ReportLane, ReportRequest } from '../report.ts';
import type { LeaseQueries } from '../sql/lease.ts';
import { reportOf } from '../sql/report.ts';
import type { RowCache } from './cache.ts';
import { lock } from './locks.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

interface Claim {
  worker: string;
  now: number;
  leaseUntil: number;
  resolve(report: ReportRequest | undefined): void;
  reject(error: unknown): void;
}

const queries = loadQueries<Pick<LeaseQueries, 'nextReport' | 'claimReport' | 'takeTurn'>>('lease');

/**
 * Implements `claimReport`. Claims that are made at once, as a worker does for small reports, share one transaction: eight separate
 * claims took 42 statements where one report was queued, together they take 8.
 */
export function createClaims(pool: PostgresPool, cache: RowCache) {
  const sql = queries(pool.run);
  const waiting = new Map<ReportLane, Claim[]>();

  /** The reports for the claims, in their order; fewer if fewer are queued. */
  async function claim(lane: ReportLane, claims: readonly Claim[]): Promise<ReportRequest[]> {
    const [first] = claims;
    // Every service asks this every second: the lock is taken only when a report is queued.
    if (!first || !(await sql.nextReport({ now: first.now, lane }))) return [];
    return await pool.transaction(async (run) => {
      // Whose turn it is depends on all earlier claims: of several at once, each waits for the one before it.
      await lock(run, 'claimReport');
      const locked = queries(run);
      const claimed: ReportRequest[] = [];
      for (const { worker, now, leaseUntil } of claims) {
        const next = await locked.nextReport({ now, lane });
        const row = next && (await locked.claimReport({ guid: next.guid, worker, leaseUntil }));
        if (!row) break;
        await locked.takeTurn({ group: row.management_group, lane: row.lane });
        claimed.push(reportOf(row));
      }
      return claimed;
    });
  }

  async function settle(lane: ReportLane): Promise<void> {
    const claims = waiting.get(lane) ?? [];
    waiting.delete(lane);
    try {
      const claimed = await claim(lane, claims);
      for (const { guid } of claimed) cache.reports.drop(guid);
      for (const [i, { resolve }] of claims.entries()) resolve(claimed[i]);
    } catch (error) {
      for (const { reject } of claims) reject(error);
    }
  }

  return (worker: string, now: number, leaseUntil: number, lane: ReportLane = 'long') =>
    new Promise<ReportRequest | undefined>((resolve, reject) => {
      const asked = { worker, now, leaseUntil, resolve, reject };
      const others = waiting.get(lane);
      if (others) others.push(asked);
      else {
        waiting.set(lane, [asked]);
        queueMicrotask(() => void settle(lane));
      }
    });
}
