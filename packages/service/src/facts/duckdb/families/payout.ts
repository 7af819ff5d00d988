/** The SQL of payouts, card payments and guest payments. */
import { loadStatements } from '../../../sql.ts';
import { statement } from '../statements.ts';
import type { FamilySql } from './family.ts';

const text = statement(loadStatements(new URL('./payout.sql', import.meta.url)));

export const PAYOUT_SQL: FamilySql = {
  records: (_query, { ids, currency, restaurant }) => text('payouts', { ids, currency, restaurant }),
  changes: {},
};

/** A report of the card payments that count, with the settlements that name them. */
const ofPayments = (name: 'payments' | 'salesDates'): FamilySql => ({
  records: (_query, { ids, currency, restaurant }) =>
    text(name, { asked: text('asked', { ids }), currency, restaurant }),
  changes: {},
});
export const PAYOUT_PAYMENTS_SQL = ofPayments('payments');
export const PAYOUT_SALES_DATE_SQL = ofPayments('salesDates');

export const GUEST_PAYMENTS_SQL: FamilySql = {
  records: ({ fingerprints }, { ids, currency, restaurant }) =>
    text('guests', { ids, currency, restaurant, fingerprint: fingerprints ? 'p.fingerprint' : 'null::uuid' }),
  totals: text('guestTotals', { snapshot: '{snapshot}' }),
  changes: {},
};
