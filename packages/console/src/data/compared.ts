/** Sums of a period beside those of its comparison, from as few reports as possible. */
import { spanDays } from '@daypart/client';
import { contains, cover, type Period } from '../model/period.ts';
import { type Choice, type MetricsTotal, metricsTotals, type NetTotal } from './metrics.ts';
import type { Answer, Query, ReportReading } from './question.ts';

export interface Compared<T extends NetTotal = NetTotal> {
  now: T[];
  /** Undefined without a comparison. */
  before: T[] | undefined;
  /** The report of the period, which may contain the comparison too. */
  guid: string;
  asOf: string | null;
}

/** Hours are reported for at most 31 dates; over more dates two reports are smaller than one. */
export const MOST_HOUR_DAYS = 31;

/**
 * By hour, dining option and order source: one report for all cards that show these. Longer periods are not split by
 * hour.
 */
export const mixChoice = (period: Period, restaurantGuid?: string): Choice => ({
  groupBy: ['DINING_OPTION', 'ORDER_SOURCE'],
  ...(spanDays(period) <= MOST_HOUR_DAYS ? { aggregateBy: 'HOUR' } : {}),
  ...(restaurantGuid ? { restaurantIds: [restaurantGuid] } : {}),
});

/** Sums of the period, and of its comparison if it has one. */
export async function compare<T extends NetTotal = MetricsTotal>(
  period: Period,
  comparison: Period | undefined,
  choice: Choice,
  { by = [], fields }: Query,
  reading: ReportReading,
): Promise<Compared<T>> {
  const whole = cover(period, comparison);
  if (comparison && spanDays(whole) <= MOST_HOUR_DAYS) {
    const query = { by: ['businessDate', ...by], fields };
    const { guid, asOf, rows } = await metricsTotals<T>(whole, choice, [query], reading);
    const within = (some: Period) => rows.flat().filter(({ businessDate = '' }) => contains(some, businessDate));
    return { now: within(period), before: within(comparison), guid, asOf };
  }
  const read = (some: Period) => metricsTotals<T>(some, choice, [{ by, fields }], reading);
  const [now, before] = await Promise.all([read(period), comparison && read(comparison)]);
  return { now: now.rows.flat(), before: before?.rows.flat(), guid: now.guid, asOf: now.asOf };
}

/**
 * As `compare`, with the two added up separately: ratios, which cannot be added up over dates, are of the whole of
 * each.
 */
export async function compareApart<T extends NetTotal>(
  period: Period,
  comparison: Period | undefined,
  choice: Choice,
  query: Query,
  reading: ReportReading,
): Promise<Compared<T>> {
  const whole = cover(period, comparison);
  const together = spanDays(whole) <= MOST_HOUR_DAYS;
  const read = (some: Period) => {
    const { start: from, end: to } = some;
    return metricsTotals<T>(together ? whole : some, choice, [{ ...query, from, to }], reading);
  };
  const [now, before] = await Promise.all([read(period), comparison && read(comparison)]);
  return { now: now.rows.flat(), before: before?.rows.flat(), guid: now.guid, asOf: now.asOf };
}

/** The largest number of keys of totals. */
const MOST_KEYS = 3;

/** As `compare`, or as `compareApart` where the query has no key left for the date. */
export const compareBy = <T extends NetTotal>(...all: Parameters<typeof compareApart>): Promise<Compared<T>> =>
  (all[3].by ?? []).length < MOST_KEYS ? compare<T>(...all) : compareApart<T>(...all);

/** Sums of a period, of its comparison, and of the dates and of the restaurants of both. */
export interface PairedAnswers<T> {
  now: Answer<T>;
  before: Answer<T> | undefined;
  dates: T[];
  restaurants: { now: T[]; before: T[] };
}

/**
 * Reads the sums of a period and of its comparison, if it has one, by `by`, and by date and by restaurant unless that
 * is part of `by`: of one report each.
 */
export async function readPaired<T>(
  period: Period,
  comparison: Period | undefined,
  by: string[],
  read: (some: Period, by: string[]) => Promise<Answer<T>>,
): Promise<PairedAnswers<T>> {
  const both = (by: string[]) => Promise.all([read(period, by), comparison && read(comparison, by)]);
  const dated = by.includes('businessDate');
  const placed = by.includes('restaurant');
  const [[now, before], apart, places] = await Promise.all([
    both(by),
    comparison && !dated && spanDays(period) > 1 ? both(['businessDate']) : [],
    comparison && !placed ? both(['restaurant']) : [],
  ]);
  const dates = dated ? [now, before] : apart;
  const [current, previous] = placed ? [now, before] : places;
  return {
    now,
    before,
    dates: dates.flatMap((some) => some?.rows ?? []),
    restaurants: { now: current?.rows ?? [], before: previous?.rows ?? [] },
  };
}
