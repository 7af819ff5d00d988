/** The leases of the PostgreSQL ledger: how a worker claims and ends a report, and what happens to the report when the worker has died. */
import type { LeaseLedger, ReportFailure } from '../lease.ts';
import { completedValues, type LeaseQueries, leaseMethods } from '../sql/lease.ts';
import type { RowCache } from './cache.ts';
import { createClaims } from './claims.ts';
import { deliveryQueries } from './delivery.ts';
import { addForms } from './form.ts';
import type { PostgresPool, Run } from './pool.ts';
import { loadQueries } from './queries.ts';

interface OverdueQueries extends LeaseQueries {
  overdueReport(of: { now: number }): { guid: string } | undefined;
}

const queries = loadQueries<OverdueQueries>('lease');

/** Fails reports that were leased up to `until` and have no attempt left. For use within a transaction. */
async function failReclaimed(
  run: Run,
  until: number,
  now: number,
  attempts: number,
  failure: ReportFailure,
): Promise<string[]> {
  const rows = await queries(run).failReclaimed({ until, now, attempts, failure: JSON.stringify(failure) });
  for (const { guid } of rows) await deliveryQueries(run).addReportDelivery({ guid, now });
  return rows.map(({ guid }) => guid);
}

/** Every step that ends a report adds the call of its client's webhook in the same transaction. */
export function leaseLedger(pool: PostgresPool, cache: RowCache) {
  const sql = queries(pool.run);
  const { reads, changes } = leaseMethods(sql);
  const endReport = async (guid: string, now: number, step: (run: Run) => Promise<number>): Promise<boolean> => {
    try {
      return await pool.transaction(async (run) => {
        const isEnded = (await step(run)) === 1;
        if (isEnded) await deliveryQueries(run).addReportDelivery({ guid, now });
        return isEnded;
      });
    } finally {
      cache.reports.drop(guid);
    }
  };

  const methods = {
    ...reads,
    claimReports: createClaims(pool, cache),
    async extendLease(guid, worker, attempt, leaseUntil) {
      const isHeld = await changes.extendLease(guid, worker, attempt, leaseUntil);
      cache.reports.drop(guid);
      return isHeld;
    },
    async completeReport(guid, worker, attempt, done) {
      return await endReport(guid, done.now, async (run) => {
        const changed = await queries(run).completeReport(completedValues({ guid, worker, attempt }, done));
        if (changed === 1) await addForms(run, guid, attempt, done.forms ?? []);
        return changed;
      });
    },
    async failReport(guid, worker, attempt, now, failure) {
      const values = { guid, worker, attempt, now, failure: JSON.stringify(failure) };
      return await endReport(guid, now, (run) => queries(run).failReport(values));
    },
    async releaseReport(guid, worker, attempt, counts) {
      try {
        return await changes.releaseReport(guid, worker, attempt, counts);
      } finally {
        cache.reports.drop(guid);
      }
    },
    async reclaimReports(now, attempts, failure) {
      // Every service asks this every second.
      if (!(await sql.overdueReport({ now }))) return [];
      const failed = await pool.transaction(async (run) => {
        const guids = await failReclaimed(run, now, now, attempts, failure);
        const requeued = await queries(run).requeueReclaimed({ now, attempts });
        return { guids, moved: guids.length + requeued };
      });
      if (failed.moved > 0) cache.reports.empty();
      return failed.guids;
    },
    async reclaimOrphans(now, attempts, failure) {
      const reclaimed = await pool.transaction(async (run) => {
        const failed = await failReclaimed(run, Number.MAX_SAFE_INTEGER, now, attempts, failure);
        const requeued = await queries(run).requeueOrphans();
        return { failed, requeued, deliveries: await deliveryQueries(run).releaseOrphans({ now }) };
      });
      cache.reports.empty();
      return reclaimed;
    },
  } satisfies LeaseLedger;
  return methods;
}
