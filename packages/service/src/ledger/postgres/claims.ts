/**
 * How reports wait for their turn in the PostgreSQL ledger, and how a worker gets them: in turn with every other
 * service.
 */
import type { LeaseLedger } from '../lease.ts';
import { OWN_MS, type ReportLane } from '../report.ts';
import { reportOf } from '../sql/report.ts';
import type { RowCache } from '../sql/row-cache.ts';
import { loadQueries, type Row, type Sql, type Values } from '../sql/statements.ts';
import { lockNumbers } from './locks.ts';

const queries = loadQueries<{
  addInTurn(report: Values): number;
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
  }): (Row & { claimed_for: ReportLane })[];
}>(new URL('./claims.sql', import.meta.url));

/** Adds a report, the turns of its group, and the worker to which it is left. */
export async function enqueue(sql: Sql, values: Values): Promise<void> {
  await queries(sql).addInTurn(values);
}

/**
 * Makes `claimReports`, which is one statement: claims wait for each other, and a service that is slow between two
 * statements would make all others wait. With four nodes that had a fifth of a core each, a claim of four statements
 * waited 39 ms for the lock, at most 368.
 */
export function createClaims(sql: Sql, cache: RowCache): LeaseLedger['claimReports'] {
  const query = queries(sql);
  const { space: lockSpace, id: lockId } = lockNumbers('claimReport');

  return async (worker, now, leaseUntil, { short, long }) => {
    const claims = query.claimReports({
      lockSpace,
      lockId,
      worker,
      now,
      leftUntil: now - OWN_MS,
      leaseUntil,
      mostShort: short.reports,
      msShort: short.ms,
      mostLong: long.reports,
      msLong: long.ms,
    });
    const claimed = claims.then((rows) => rows.map((row) => ({ lane: row.claimed_for, report: reportOf(row) })));
    const all = await cache.reports.changingSome(claimed, (some) => some.map(({ report }) => report.guid));
    const claimedFor = (lane: ReportLane) => all.filter((one) => one.lane === lane).map(({ report }) => report);
    return { short: claimedFor('short'), long: claimedFor('long') };
  };
}
