/**
 * The flags that several commands have, and the words that flags take, which commands, their help and their completion
 * share.
 */
import type { Comparison } from '@daypart/client';
import type { Flag } from './command.ts';

/** The stored credentials alone, for commands whose `--url` and `--client-id` are of something else. */
export const PROFILE: Flag = { name: 'profile', value: 'NAME', help: 'stored credentials to use' };

/** The flags for the service to call and its credentials. */
export const CONNECTION: readonly Flag[] = [
  PROFILE,
  { name: 'url', value: 'BASE', help: 'base URL of the service: http://127.0.0.1:8080/v1, https://host/era/v1' },
  { name: 'client-id', value: 'ID', help: 'client id' },
  {
    name: 'client-secret',
    value: 'SECRET',
    help: 'client secret; prefer DAYPART_CLIENT_SECRET, which process lists do not show',
  },
  { name: 'auth', value: 'HOW', values: ['oauth', 'login'], help: 'how tokens are fetched (oauth)' },
];

/** The flags that say which dates: `readSpan` reads them. */
export const DATES: readonly Flag[] = [
  { name: 'today', help: 'the business date now, which ends at 4:00' },
  { name: 'yesterday', help: 'the business date before today' },
  { name: 'this-week', help: 'since Monday' },
  { name: 'last-week', help: 'Monday to Sunday' },
  {
    name: 'last-N-days',
    offered: [7, 14, 28, 30, 90],
    help: 'N dates up to yesterday, 3660 at most: --last-7-days, --last-30-days',
  },
  { name: 'this-month', help: 'since the first' },
  { name: 'last-month', help: 'from its first to its last date' },
  { name: 'date', value: 'D', help: 'one date: 2026-03-10 or 20260310' },
  { name: 'from', value: 'D', help: 'first date, inclusive' },
  { name: 'to', value: 'D', help: 'last date, inclusive (yesterday)' },
  { name: 'time-zone', value: 'ZONE', help: 'time zone that decides what today is: America/New_York (this machine’s)' },
];

/** The format of commands that show a list. */
export const LIST_FORMAT: Flag = {
  name: 'format',
  value: 'FORM',
  values: ['table', 'json', 'ndjson', 'csv'],
  help: 'table (on a terminal), json (elsewhere), ndjson or csv',
};

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
