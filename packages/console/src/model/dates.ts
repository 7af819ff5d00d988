/** Business dates (YYYYMMDD) for display. They are plain dates: no time zone changes them. */
import { addDays, businessDate, daysBetween } from '@daypart/client';
import { DATES } from './locale.ts';

/** Creating an Intl object takes 50 µs, using it 1 µs. */
const formats: Record<string, Intl.DateTimeFormat> = {};

function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  formats[name] ??= new Intl.DateTimeFormat(DATES, { timeZone: 'UTC', ...options });
  return formats[name];
}

/** The date at midnight UTC. All dates are formatted in UTC, so this is not an actual instant. */
function utcOf(date: string): Date {
  return new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6, 8))));
}

const STYLES = {
  /** Friday, 20 November */
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  /** Fri 20 Nov */
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  /** 20 Nov */
  day: { day: 'numeric', month: 'short' },
  /** 20 Nov 2026 */
  full: { day: 'numeric', month: 'short', year: 'numeric' },
  /** Friday */
  weekday: { weekday: 'long' },
  /** Fri */
  weekdayShort: { weekday: 'short' },
  /** November 2026 */
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A business date in words. */
export function formatDate(date: string, style: keyof typeof STYLES): string {
  const text = format(style, STYLES[style]).format(utcOf(date));
  return style === 'short' ? text.replace(',', '') : text;
}

/**
 * "24 Oct to 20 Nov" or, in full, "24 Oct to 20 Nov 2026"; with both years if they differ; a single date if both are
 * the same.
 */
export function formatSpan(start: string, end: string, style: 'day' | 'full' = 'day'): string {
  if (start === end) return formatDate(start, style);
  const sameYear = start.slice(0, 4) === end.slice(0, 4);
  return `${formatDate(start, sameYear ? 'day' : 'full')} to ${formatDate(end, sameYear ? style : 'full')}`;
}

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (date: string): number => utcOf(date).getUTCDay() || 7;

/** "Mon" … "Sun" for 1 … 7: 5 January 1970 was a Monday. */
export const weekdayName = (weekday: number, style: 'weekday' | 'weekdayShort' = 'weekdayShort'): string =>
  formatDate(addDays('19700104', weekday), style);

/** The weekdays from the first one of the viewer's week. */
export function weekdays(): number[] {
  const locale = new Intl.Locale(DATES) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  const first = (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
  return Array.from({ length: 7 }, (_, at) => ((first - 1 + at) % 7) + 1);
}

/** All dates of the span, in order. */
export function datesOf(start: string, end: string): string[] {
  return Array.from({ length: daysBetween(start, end) + 1 }, (_, at) => addDays(start, at));
}

/** "2026-11-20" for addresses and date fields. */
export const isoDate = (date: string): string => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`;

/** The date as YYYYMMDD; undefined if it is not a date. */
export function readDate(text: string | null | undefined): string | undefined {
  if (!text) return undefined;
  try {
    return businessDate(text);
  } catch {
    return undefined;
  }
}

/** An hour of the clock: "7 am", or "07:00". All times of the console are written so: "7:05 pm", or "19:05". */
export function sayHour(hour: number): string {
  if (!hasTwelveHours()) return `${String(hour).padStart(2, '0')}:00`;
  return `${hour % 12 || 12} ${hour < 12 ? 'am' : 'pm'}`;
}

const hasTwelveHours = (): boolean => format('hour', { hour: 'numeric' }).resolvedOptions().hour12 === true;

/** "PM" with the space before it. */
const HALF_DAY = /[\s\u202f]([AP])M\b/;
const spelled = (text: string): string => text.replace(HALF_DAY, (_, half: string) => ` ${half.toLowerCase()}m`);

const clock = (): Intl.DateTimeFormatOptions => ({
  hour: hasTwelveHours() ? 'numeric' : '2-digit',
  minute: '2-digit',
});

/** The time of an instant at a restaurant: "7:05 am", or "07:05" for a 24-hour clock. */
export const formatTime = (instant: string, timeZone: string): string =>
  spelled(format(`time ${timeZone}`, { ...clock(), timeZone }).format(new Date(instant)));

/**
 * An instant in the zone of the viewer: "00:40 UTC"; with the date unless it is today, and the year unless it is this
 * one.
 */
export function formatInstant(instant: string, now: Date = new Date()): string {
  const at = new Date(instant);
  const zoned: Intl.DateTimeFormatOptions = { ...clock(), timeZoneName: 'short' };
  const sameDay = at.toDateString() === now.toDateString();
  const sameYear = at.getFullYear() === now.getFullYear();
  const day: Intl.DateTimeFormatOptions = sameDay ? {} : STYLES[sameYear ? 'day' : 'full'];
  const name = `instant ${sameDay} ${sameYear}`;
  formats[name] ??= new Intl.DateTimeFormat(DATES, { ...day, ...zoned });
  return spelled(formats[name].format(at));
}
