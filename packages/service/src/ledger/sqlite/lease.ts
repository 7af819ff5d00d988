/** The leases of the SQLite ledger: how a worker gets a report and ends it, and what becomes of it when the worker is gone. */
import type { LeaseLedger, ReportFailure } from '../lease.ts';
import type { ReportLane } from '../report.ts';
import type { EndedReports } from './delivery.ts';
import type { AddForms } from './form.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';
import { type ReportRow, reportOf } from './report.ts';

/** An attempt that is still its worker's. */
interface Held {
  guid: string;
  worker: string;
  attempt: number;
}

interface LeaseQueries {
  nextReport(of: { now: number; lane: ReportLane }): { guid: string } | undefined;
  claimReport(of: { guid: string; worker: string; leaseUntil: number }): ReportRow | undefined;
  takeTurn(of: { group: string; lane: ReportLane }): number;
  extendLease(of: Held & { leaseUntil: number }): number;
  completeReport(
    of: Held & {
      now: number;
      asOf: number;
      rows: number;
      bytes: number;
      snapshot: string;
      totals: string;
      incomplete: string | null;
      dayparts: string | null;
    },
  ): number;
  failReport(of: Held & { now: number; failure: string }): number;
  releaseReport(of: Held & { givenBack: number }): number;
  failReclaimed(of: { until: number; now: number; attempts: number; failure: string }): { guid: string }[];
  requeueReclaimed(of: { now: number; attempts: number }): number;
  requeueOrphans(): number;
}

/** A step that ends a report also adds the call of its client's webhook, in the same transaction: `ended` does that. */
export function leaseLedger(connection: Connection, ended: EndedReports, addForms: AddForms) {
  const { db } = connection;
  const sql = openQueries<LeaseQueries>(new URL('./lease.sql', import.meta.url), connection);
  const endReport = (guid: string, now: number, step: () => number): boolean =>
    transaction(db, () => {
      const isEnded = step() === 1;
      if (isEnded) ended.addReportDelivery({ guid, now });
      return isEnded;
    });
  /** Fails what was leased up to `until` and has no attempt left. For use within a transaction. */
  const failReclaimed = (until: number, now: number, attempts: number, failure: ReportFailure): string[] => {
    const rows = sql.failReclaimed({ until, now, attempts, failure: JSON.stringify(failure) });
    for (const { guid } of rows) ended.addReportDelivery({ guid, now });
    return rows.map(({ guid }) => guid);
  };

  const changes = {
    async claimReport(worker, now, leaseUntil, lane = 'long') {
      // Asked every second for ever: the write lock is taken only when there is one.
      if (!sql.nextReport({ now, lane })) return undefined;
      return transaction(db, () => {
        const next = sql.nextReport({ now, lane });
        const row = next && sql.claimReport({ guid: next.guid, worker, leaseUntil });
        if (row) sql.takeTurn({ group: row.management_group, lane: row.lane });
        return row && reportOf(row);
      });
    },
    async extendLease(guid, worker, attempt, leaseUntil) {
      return sql.extendLease({ guid, worker, attempt, leaseUntil }) === 1;
    },
    async completeReport(guid, worker, attempt, { totals, incomplete, dayparts, forms = [], ...done }) {
      return endReport(guid, done.now, () => {
        const changed = sql.completeReport({
          ...{ guid, worker, attempt, ...done },
          totals: JSON.stringify(totals),
          incomplete: incomplete ? JSON.stringify(incomplete) : null,
          dayparts: dayparts ? JSON.stringify(dayparts) : null,
        });
        if (changed === 1) addForms(guid, attempt, forms);
        return changed;
      });
    },
    async failReport(guid, worker, attempt, now, failure) {
      return endReport(guid, now, () =>
        sql.failReport({ guid, worker, attempt, now, failure: JSON.stringify(failure) }),
      );
    },
    async releaseReport(guid, worker, attempt, counts) {
      return sql.releaseReport({ guid, worker, attempt, givenBack: counts ? 0 : 1 }) === 1;
    },
    async reclaimReports(now, attempts, failure) {
      return transaction(db, () => {
        const failed = failReclaimed(now, now, attempts, failure);
        sql.requeueReclaimed({ now, attempts });
        return failed;
      });
    },
    async reclaimOrphans(now, attempts, failure) {
      return transaction(db, () => {
        const failed = failReclaimed(Number.MAX_SAFE_INTEGER, now, attempts, failure);
        return { failed, requeued: sql.requeueOrphans(), deliveries: ended.releaseOrphans({ now }) };
      });
    },
  } satisfies LeaseLedger;
  return { reads: {}, changes };
}
