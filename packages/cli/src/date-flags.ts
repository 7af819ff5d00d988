/** The flags that say which dates: `readSpan` reads them. */
import type { Flag } from './command.ts';

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
