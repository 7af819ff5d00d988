/** The dates with which a span is compared. */
import { addDays } from '@daypart/client';
import type { COMPARISONS } from './commands.ts';
import { lengthOf, type Span } from './span.ts';

export type Comparison = (typeof COMPARISONS)[number];

/**
 * The dates with which `span` is compared: `previous` is the same number of dates right before, whole months for whole months;
 * `weekday` the nearest earlier dates with the same weekdays; `year` the same dates of the year before. 29 February has none there: for it
 * alone the span has no dates, and its end is before its start.
 */
export function comparedSpan(span: Span, comparison: Comparison): Span {
  const { start, end } = span;
  const days = lengthOf(span);
  if (comparison === 'year') return yearBefore(span);
  const months = wholeMonths(span);
  if (comparison === 'previous' && months > 0) return { start: shiftMonths(start, -months), end: addDays(start, -1) };
  const back = comparison === 'previous' ? days : 7 * Math.ceil(days / 7);
  return { start: addDays(start, -back), end: addDays(end, -back) };
}

/** A span that begins with 29 February is compared from 1 March on. */
const yearBefore = ({ start, end }: Span): Span => ({
  start: addDays(shiftMonths(start, -12), isLeapDay(start) ? 1 : 0),
  end: shiftMonths(end, -12),
});
const isLeapDay = (date: string): boolean => date.endsWith('0229');

/**
 * The date of `compared` beside each date of `span` that has one: the first beside the first, and so on. Where `compared` is the year
 * before, they are the same dates, and a 29 February has none.
 */
export function partnersOf(span: Span, compared: Span): Map<string, string> {
  const { start, end } = yearBefore(span);
  const isYearBefore = start === compared.start && end === compared.end;
  const partners = new Map<string, string>();
  for (let at = 0; at < lengthOf(span); at++) {
    const date = addDays(span.start, at);
    if (isYearBefore && isLeapDay(date)) continue;
    const other = isYearBefore ? shiftMonths(date, -12) : addDays(compared.start, at);
    if (other <= compared.end) partners.set(date, other);
  }
  return partners;
}

const monthsOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(4, 6)) - 1;

/** The number of whole months in the span; 0 if it is not made of whole months. */
function wholeMonths({ start, end }: Span): number {
  const after = addDays(end, 1);
  return start.endsWith('01') && after.endsWith('01') ? monthsOf(after) - monthsOf(start) : 0;
}

/** The same day of another month, or its last day: 29 February becomes the 28th a year before. */
function shiftMonths(date: string, months: number): string {
  const first = (month: number): string => `${Math.floor(month / 12)}${String((month % 12) + 1).padStart(2, '0')}01`;
  const month = monthsOf(date) + months;
  const last = addDays(first(month + 1), -1);
  const same = `${first(month).slice(0, 6)}${date.slice(6)}`;
  return same < last ? same : last;
}
