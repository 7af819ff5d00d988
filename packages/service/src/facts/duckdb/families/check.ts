/** The SQL of checks. */
import { NO_DINING_OPTION, NO_REVENUE_CENTER } from '../../../contract/words.ts';
import { loadStatements } from '../../../sql.ts';
import { statement } from '../statements.ts';
import type { FamilySql } from './family.ts';

const text = statement(loadStatements(new URL('./check.sql', import.meta.url)));

export const CHECK_SQL: FamilySql = {
  records: (_query, { ids, few, currency }) =>
    text('checks', { currency, only: few ? text('onlyChecks', { ids }) : '' }),
  values: { noDining: NO_DINING_OPTION, noRevenue: NO_REVENUE_CENTER },
  changes: { checks: { table: 'checks', figures: text('checkChanges') } },
};
