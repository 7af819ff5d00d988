/** The words that flags take, which commands, their help and their completion share. */
import type { Comparison } from '@daypart/client';

/** The forms of a file; a terminal shows a table. */
export const FORMS = ['json', 'ndjson', 'csv', 'parquet', 'xlsx'] as const;

/** The values of `--total-by` and `--compare`. */
export const TOTALS_BY = ['restaurant', 'date'] as const;
export const COMPARISONS = ['previous', 'weekday', 'year', '52-weeks'] as const satisfies readonly Comparison[];

/** The values of `--by`. */
export const SPLITS = [
  'dining-option',
  'revenue-center',
  'order-source',
  'hour',
  'daypart',
  'job',
  'employee',
  'menu',
  'menu-group',
  'item',
  'modifier',
] as const;

/** The values of `totals --by`. */
export const TOTALS_OF_REPORT = ['restaurant', 'date', 'weekday', ...SPLITS] as const;
