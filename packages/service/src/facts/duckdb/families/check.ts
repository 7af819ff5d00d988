/** The SQL of checks. */
import { NO_DINING_OPTION, NO_REVENUE_CENTER } from '../../../contract/words.ts';
import { openSql } from '../statements.ts';
import type { FamilySql } from './family.ts';

const { fragment } = openSql(new URL('./check.sql', import.meta.url));

export const CHECK_SQL: FamilySql = {
  records: (_query, { ids, few, currency }) => ({
    tables: [],
    query: fragment('checks', { currency, only: few ? fragment('onlyChecks', { ids }) : '' }),
  }),
  values: { noDining: NO_DINING_OPTION, noRevenue: NO_REVENUE_CENTER },
  changes: { checks: { table: 'checks', figures: fragment('checkChanges') } },
};
