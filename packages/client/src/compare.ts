/** The dates with which a span is compared (docs/metrics.md#comparisons). */
import { addDays, daysBetween } from './dates.ts';

/** Business dates as YYYYMMDD; both count. */
export interface DateSpan {
  start: string;
  end: string;
}

/** With which dates a span is compared. */
export type Comparison = 'previous' | 'weekday' | 'year' | '52-weeks';

/** How many dates the span has. */
export const spanDays = ({ start, end }: DateSpan): number => daysBetween(start, end) + 1;

const YEAR_WEEKS_DAYS = 52 * 7;
const YEAR_MONTHS = 12;

/** How far before a date the one beside it is: days, or whole months to the same day of the month. */
type Shift = { days: number } | { months: number };

function shiftOf(span: DateSpan, comparison: Comparison): Shift {
  const days = spanDays(span);
  if (comparison === 'year') return { months: YEAR_MONTHS };
  if (comparison === '52-weeks') return { days: YEAR_WEEKS_DAYS };
  // 53 weeks before the 365 or 366 dates of a year would be a week off: Christmas beside 19 December.
  if (comparison === 'weekday')
    return { days: days === 365 || days === 366 ? YEAR_WEEKS_DAYS : 7 * Math.ceil(days / 7) };
  const months = wholeMonths(span);
  return months > 0 ? { months } : { days };
}

/** The number of whole months in the span; 0 if it is not made of whole months. */
export function wholeMonths({ start, end }: DateSpan): number {
  const after = addDays(end, 1);
  return start.endsWith('01') && after.endsWith('01') ? monthOf(after) - monthOf(start) : 0;
}

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(4, 6));

/** The first of the month of `date`, or of that many months before. */
function firstOf(date: string, months: number): string {
  const first = `${date.slice(0, 6)}01`;
  return months === 0 ? first : firstOf(addDays(first, -1), months - 1);
}

/** The same day that many months before; undefined if that month is shorter. */
function sameDay(date: string, months: number): string | undefined {
  const first = firstOf(date, months);
  const same = addDays(first, Number(date.slice(6)) - 1);
  return firstOf(same, 0) === first ? same : undefined;
}

/**
 * The dates with which `span` is compared; undefined if there are none:
 *
 * - `previous`: of whole months, as many whole months right before; otherwise as many dates right before
 * - `weekday`: as many dates on the same weekdays, the nearest whole weeks before that share no date with the span; of
 *   a year (365 or
 *   366 dates) those 52 weeks before
 * - `year`: the same dates of the year before, which has no 29 February: for it alone there are none
 * - `52-weeks`: as many dates 364 days before, on the same weekdays
 *
 * Throws RangeError for dates that do not exist, and before the year 1000.
 */
export function comparedSpan(span: DateSpan, comparison: Comparison): DateSpan | undefined {
  const { start, end } = span;
  const shift = shiftOf(span, comparison);
  if ('days' in shift) return { start: addDays(start, -shift.days), end: addDays(end, -shift.days) };
  // The month before may be longer: the whole of it is compared.
  if (comparison === 'previous') return { start: firstOf(start, shift.months), end: addDays(start, -1) };
  const partner = (date: string): string | undefined => partnerOf(date, span, comparison);
  const [first, last] = [partner(start) ?? partner(addDays(start, 1)), partner(end) ?? partner(addDays(end, -1))];
  return first && last && first <= last ? { start: first, end: last } : undefined;
}

/**
 * The date beside `date` in the dates with which `span` is compared: that of the same day of the month, of the same
 * weekday, or the first beside the first, according to the comparison. Undefined if it has none: 29 February a year
 * before, the 31st beside a shorter month. No date is beside two.
 */
export function partnerOf(date: string, span: DateSpan, comparison: Comparison): string | undefined {
  const shift = shiftOf(span, comparison);
  if ('days' in shift) return addDays(date, -shift.days);
  return sameDay(date, shift.months);
}

/**
 * The change of a figure in parts of its earlier value: 0.076 is 7.6 %. Null without either, and if the earlier value
 * was 0.
 */
export const relativeChange = (now: number | null | undefined, before: number | null | undefined): number | null =>
  now == null || before == null || before === 0 ? null : (now - before) / Math.abs(before);
