/** The report families at a terminal, one file each: their words, fields and table; and the list of them. */
import type { TableEntry } from './table.ts';

/** A new family is a file beside this one, and a line here. */
export const TABLES: readonly TableEntry[] = [
  { word: 'metrics', load: async () => (await import('./metrics.ts')).METRICS },
  { word: 'checks', load: async () => (await import('./checks.ts')).CHECKS },
  { word: 'labor', load: async () => (await import('./labor.ts')).LABOR },
  { word: 'menu', load: async () => (await import('./menu.ts')).MENU },
  { word: 'payout', load: async () => (await import('./payout.ts')).PAYOUT },
  { word: 'payout-payments', load: async () => (await import('./payout-payments.ts')).PAYOUT_PAYMENTS },
  { word: 'payout-sales-date', load: async () => (await import('./payout-sales-date.ts')).PAYOUT_SALES_DATE },
  { word: 'guest-payments', load: async () => (await import('./guest-payments.ts')).GUEST_PAYMENTS },
];
