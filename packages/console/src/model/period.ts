/** The dates that a screen shows, and the dates of their comparison. */
import {
  addDays,
  type Comparison,
  comparedSpan,
  type DateSpan,
  partnerOf,
  spanDays,
  wholeMonths,
} from '@daypart/client';
import { formatDate, formatSpan } from './dates.ts';

export type Span = 'day' | '7' | '28' | 'custom';
export type Versus = Comparison | 'none';
export type Period = DateSpan;

/** What a screen shows, and what it is compared with; undefined without a comparison. */
export interface Periods {
  period: Period;
  comparison?: Period | undefined;
}

/** The largest number of dates in a report. */
export const LONGEST_DAYS = 366;

const LENGTHS: Record<Exclude<Span, 'custom'>, number> = { day: 1, '7': 7, '28': 28 };

/** The period that ends with `date`, or the chosen one. */
export function periodOf(span: Span, date: string, custom?: Period): Period {
  if (span === 'custom') return custom ?? { start: date, end: date };
  return { start: addDays(date, 1 - LENGTHS[span]), end: date };
}

/** The comparison of the period; undefined if there is none. */
export const comparisonOf = (period: Period, versus: Versus): Period | undefined =>
  versus === 'none' ? undefined : comparedSpan(period, versus);

/** The date of the comparison that belongs to a date of the period; undefined if it has none. */
export const comparedDate = (date: string, period: Period, versus: Versus): string | undefined =>
  versus === 'none' ? undefined : partnerOf(date, period, versus);

export const isDay = ({ start, end }: Period): boolean => start === end;

export const contains = ({ start, end }: Period, date: string): boolean => date >= start && date <= end;

/** The shortest period that contains both. */
export function cover(one: Period, other: Period | undefined): Period {
  if (!other) return one;
  return {
    start: one.start < other.start ? one.start : other.start,
    end: one.end > other.end ? one.end : other.end,
  };
}

/** The name of the dates right before the period: as many, or whole months before whole months. */
function previousName(period: Period, days: number): string {
  const months = wholeMonths(period);
  if (months > 0) return months === 1 ? 'Month before' : 'Months before';
  return days === 1 ? 'Day before' : `${days} days before`;
}

/** The name of each comparison for the period. */
export function versusName(versus: Versus, period: Period): string {
  const days = spanDays(period);
  if (versus === 'none') return 'Nothing';
  if (versus === 'previous') return previousName(period, days);
  if (versus === 'year') return days === 1 ? 'Same date last year' : 'Same dates last year';
  if (versus === '52-weeks') return days === 1 ? 'Weekday last year' : '52 weeks before';
  if (days === 1) return 'Same weekday';
  if (days >= 364) return '52 weeks before';
  return days % 7 === 0 ? `${days} days before` : 'Same weekdays before';
}

/**
 * As they are offered. Of those with the same dates the first in `NAMED_BY` is offered: a calendar year before is that
 * of the same dates.
 */
export const VERSUS: readonly Versus[] = ['weekday', 'previous', '52-weeks', 'year', 'none'];
const NAMED_BY: readonly Versus[] = ['none', 'weekday', 'year', 'previous', '52-weeks'];

/** The comparisons that differ for the period: for whole weeks, the days before are the same weekdays. */
export const versusChoices = (period: Period): Versus[] => VERSUS.filter((one) => offeredAs(one, period) === one);

/** The one of the choices that has the dates of `versus`; `none` if there are none. */
export function offeredAs(versus: Versus, period: Period): Versus {
  const dates = JSON.stringify(comparisonOf(period, versus));
  return NAMED_BY.find((one) => JSON.stringify(comparisonOf(period, one)) === dates) ?? 'none';
}

/** A period in a heading or a legend: "Fri 20 Nov", "24 Oct to 20 Nov". */
export const sayPeriod = (period: Period): string =>
  period.start === period.end ? formatDate(period.start, 'short') : formatSpan(period.start, period.end);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What is still shown while other dates are being loaded: "still Tue 24 Nov"; empty if the dates are the same. */
export function sayStill(shown: Periods, wanted: Periods): string {
  if (!isSame(shown.period, wanted.period)) return `still ${sayPeriod(shown.period)}`;
  if (isSame(shown.comparison, wanted.comparison)) return '';
  return `still vs ${shown.comparison ? sayPeriod(shown.comparison) : 'nothing'}`;
}
