/** The report requests of the PostgreSQL ledger. */
import type { ReportLedger, ReportRequest } from '../report.ts';
import { type ReportQueries, reportMethods, reportOf, reportValues } from '../sql/report.ts';
import type { RowCache } from './cache.ts';
import { takeKey } from './idempotency-key.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

interface TurnQueries extends Omit<ReportQueries, 'addReport' | 'addTurn'> {
  addInTurn(report: Parameters<ReportQueries['addReport']>[0] & { queuedBy: string | null }): number;
}

const queries = loadQueries<TurnQueries>('report');

export function reportLedger(pool: PostgresPool, cache: RowCache) {
  const sql = queries(pool.run);
  const { reads, changes } = reportMethods(sql);
  const report = (guid: string): Promise<ReportRequest | undefined> =>
    cache.reports.getOrLoad(guid, async () => {
      const row = await sql.report({ guid });
      return row && reportOf(row);
    });
  const methods = {
    report,
    async currentReport(guid) {
      cache.reports.drop(guid);
      return await report(guid);
    },
    async addReport(report, use) {
      const values = { ...reportValues(report), queuedBy: report.queuedBy ?? null };
      if (!use) {
        await sql.addInTurn(values);
        return undefined;
      }
      return await pool.transaction(async (run) => {
        const used = await takeKey(run, use, report.createdAt);
        if (!used) await queries(run).addInTurn(values);
        return used;
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
