/** The leases of the SQLite ledger: how a worker holds a report, ends it, and what becomes of it when the worker is gone. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LeaseLedger, ReportFailure } from '../lease.ts';
import { transaction } from './migrate.ts';

export function leasesOf(
  db: DatabaseSync,
  statement: (name: string) => StatementSync,
): Omit<LeaseLedger, 'claimReport'> {
  const changes = (name: string, values: Record<string, string | number | null>): number =>
    Number(statement(name).run(values).changes);
  /** The step that ends a report, and in the same transaction what its client is to be told of it. */
  const ends = (guid: string, now: number, name: string, values: Record<string, string | number | null>): boolean =>
    transaction(db, () => {
      const ended = changes(name, values) === 1;
      if (ended) changes('addReportDelivery', { guid, now });
      return ended;
    });
  /** Fails what was leased up to `until` and has no attempt left. For use within a transaction. */
  const failReclaimed = (until: number, now: number, attempts: number, failure: ReportFailure): string[] => {
    // `all`, never `get`, where an update answers rows: `get` stops after the first, and a commit that fails then
    // goes unnoticed.
    const rows = statement('failReclaimed').all({ until, now, attempts, failure: JSON.stringify(failure) });
    const guids = rows.map((row) => String(row.guid));
    for (const guid of guids) changes('addReportDelivery', { guid, now });
    return guids;
  };

  return {
    async extendLease(guid, worker, attempt, leaseUntil) {
      return changes('extendLease', { guid, worker, attempt, leaseUntil }) === 1;
    },
    async completeReport(guid, worker, attempt, { totals, digests, ...done }) {
      return ends(guid, done.now, 'completeReport', {
        ...{ guid, worker, attempt, ...done },
        totals: JSON.stringify(totals),
        digests: digests ? JSON.stringify(digests) : null,
      });
    },
    async failReport(guid, worker, attempt, now, failure) {
      return ends(guid, now, 'failReport', { guid, worker, attempt, now, failure: JSON.stringify(failure) });
    },
    async releaseReport(guid, worker, attempt, counts) {
      return changes('releaseReport', { guid, worker, attempt, givenBack: counts ? 0 : 1 }) === 1;
    },
    async reclaimReports(now, attempts, failure) {
      return transaction(db, () => {
        const failed = failReclaimed(now, now, attempts, failure);
        changes('requeueReclaimed', { now, attempts });
        return failed;
      });
    },
    async reclaimOrphans(now, attempts, failure) {
      return transaction(db, () => {
        const failed = failReclaimed(Number.MAX_SAFE_INTEGER, now, attempts, failure);
        return { failed, requeued: changes('requeueOrphans', {}), deliveries: changes('releaseOrphans', { now }) };
      });
    },
  };
}
