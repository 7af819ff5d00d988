/** Business dates: the restaurant's local dates. They never pass through an instant or a time zone. */

/** `20260310`, `"20260310"`, `"2026-03-10"`, or its parts: a Temporal.PlainDate has them. Months are 1 to 12. */
export type BusinessDate = string | number | { readonly year: number; readonly month: number; readonly day: number };

const DAY_MS = 86_400_000;
const TEXT = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;
/** Making one costs 20 µs, using it 2. There are as many as time zones that are asked for. */
const formats = new Map<string, Intl.DateTimeFormat>();

function show(date: unknown): string {
  try {
    return JSON.stringify(date) ?? String(date);
  } catch {
    return String(date);
  }
}

/** Year, month and day as they are written, whether there is such a day or not. */
function partsOf(date: BusinessDate): number[] {
  if (date instanceof Date) {
    throw new TypeError(
      'A Date is an instant, not a business date: pass its parts, { year, month, day }, or use businessDateAt',
    );
  }
  if (typeof date === 'object' && date !== null) {
    // Other calendars count years and months in their own way: 2026 is 2569 in the Buddhist one.
    if (((date as { calendarId?: string }).calendarId ?? 'iso8601') !== 'iso8601') {
      throw new TypeError("A business date is of the ISO calendar: pass date.withCalendar('iso8601')");
    }
    const parts = [date.year, date.month, date.day];
    if (parts.every(Number.isInteger)) return parts;
  } else {
    const [, year, , month, day] = TEXT.exec(String(date)) ?? [];
    if (year) return [Number(year), Number(month), Number(day)];
  }
  throw new TypeError(`${show(date)} is no business date: write YYYYMMDD, YYYY-MM-DD or { year, month, day }`);
}

/** Days since 1970. Date.UTC counts days of the calendar here: every one has 24 hours, and no zone is asked. */
function dayOf(date: BusinessDate): number {
  const [year = 0, month = 0, day = 0] = partsOf(date);
  const refuse = (why: string): never => {
    throw new RangeError(`${show(date)} is no business date: ${why}`);
  };
  if (year < 1000 || year > 9999) refuse('years run from 1000 to 9999');
  if (month < 1 || month > 12) refuse(`there is no month ${month}`);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > days) refuse(`month ${month} of ${year} has days 1 to ${days}`);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

function textOf(day: number): string {
  const date = new Date(day * DAY_MS);
  const year = date.getUTCFullYear();
  if (year >= 1000 && year <= 9999) return date.toISOString().slice(0, 10).replaceAll('-', '');
  throw new RangeError('Business dates run from 10000101 to 99991231');
}

function wholeDays(days: number, least: number): number {
  if (Number.isInteger(days) && days >= least) return days;
  throw new RangeError(`${days} is no number of days: it must be whole${least > 0 ? `, and at least ${least}` : ''}`);
}

/**
 * The date as YYYYMMDD. Throws a TypeError for what is not written as a date, a RangeError for a day that the calendar
 * does not have.
 */
export const businessDate = (date: BusinessDate): string => textOf(dayOf(date));

/** The date so many days later, or earlier where `days` is negative, as YYYYMMDD. */
export function addDays(date: BusinessDate, days: number): string {
  return textOf(dayOf(date) + wholeDays(days, Number.NEGATIVE_INFINITY));
}

/** Whole days from one date to the other: 0 for the same date, negative where `to` is earlier. */
export const daysBetween = (from: BusinessDate, to: BusinessDate): number => dayOf(to) - dayOf(from);

/** The span in pieces of at most so many days, in order; both ends of the span and of each piece count. */
export function splitSpan(from: BusinessDate, to: BusinessDate, days: number): { start: string; end: string }[] {
  const first = dayOf(from);
  const last = dayOf(to);
  wholeDays(days, 1);
  if (last < first) throw new RangeError(`The span ends on ${textOf(last)}, before it starts on ${textOf(first)}`);
  const pieces = [];
  for (let start = first; start <= last; start += days) {
    pieces.push({ start: textOf(start), end: textOf(Math.min(start + days - 1, last)) });
  }
  return pieces;
}

/**
 * The business date (YYYYMMDD) at an instant (a Date, or milliseconds since 1970) in an IANA time zone: the local date, or
 * the day before while the local clock shows an hour earlier than the restaurant's closeout hour.
 */
export function businessDateAt(instant: Date | number, timeZone: string, closeoutHour = 4): string {
  if (!Number.isInteger(closeoutHour) || closeoutHour < 0 || closeoutHour > 12) {
    throw new RangeError(`${closeoutHour} is no closeout hour: it must be a whole number from 0 to 12`);
  }
  let format = formats.get(timeZone);
  if (!format) {
    // The calendar, the digits and h23 are named, so that no locale or default of the platform has a say.
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const at: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) at[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0 } = at;
  return addDays({ year, month, day }, hour < closeoutHour ? -1 : 0);
}
