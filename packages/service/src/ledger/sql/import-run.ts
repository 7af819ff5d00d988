/** The imports in SQL. */
import type { ImportLedger, ImportRun } from '../import-run.ts';
import { columns, json, type Stored } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const runs = columns<ImportRun>({
  id: 'id',
  group: 'management_group',
  restaurantGuid: 'restaurant_guid',
  businessDate: 'business_date',
  clientId: 'client_id',
  at: 'at',
  report: json('report'),
});

const queries = loadQueries<{
  addImport(run: Stored<ImportRun>): number;
  imports(of: { group: string; since: number; limit: number; restaurantGuid: string | null }): Row[];
  forgetImports(of: { before: number }): number;
}>(new URL('./import-run.sql', import.meta.url));

export function importLedger(sql: Sql): ImportLedger {
  const query = queries(sql);
  return {
    async addImport(run) {
      await query.addImport(runs.values(run));
    },
    async imports(group, { since, limit, restaurantGuid = null }) {
      return (await query.imports({ group, since, limit, restaurantGuid })).map(runs.read);
    },
    forgetImports: (before) => query.forgetImports({ before }),
  };
}
