/** What a report is asked for by, from the words of the command. */
import type { GroupBy, TimeRange } from '@daypart/client';
import type { Given } from './arguments.ts';
import { lengthOf, readSpan, type Span } from './span.ts';
import { UsageError } from './usage-error.ts';

export type Kind = 'metrics' | 'checks';

export interface Ask {
  kind: Kind;
  span: Span;
  /** The smallest range that holds the span; null where none does and it goes in parts. */
  range: TimeRange | null;
  groupBy: GroupBy[];
  hourly: boolean;
  /** Restaurants as they were typed. */
  only: string[];
  exclude: string[];
  inactive: boolean;
}

const GROUPS: Record<string, GroupBy> = {
  'dining-option': 'DINING_OPTION',
  'revenue-center': 'REVENUE_CENTER',
  'order-source': 'ORDER_SOURCE',
};

/** Throws UsageError for what does not go together. */
export function readAsk(given: Given, now: number, zone: string): Ask {
  const [kind] = given.words;
  if (kind === undefined) throw new UsageError('report of what? report metrics, or report checks');
  if (kind !== 'metrics' && kind !== 'checks')
    throw new UsageError(`there are reports of metrics and of checks, not of ${kind}`);
  const splits = [
    ...new Set(
      (given.value('by') ?? '')
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean),
    ),
  ];
  if (kind === 'checks' && splits.length > 0)
    throw new UsageError('checks are not split: --by goes with report metrics');
  const groupBy = splits.flatMap((word) => GROUPS[word] ?? []);
  if (groupBy.length > 2)
    throw new UsageError('--by takes at most two of dining-option, revenue-center and order-source, besides hour');
  const span = readSpan(given, now, zone);
  const hourly = splits.includes('hour');
  const [only, exclude] = [given.values('restaurant'), given.values('exclude')];
  if (only.length > 0 && exclude.length > 0) throw new UsageError('--restaurant or --exclude, not both');
  // Services have hours of one date at a time: those of several dates are made of days.
  const range = hourly && lengthOf(span) > 1 ? null : rangeOf(span);
  return { kind, span, range, groupBy, hourly, only, exclude, inactive: given.has('inactive') };
}

/** The ranges of a create, and how many dates each holds (docs/contract.md#spans). */
const RANGES: readonly (readonly [TimeRange, number])[] = [
  ['day', 1],
  ['week', 7],
  ['month', 31],
  ['year', 366],
];

export function rangeOf(span: Span): TimeRange | null {
  const days = lengthOf(span);
  return RANGES.find(([, most]) => days <= most)?.[0] ?? null;
}

/** `by dining option and hour`, or nothing. */
export function shownSplits({ groupBy, hourly }: Pick<Ask, 'groupBy' | 'hourly'>): string {
  const words = [...groupBy.map((group) => group.toLowerCase().replace('_', ' ')), ...(hourly ? ['hour'] : [])];
  return words.length === 0 ? '' : `by ${words.join(' and ')}`;
}
