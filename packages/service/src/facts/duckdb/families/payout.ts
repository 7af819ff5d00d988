/** The SQL of payouts by settled date. */
import { loadStatements } from '../../../sql.ts';
import { statement } from '../statements.ts';
import type { FamilySql } from './family.ts';

const text = statement(loadStatements(new URL('./payout.sql', import.meta.url)));

export const PAYOUT_SQL: FamilySql = {
  records: (_query, { ids, currency, restaurant }) => text('payouts', { ids, currency, restaurant }),
  changes: {},
};
