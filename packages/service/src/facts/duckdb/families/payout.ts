/** The SQL of payouts, card payments and guest payments. */
import { openSql } from '../statements.ts';
import type { FamilySql } from './family.ts';

const { fragment, statement } = openSql(new URL('./payout.sql', import.meta.url));

export const PAYOUT_SQL: FamilySql = {
  records: (_query, { ids, currency, restaurant }) => ({
    tables: [fragment('deposits', { ids })],
    query: fragment('payouts', { currency, restaurant }),
  }),
  dates: { card_payments: null },
  linked: ['card_payments'],
  changes: {},
};

/** Of orders without payments, the dates on which they were paid are those of their checks (`incompleteSteps`). */
const PAID = {
  dates: { card_payments: 'sales_date', orders: null, checks: null },
  linked: ['orders', 'checks'],
} as const;

/** A report of the card payments that count, with the settlements that name them. */
const ofPayments = (name: 'payments' | 'salesDates', tables: 'settled' | 'settledDates'): FamilySql => ({
  records: (_query, { ids, currency, restaurant }) => ({
    tables: [fragment('soldPayments', { ids }), fragment(tables)],
    query: fragment(name, { currency, restaurant }),
  }),
  dates: { ...PAID.dates, settlements: null },
  linked: [...PAID.linked, 'settlements'],
  changes: {},
});
export const PAYOUT_PAYMENTS_SQL = ofPayments('payments', 'settled');
export const PAYOUT_SALES_DATE_SQL = ofPayments('salesDates', 'settledDates');

export const GUEST_PAYMENTS_SQL: FamilySql = {
  records: ({ fingerprints }, { ids, currency, restaurant }) => ({
    tables: [],
    query: fragment('guests', {
      ids,
      currency,
      restaurant,
      fingerprint: fingerprints ? 'p.fingerprint' : 'null::uuid',
    }),
  }),
  ...PAID,
  totals: statement('guestTotals', { snapshot: '{snapshot}' }),
  changes: {},
};
