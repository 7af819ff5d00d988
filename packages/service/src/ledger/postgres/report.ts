/** The report requests of the PostgreSQL ledger. */
import type { ReportLedger } from '../report.ts';
import { type ReportQueries, reportMethods, reportOf, reportValues } from '../sql/report.ts';
import type { RowCache } from './cache.ts';
import { takeKey } from './idempotency-key.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

const queries = loadQueries<ReportQueries>('report');

export function reportLedger(pool: PostgresPool, cache: RowCache) {
  const sql = queries(pool.run);
  const { reads, changes } = reportMethods(sql);
  const methods = {
    async report(guid) {
      return await cache.reports.getOrLoad(guid, async () => {
        const row = await sql.report({ guid });
        return row && reportOf(row);
      });
    },
    async addReport(report, use) {
      return await pool.transaction(async (run) => {
        const used = use && (await takeKey(run, use, report.createdAt));
        if (used) return used;
        await queries(run).addReport(reportValues(report));
        await queries(run).addTurn({ group: report.group, lane: report.lane });
        return undefined;
      });
    },
    async cancelReport(guid) {
      try {
        return await changes.cancelReport(guid);
      } finally {
        cache.reports.drop(guid);
      }
    },
    async expireReports(now) {
      const expired = await changes.expireReports(now);
      for (const { guid } of expired) cache.reports.drop(guid);
      return expired;
    },
    async forgetReports(expiredBefore) {
      const forgotten = await changes.forgetReports(expiredBefore);
      if (forgotten > 0) cache.reports.empty();
      return forgotten;
    },
  } satisfies Partial<ReportLedger>;
  return { ...reads, ...changes, ...methods };
}
