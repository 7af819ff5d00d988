/** The imports of the SQLite ledger. */
import type { ImportLedger, ImportRun } from '../import-run.ts';
import { type Connection, openQueries } from './queries.ts';

interface ImportRow {
  id: string;
  management_group: string;
  restaurant_guid: string;
  business_date: number;
  client_id: string;
  at: number;
  report: string;
}

interface ImportQueries {
  addImport(of: Omit<ImportRun, 'report'> & { report: string }): number;
  imports(of: { group: string; since: number; limit: number; restaurantGuid: string | null }): ImportRow[];
  forgetImports(of: { before: number }): number;
}

const runOf = (row: ImportRow): ImportRun => ({
  id: row.id,
  group: row.management_group,
  restaurantGuid: row.restaurant_guid,
  businessDate: row.business_date,
  clientId: row.client_id,
  at: row.at,
  report: JSON.parse(row.report),
});

export function importLedger(connection: Connection) {
  const sql = openQueries<ImportQueries>(new URL('./import-run.sql', import.meta.url), connection);
  const reads = {
    async imports(group, { since, limit, restaurantGuid }) {
      return sql.imports({ group, since, limit, restaurantGuid: restaurantGuid ?? null }).map(runOf);
    },
  } satisfies Partial<ImportLedger>;
  const changes = {
    async addImport({ report, ...run }) {
      sql.addImport({ ...run, report: JSON.stringify(report) });
    },
    forgetImports: async (before) => sql.forgetImports({ before }),
  } satisfies Partial<ImportLedger>;
  return { reads, changes };
}
