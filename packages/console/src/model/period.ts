/** The dates that a screen shows, and the dates of their comparison. */
import { addDays, daysBetween } from '@daypart/client';
import { formatDate, formatSpan } from './dates.ts';

export type Span = 'day' | '7' | '28' | 'custom';
export type Versus = 'weekday' | 'previous' | 'year' | 'none';

/** Both dates are included; YYYYMMDD. */
export interface Period {
  start: string;
  end: string;
}

/** The largest number of dates in a report. */
export const LONGEST_DAYS = 366;

const LENGTHS: Record<Exclude<Span, 'custom'>, number> = { day: 1, '7': 7, '28': 28 };

/** The number of dates in the period. */
export const lengthOf = ({ start, end }: Period): number => daysBetween(start, end) + 1;

/** The period that ends with `date`, or the chosen one. */
export function periodOf(span: Span, date: string, custom?: Period): Period {
  if (span === 'custom') return custom ?? { start: date, end: date };
  return { start: addDays(date, 1 - LENGTHS[span]), end: date };
}

const YEAR_DAYS = 364;

/** How many days before the period its comparison is. Whole weeks compare equal weekdays; a year is 52 weeks. */
function shiftOf(versus: Exclude<Versus, 'none'>, days: number): number {
  if (versus === 'previous') return days;
  return versus === 'weekday' ? Math.ceil(days / 7) * 7 : YEAR_DAYS;
}

/** The same date of the year before; 28 February for the 29th. */
const yearBefore = (date: string): string => String(Number(date) - (date.endsWith('0229') ? 10_001 : 10_000));

/** The dates a year before 365 or 366 dates, which those 52 weeks before would overlap: by date, up to the last before the period. */
function calendarYearBefore({ start, end }: Period): Period {
  const [last, same] = [addDays(start, -1), yearBefore(end)];
  return { start: yearBefore(start), end: same < last ? same : last };
}

/** The comparison of the period; undefined if there is none. */
export function comparisonOf(period: Period, versus: Versus): Period | undefined {
  if (versus === 'none') return undefined;
  const days = lengthOf(period);
  if (versus === 'year' && days > YEAR_DAYS) return calendarYearBefore(period);
  const shift = -shiftOf(versus, days);
  return { start: addDays(period.start, shift), end: addDays(period.end, shift) };
}

/** The date of the comparison that belongs to a date of the period; of the year before by date, so 29 February has none. */
export function partnerOf(date: string, period: Period, comparison: Period): string | undefined {
  if (comparison.start.slice(4) !== period.start.slice(4))
    return addDays(date, -daysBetween(comparison.start, period.start));
  const same = String(Number(date) - 10_000);
  return same > comparison.end || same.endsWith('0229') ? undefined : same;
}

export const contains = ({ start, end }: Period, date: string): boolean => date >= start && date <= end;

/** The shortest period that contains both. */
export function cover(one: Period, other: Period | undefined): Period {
  if (!other) return one;
  return {
    start: one.start < other.start ? one.start : other.start,
    end: one.end > other.end ? one.end : other.end,
  };
}

/** The name of each comparison for a period of this many days. */
export function versusName(versus: Versus, days: number): string {
  if (versus === 'none') return 'Nothing';
  if (versus === 'year' && days > YEAR_DAYS) return 'Year before, by date';
  if (versus === 'year') return days === 1 ? 'Weekday last year' : '52 weeks before';
  if (days === 1) return versus === 'weekday' ? 'Same weekday' : 'Day before';
  if (versus === 'previous') return `${days} days before`;
  return days % 7 === 0 ? `${days} days before` : 'Same weekdays before';
}

/** The comparisons that differ for a period of this many days: for whole weeks, the days before are the same weekdays. */
export const versusChoices = (days: number): Versus[] =>
  days % 7 === 0 ? ['weekday', 'year', 'none'] : ['weekday', 'previous', 'year', 'none'];

/** A period in a heading or a legend: "Fri 20 Nov", "24 Oct to 20 Nov". */
export const sayPeriod = (period: Period): string =>
  period.start === period.end ? formatDate(period.start, 'short') : formatSpan(period.start, period.end);
