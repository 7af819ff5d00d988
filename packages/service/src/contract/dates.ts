/**
 * Business dates as YYYYMMDD integers, and arithmetic on them. A business date has no time zone
 * (docs/metrics.md#sales-metrics).
 */
import { DAY_MS } from './time.ts';

const TEXT = /^(\d{4})(-?)(\d{2})\2(\d{2})$/;

/** The start of the date in UTC, milliseconds since 1970. */
export const toUtc = (date: number): number =>
  Date.UTC(Math.trunc(date / 10000), (Math.trunc(date / 100) % 100) - 1, date % 100);

const fromUtc = (instant: number): number => {
  const day = new Date(instant);
  return day.getUTCFullYear() * 10000 + (day.getUTCMonth() + 1) * 100 + day.getUTCDate();
};

/** Whether the YYYYMMDD integer is a date of the calendar, from the year 1000 on. */
const isCalendarDate = (date: number): boolean =>
  Number.isInteger(date) && date >= 10000101 && date <= 99991231 && fromUtc(toUtc(date)) === date;

/** Reads `20260131` (text or number) or `2026-01-31`; undefined if it is not a date of the calendar. */
export function readBusinessDate(value: unknown): number | undefined {
  const match = TEXT.exec(typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '');
  if (!match) return undefined;
  const date = Number(`${match[1]}${match[3]}${match[4]}`);
  return isCalendarDate(date) ? date : undefined;
}

/** A date as answers have it. */
export const shownDate = (date: number | null): string | null => (date === null ? null : String(date));

/** `2026-01-31`, for people and names of files. */
export const dashedDate = (date: number): string => String(date).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

export const addDays = (date: number, days: number): number => fromUtc(toUtc(date) + days * DAY_MS);

/** How many dates a span covers, inclusive. */
export const datesIn = (start: number, end: number): number => Math.round((toUtc(end) - toUtc(start)) / DAY_MS) + 1;

/** By time zone, of which there are some 600. Cached because creating one takes half a millisecond. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar date in an IANA time zone at an instant (ms UTC). */
export function dateIn(timeZone: string, instant: number): number {
  const known = formats.get(timeZone);
  const parts =
    known ?? new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  if (!known) formats.set(timeZone, parts);
  return Number(parts.format(instant).replaceAll('-', ''));
}

/** Dates as an address of a dataset names them (docs/contract.md#datasets), for a message. */
export const PLAIN_DATES = 'a date such as 2026-03-10, today, yesterday, -7d, month or last-month';
/** As a pattern of a JSON schema. */
export const PLAIN_DATE_PATTERN = '^(\\d{4}-?\\d{2}-?\\d{2}|today|yesterday|-\\d{1,4}d|month|last-month)$';

/** YYYYMMDD integers, inclusive. */
export interface PlainSpan {
  start: number;
  end: number;
}

/** The dates that the text names, of which `today` (YYYYMMDD) decides; undefined if it names none. */
export function readPlainDate(text: unknown, today: number): PlainSpan | undefined {
  const firstOfMonth = today - (today % 100) + 1;
  const endOfLast = addDays(firstOfMonth, -1);
  if (text === 'month') return { start: firstOfMonth, end: today };
  if (text === 'last-month') return { start: endOfLast - (endOfLast % 100) + 1, end: endOfLast };
  const back = text === 'today' ? '0' : text === 'yesterday' ? '1' : /^-(\d{1,4})d$/.exec(String(text))?.[1];
  const date = back === undefined ? readBusinessDate(text) : addDays(today, -Number(back));
  return date === undefined ? undefined : { start: date, end: date };
}
