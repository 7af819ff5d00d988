/**
 * How a worker ends a report, and what happens to the report when the worker has died, in SQL. How it claims one is
 * peculiar to each engine.
 */
import type { LeaseLedger, ReportFailure } from '../lease.ts';
import type { ReportRequest } from '../report.ts';
import { columns, type Stored } from './columns.ts';
import { deliveryQueries } from './delivery.ts';
import { addForms } from './form.ts';
import { reportColumns } from './report.ts';
import type { RowCache } from './row-cache.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

/** An attempt, as long as the worker still holds it. */
interface HeldAttempt {
  guid: string;
  worker: string;
  attempt: number;
}

type Done = Pick<ReportRequest, 'asOf' | 'rows' | 'bytes' | 'snapshot' | 'totals' | 'incomplete' | 'dayparts'>;

const attempts = columns<Pick<HeldAttempt, 'guid' | 'attempt'>>({ guid: 'guid', attempt: 'attempt' });

const queries = loadQueries<{
  heldReports(of: { worker: string }): Row[];
  extendLease(of: HeldAttempt & { leaseUntil: number }): number;
  completeReport(of: HeldAttempt & Stored<Done> & { now: number }): number;
  failReport(of: HeldAttempt & { now: number; failure: string }): number;
  releaseReport(of: HeldAttempt & { givenBack: number }): number;
  overdueReport(of: { now: number }): { guid: string } | undefined;
  failReclaimed(of: { until: number; now: number; attempts: number; failure: string }): { guid: string }[];
  requeueReclaimed(of: { now: number; attempts: number }): number;
  countGathering(): { reports: number };
  requeueOrphans(of: { givenBack: number }): { guid: string }[];
}>(new URL('./lease.sql', import.meta.url));

/** One of each lane. A service that held more had claimed most of them and not begun, and nobody knows which. */
const MOST_BEGUN = 2;

/** Fails reports that were leased up to `until` and have no attempt left. For use within a transaction. */
async function failReclaimed(
  sql: Sql,
  until: number,
  now: number,
  most: number,
  failure: ReportFailure,
): Promise<string[]> {
  const failed = await queries(sql).failReclaimed({ until, now, attempts: most, failure: JSON.stringify(failure) });
  for (const { guid } of failed) await deliveryQueries(sql).addReportDelivery({ guid, now });
  return failed.map(({ guid }) => guid);
}

/** Every step that ends a report adds the call of its client's webhook in the same transaction. */
export function leaseLedger(sql: Sql, cache: RowCache): Omit<LeaseLedger, 'claimReports'> {
  const query = queries(sql);
  const endReport = (guid: string, now: number, step: (inner: Sql) => Promise<number>): Promise<boolean> =>
    cache.reports.changing(
      guid,
      sql.transaction(async (inner) => {
        const isEnded = (await step(inner)) === 1;
        if (isEnded) await deliveryQueries(inner).addReportDelivery({ guid, now });
        return isEnded;
      }),
    );
  return {
    async heldReports(worker) {
      return (await query.heldReports({ worker })).map(attempts.read);
    },
    async extendLease(guid, worker, attempt, leaseUntil) {
      return (await cache.reports.changing(guid, query.extendLease({ guid, worker, attempt, leaseUntil }))) === 1;
    },
    completeReport: (guid, worker, attempt, { now, forms = [], incomplete = null, dayparts = null, ...done }) =>
      endReport(guid, now, async (inner) => {
        const values = reportColumns.values({ ...done, incomplete, dayparts });
        const changed = await queries(inner).completeReport({ ...values, guid, worker, attempt, now });
        if (changed === 1) await addForms(inner, guid, attempt, forms);
        return changed;
      }),
    failReport: (guid, worker, attempt, now, failure) =>
      endReport(guid, now, (inner) =>
        queries(inner).failReport({ guid, worker, attempt, now, failure: JSON.stringify(failure) }),
      ),
    async releaseReport(guid, worker, attempt, counts) {
      const released = query.releaseReport({ guid, worker, attempt, givenBack: counts ? 0 : 1 });
      return (await cache.reports.changing(guid, released)) === 1;
    },
    async reclaimReports(now, most, failure) {
      // Every service asks this every second.
      if (!(await query.overdueReport({ now }))) return [];
      const reclaimed = sql.transaction(async (inner) => {
        const failed = await failReclaimed(inner, now, now, most, failure);
        return { failed, requeued: await queries(inner).requeueReclaimed({ now, attempts: most }) };
      });
      const changed = await cache.reports.changingSome(reclaimed, ({ failed, requeued }) =>
        failed.length + requeued > 0 ? 'all' : [],
      );
      return changed.failed;
    },
    reclaimOrphans(now, most, failure) {
      const reclaimed = sql.transaction(async (inner) => {
        const within = queries(inner);
        const givenBack = (await within.countGathering()).reports > MOST_BEGUN ? 1 : 0;
        const failed = givenBack ? [] : await failReclaimed(inner, Number.MAX_SAFE_INTEGER, now, most, failure);
        const requeued = (await within.requeueOrphans({ givenBack })).map(({ guid }) => guid);
        return { failed, requeued, deliveries: await deliveryQueries(inner).releaseOrphans({ now }) };
      });
      return cache.reports.changingSome(reclaimed, () => 'all');
    },
  };
}
