/** The report requests of the SQLite ledger. */
import type { ReportLedger, ReportRequest } from '../report.ts';
import { type ReportQueries, reportMethods, reportOf, reportValues } from '../sql/report.ts';
import type { RowCache } from './cache.ts';
import type { TakeKey } from './idempotency-key.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function reportLedger(connection: Connection, cache: RowCache, takeKey: TakeKey) {
  const sql = openQueries<ReportQueries>('report', connection);
  const { reads, changes } = reportMethods(sql);
  const report = async (guid: string): Promise<ReportRequest | undefined> =>
    cache.getOrLoad(cache.reports, guid, () => {
      const row = sql.report({ guid });
      return row && reportOf(row);
    });
  // The cache is empty once another process has changed the file.
  const cached = { report, currentReport: report } satisfies Partial<ReportLedger>;
  const adding = {
    async addReport(report, use) {
      return transaction(connection.db, () => {
        const used = use && takeKey(use, report.createdAt);
        if (used) return used;
        sql.addReport(reportValues(report));
        sql.addTurn({ group: report.group, lane: report.lane });
        return undefined;
      });
    },
  } satisfies Partial<ReportLedger>;
  return { reads: { ...reads, ...cached }, changes: { ...changes, ...adding } };
}
