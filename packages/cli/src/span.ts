/** Dates in plain words. */
import { addDays, businessDate, businessDateAt, type DateSpan, daysBetween, spanDays } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './exit.ts';

/** Flags of which exactly one says what the dates are; `to` goes with `from`. */
const DATE_FLAGS = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'last-N-days',
  'this-month',
  'last-month',
  'date',
  'from',
];

/** The hour at which a business date ends, where a restaurant says nothing else. */
const CLOSEOUT_HOUR = 4;

/** `now` in milliseconds, `zone` that of the machine. Throws UsageError for invalid dates, and for none. */
export function readSpan(args: ParsedArguments, now: number, zone: string): DateSpan {
  const named = DATE_FLAGS.filter((word) => args.has(word));
  if (args.has('to') && !args.has('from')) throw new UsageError('--to needs --from');
  if (named.length > 1) throw new UsageError(`--${named[0]} or --${named[1]}, not both`);
  const [word] = named;
  if (word === undefined) {
    throw new UsageError(
      'which dates? for example --yesterday, --last-week, --date 2026-03-10, --from 2026-03-01 --to 2026-03-15',
    );
  }
  const stated = args.value('time-zone');
  const today = (): string => todayIn(stated ?? zone, now);
  if (stated !== undefined) today();
  if (word === 'date') {
    const date = readDate('date', args.value('date') ?? '');
    return { start: date, end: date };
  }
  if (word === 'last-N-days') return lastDays(Number(args.value(word)), today());
  if (word !== 'from') return spanOf(word, today());
  const start = readDate('from', args.value('from') ?? '');
  const to = args.value('to');
  const upTo = (): string => {
    const yesterday = addDays(today(), -1);
    return start > yesterday ? start : yesterday;
  };
  const end = to === undefined ? upTo() : readDate('to', to);
  if (end < start) throw new UsageError(`--to ${shownDate(end)} is before --from ${shownDate(start)}`);
  return { start, end };
}

/** The longest that `--last-N-days` may be: ten years, which is what tax offices ask for. */
const MOST_DAYS = 3660;

/** The dates up to the one before `today`. Throws UsageError for none, or too many. */
function lastDays(days: number, today: string): DateSpan {
  if (days < 1 || days > MOST_DAYS)
    throw new UsageError(`--last-N-days takes a number of days from 1 to ${MOST_DAYS}, not ${days}`);
  return { start: addDays(today, -days), end: addDays(today, -1) };
}

/** The dates of a word of `readSpan` that is given alone. */
export function spanOf(word: string, today: string): DateSpan {
  const yesterday = addDays(today, -1);
  const monday = addDays(today, -daysSinceMonday(today));
  const first = `${today.slice(0, 6)}01`;
  const lastOfMonth = addDays(first, -1);
  switch (word) {
    case 'today':
      return { start: today, end: today };
    case 'yesterday':
      return { start: yesterday, end: yesterday };
    case 'this-week':
      return { start: monday, end: today };
    case 'last-week':
      return { start: addDays(monday, -7), end: addDays(monday, -1) };
    case 'this-month':
      return { start: first, end: today };
    case 'last-month':
      return { start: `${lastOfMonth.slice(0, 6)}01`, end: lastOfMonth };
    default:
      throw new RangeError(`no dates are called ${word}`);
  }
}

/** A Monday from which weeks are counted. */
const A_MONDAY = '20240101';
const daysSinceMonday = (date: string): number => ((daysBetween(A_MONDAY, date) % 7) + 7) % 7;

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** Whether it is a business date as the wire has them, which other services may not send. */
export function isDate(text: string): boolean {
  try {
    return /^\d{8}$/.test(text) && businessDate(text) === text;
  } catch {
    return false;
  }
}
/** `20260310` as people read it: `2026-03-10`; other text unchanged. */
export const shownDate = (date: string): string =>
  isDate(date) ? `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}` : date;
/** The same with the day of the week: `2026-03-10 Tue`. */
export const shownDay = (date: string): string =>
  isDate(date) ? `${shownDate(date)} ${DAY_NAMES[daysSinceMonday(date)]}` : date;

/** A span as people read it: `2026-03-09 to 2026-03-15 (7 dates)`. */
export const shownSpan = (span: DateSpan): string =>
  span.start === span.end
    ? shownDay(span.start)
    : `${shownDate(span.start)} to ${shownDate(span.end)} (${spanDays(span)} dates)`;

function todayIn(zone: string, now: number): string {
  try {
    return businessDateAt(now, zone, CLOSEOUT_HOUR);
  } catch {
    throw new UsageError(`--time-zone: there is no ${zone}; it is a name such as America/New_York`);
  }
}

/** The value of a flag as YYYYMMDD. Throws UsageError for text that is not a date. */
export function readDate(flag: string, text: string): string {
  if (!/^(\d{8}|\d{4}-\d{2}-\d{2})$/.test(text)) {
    throw new UsageError(`--${flag} ${text} is no date; write 2026-03-10 or 20260310`);
  }
  try {
    return businessDate(text);
  } catch {
    throw new UsageError(`--${flag} ${text} is not in the calendar`);
  }
}
