/** Business dates: local dates of the restaurant. They are never converted to an instant or a time zone. */

/**
 * `20260310`, `"20260310"`, `"2026-03-10"`, or an object with its parts, such as a Temporal.PlainDate. Months are 1 to
 * 12.
 */
export type BusinessDate = string | number | { readonly year: number; readonly month: number; readonly day: number };

type Parts = Exclude<BusinessDate, string | number>;

/** Milliseconds. */
export const DAY_MS = 86_400_000;
const TEXT = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;
/** By time zone. Creating one takes 50 µs, using it 3. */
const formats: Record<string, Intl.DateTimeFormat> = Object.create(null);

function within(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${what} must be a whole number from ${least} to ${most}, not ${value}`);
}

/** Year, month and day as written, even if there is no such day. */
function partsOf(date: BusinessDate): Parts {
  let wanted = 'YYYYMMDD, YYYY-MM-DD or { year, month, day }';
  if (date instanceof Date) {
    wanted = 'pass the parts of a Date, or use businessDateAt';
  } else if (typeof date === 'object') {
    // Other calendars number years differently: 2026 is the year 2569 of the Buddhist calendar.
    const { year, month, day, calendarId = 'iso8601' } = (date ?? {}) as Parts & { calendarId?: string };
    if (!/^(iso8601|gregory)$/.test(calendarId)) wanted = "pass date.withCalendar('iso8601')";
    else if ([year, month, day].every(Number.isInteger)) return { year, month, day };
  } else {
    const [, year, , month, day] = TEXT.exec(String(date)) ?? [];
    if (year) return { year: Number(year), month: Number(month), day: Number(day) };
  }
  throw new TypeError(`${JSON.stringify(date)} is no business date: ${wanted}`);
}

/**
 * Days since 1970. Date.UTC is used only to count days of the calendar: each has 24 hours, and no time zone is
 * involved.
 */
function dayOf(date: BusinessDate): number {
  const { year, month, day } = partsOf(date);
  const the = `${JSON.stringify(date)} is no business date: the`;
  within(`${the} year`, year, 1000, 9999);
  within(`${the} month`, month, 1, 12);
  within(`${the} day`, day, 1, new Date(Date.UTC(year, month, 0)).getUTCDate());
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

function dateText(day: number): string {
  const date = new Date(day * DAY_MS);
  within('The year', date.getUTCFullYear(), 1000, 9999);
  return date.toISOString().replace(/-|T.*/g, '');
}

/**
 * The date as YYYYMMDD. Throws TypeError for what is not written as a date, RangeError for a day that does not exist
 * in the calendar.
 */
export const businessDate = (date: BusinessDate): string => dateText(dayOf(date));

/** The date this many days later, or earlier if `days` is negative, as YYYYMMDD. */
export function addDays(date: BusinessDate, days: number): string {
  within('days', days, -1e7, 1e7);
  return dateText(dayOf(date) + days);
}

/** Whole days from one date to the other: 0 for the same date, negative if `to` is earlier. */
export const daysBetween = (from: BusinessDate, to: BusinessDate): number => dayOf(to) - dayOf(from);

/** Splits the span into consecutive spans of at most `days` dates; all ends are inclusive. */
export function splitSpan(from: BusinessDate, to: BusinessDate, days: number): { start: string; end: string }[] {
  within('days', days, 1, 1e7);
  const last = dayOf(to);
  let start = dayOf(from);
  if (last < start) throw new RangeError(`The span ends on ${dateText(last)}, before it starts`);
  const pieces = [];
  for (; start <= last; start += days) {
    pieces.push({ start: dateText(start), end: dateText(Math.min(start + days - 1, last)) });
  }
  return pieces;
}

/**
 * The business date (YYYYMMDD) at an instant (a Date, or milliseconds since 1970) in an IANA time zone: the local date,
 * or the date before if the local hour is before the restaurant's closeout hour.
 */
export function businessDateAt(instant: Date | number, timeZone: string, closeoutHour = 4): string {
  within('closeoutHour', closeoutHour, 0, 12);
  // Calendar, digits and clock are specified, so that the platform's defaults do not matter.
  formats[timeZone] ??= new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
  });
  const at = {} as { [part in 'year' | 'month' | 'day' | 'hour']: number };
  for (const { type, value } of formats[timeZone].formatToParts(instant)) {
    at[type as keyof typeof at] = Number(value);
  }
  return addDays(at, at.hour < closeoutHour ? -1 : 0);
}
