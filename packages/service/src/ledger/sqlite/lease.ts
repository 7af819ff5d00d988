/** The leases of the SQLite ledger: how a worker claims and ends a report, and what happens to the report when the worker has died. */

import { hasRoom, type LeaseLedger, type ReportFailure } from '../lease.ts';
import type { ReportLane, ReportRequest } from '../report.ts';
import { claimable, completedValues, type LeaseQueries, leaseMethods, mostClaimed } from '../sql/lease.ts';
import { type ReportRow, reportOf } from '../sql/report.ts';
import type { EndedReports } from './delivery.ts';
import type { AddForms } from './form.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

interface TurnQueries extends LeaseQueries {
  claimReport(of: { guid: string; worker: string; leaseUntil: number }): ReportRow | undefined;
  takeTurn(of: { group: string; lane: ReportLane }): number;
}

/** Every step that ends a report adds the call of its client's webhook in the same transaction, through `ended`. */
export function leaseLedger(connection: Connection, ended: EndedReports, addForms: AddForms) {
  const { db } = connection;
  const sql = openQueries<TurnQueries>('lease', connection);
  const endReport = (guid: string, now: number, step: () => number): boolean =>
    transaction(db, () => {
      const isEnded = step() === 1;
      if (isEnded) ended.addReportDelivery({ guid, now });
      return isEnded;
    });
  /** Fails reports that were leased up to `until` and have no attempt left. For use within a transaction. */
  const failReclaimed = (until: number, now: number, attempts: number, failure: ReportFailure): string[] => {
    const rows = sql.failReclaimed({ until, now, attempts, failure: JSON.stringify(failure) });
    for (const { guid } of rows) ended.addReportDelivery({ guid, now });
    return rows.map(({ guid }) => guid);
  };

  const methods = leaseMethods(sql);
  const changes = {
    ...methods.changes,
    async claimReports(worker, now, leaseUntil, room) {
      // Asked every second for ever: the write lock is taken only when there is one.
      const most = claimable(sql.countWaiting({ now, most: mostClaimed(room) }), room);
      if (most.short + most.long === 0) return { short: [], long: [] };
      const claimNext = (lane: ReportLane): ReportRequest | undefined => {
        const next = sql.nextReport({ now, lane });
        const row = next && sql.claimReport({ guid: next.guid, worker, leaseUntil });
        if (row) sql.takeTurn({ group: row.management_group, lane: row.lane });
        return row && reportOf(row);
      };
      const claim = (lane: ReportLane, waiting: number): ReportRequest[] => {
        const claimed: ReportRequest[] = [];
        while (claimed.length < waiting && hasRoom(room[lane], claimed)) {
          const report = claimNext(lane);
          if (!report) break;
          claimed.push(report);
        }
        return claimed;
      };
      return transaction(db, () => {
        const short = claim('short', most.short);
        return { short, long: claim('long', most.long - short.length) };
      });
    },
    async completeReport(guid, worker, attempt, done) {
      return endReport(guid, done.now, () => {
        const changed = sql.completeReport(completedValues({ guid, worker, attempt }, done));
        if (changed === 1) addForms(guid, attempt, done.forms ?? []);
        return changed;
      });
    },
    async failReport(guid, worker, attempt, now, failure) {
      return endReport(guid, now, () =>
        sql.failReport({ guid, worker, attempt, now, failure: JSON.stringify(failure) }),
      );
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
  } satisfies Omit<LeaseLedger, keyof typeof methods.reads>;
  return { reads: methods.reads, changes };
}
