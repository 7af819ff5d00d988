/** The imports: rows, statements, methods. */
import type { ImportLedger, ImportRun } from '../import-run.ts';
import type { Statements } from './statements.ts';

interface ImportRow {
  id: string;
  management_group: string;
  restaurant_guid: string;
  business_date: number;
  client_id: string;
  at: number;
  report: string;
}

export interface ImportQueries {
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

export function importMethods(sql: Statements<ImportQueries>) {
  const reads = {
    async imports(group, { since, limit, restaurantGuid }) {
      return (await sql.imports({ group, since, limit, restaurantGuid: restaurantGuid ?? null })).map(runOf);
    },
  } satisfies Partial<ImportLedger>;
  const changes = {
    async addImport({ report, ...run }) {
      await sql.addImport({ ...run, report: JSON.stringify(report) });
    },
    forgetImports: async (before) => await sql.forgetImports({ before }),
  } satisfies Partial<ImportLedger>;
  return { reads, changes };
}
