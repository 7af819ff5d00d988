/** Which dates a span is compared with. */
import { addDays } from '@daypart/client';
import type { COMPARISONS } from './commands.ts';
import { lengthOf, type Span } from './span.ts';

export type Comparison = (typeof COMPARISONS)[number];

/**
 * The dates that `span` is compared with: `previous` is as many dates right before, whole months with whole months; `weekday` is
 * the nearest earlier dates of the same weekdays; `year` is the same dates of the year before.
 */
export function comparedSpan(span: Span, comparison: Comparison): Span {
  const { start, end } = span;
  const days = lengthOf(span);
  if (comparison === 'year') return { start: shiftMonths(start, -12), end: shiftMonths(end, -12) };
  const months = wholeMonths(span);
  if (comparison === 'previous' && months > 0) return { start: shiftMonths(start, -months), end: addDays(start, -1) };
  const back = comparison === 'previous' ? days : 7 * Math.ceil(days / 7);
  return { start: addDays(start, -back), end: addDays(end, -back) };
}

const monthsOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(4, 6)) - 1;

/** How many whole months the span is; 0 if it is not a number of months. */
function wholeMonths({ start, end }: Span): number {
  const after = addDays(end, 1);
  return start.endsWith('01') && after.endsWith('01') ? monthsOf(after) - monthsOf(start) : 0;
}

/** The same day of another month, or its last: 29 February a year before is the 28th. */
function shiftMonths(date: string, months: number): string {
  const first = (month: number): string => `${Math.floor(month / 12)}${String((month % 12) + 1).padStart(2, '0')}01`;
  const month = monthsOf(date) + months;
  const last = addDays(first(month + 1), -1);
  const same = `${first(month).slice(0, 6)}${date.slice(6)}`;
  return same < last ? same : last;
}
