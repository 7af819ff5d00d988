/** Sums by day: the period, its comparison, and the weeks before, which show what is usual. */
import { addDays, spanDays } from '@daypart/client';
import { weekdayOf } from '../model/dates.ts';
import type { FigureRow } from '../model/figures.ts';
import { contains, cover, LONGEST_DAYS, type Period } from '../model/period.ts';
import { WEEKS } from '../model/stands-out.ts';
import { daypart } from './client.ts';
import { mayBeUnread } from './group-load.ts';
import { FIGURES, type MetricsTotal, metricsTotals, NET, type NetTotal } from './metrics.ts';
import type { Query, ReportReading } from './question.ts';

/** The report and the instant of figures. */
interface Source {
  guid: string;
  asOf: string | null;
}

export interface Days extends Source {
  /** A row for each restaurant and date. */
  rows: FigureRow[];
}

/** The figures of a group of restaurants. */
export interface GroupDays extends Source {
  /** By restaurant, or by restaurant and date. */
  now: FigureRow[];
  /** Undefined without a comparison. */
  before: FigureRow[] | undefined;
  /**
   * By restaurant and date: the last date of the period and the eight same weekdays before. Undefined in groups that
   * are too large.
   */
  sameWeekdays: FigureRow[] | undefined;
  /** By restaurant and date, the last four weeks. Undefined in large groups. */
  recent: FigureRow[] | undefined;
  /** Net sales by date, separately for each currency, or by restaurant too: all dates that were read. */
  net: NetTotal[];
}

/** 13 weeks: a quarter. */
const HISTORY_DAYS = 91;
const RECENT_DAYS = 28;
/** The largest number of rows in one answer of totals. */
export const MOST_TOTALS = 10_000;

const before = (end: string, days: number): Period => ({ start: addDays(end, 1 - days), end });

/**
 * The dates of one report for a period: the period, 13 weeks before its end, and the comparison unless it is further
 * back.
 */
export function historyOf(period: Period, comparison: Period | undefined): Period {
  const weeks = cover(period, before(period.end, HISTORY_DAYS));
  const all = cover(weeks, comparison);
  return spanDays(all) <= Math.max(HISTORY_DAYS * 2, spanDays(weeks)) && spanDays(all) <= LONGEST_DAYS ? all : weeks;
}

/**
 * Removes rows of dates that are still to be read from the point of sale: shifts of them may be loaded already, and no
 * sales are known beside these.
 */
async function withoutUnread(rows: FigureRow[], guid: string, { signal }: ReportReading): Promise<FigureRow[]> {
  if (!mayBeUnread()) return rows;
  const { incomplete } = await daypart.reports.status(guid, { signal });
  const unread = new Set(
    incomplete?.flatMap(({ restaurantGuid, businessDate, missing }) =>
      missing === 'still_reading' ? [restaurantGuid + businessDate] : [],
    ),
  );
  return rows.filter(({ restaurantGuid, businessDate }) => !unread.has(`${restaurantGuid}${businessDate}`));
}

/**
 * Rows by restaurant and day. A comparison that is further back has its own report, and so has `lead`, dates before the
 * period.
 */
export async function readDays(
  period: Period,
  comparison: Period | undefined,
  restaurantIds: string[] | undefined,
  reading: ReportReading,
  lead?: Period,
): Promise<Days> {
  const history = historyOf(period, comparison);
  const choice = restaurantIds ? { restaurantIds } : {};
  const apart = [comparison, lead].flatMap((one) => (one && one.start < history.start ? one : []));
  const query = { by: ['restaurant', 'businessDate'], fields: FIGURES };
  const read = async (some: Period) => {
    const answer = await metricsTotals<MetricsTotal>(some, choice, [query], reading);
    return { ...answer, rows: await withoutUnread(answer.rows.flat(), answer.guid, reading) };
  };
  const [main, others] = await Promise.all([read(history), Promise.all(apart.map(read))]);
  // A date that is in several reports is of the first of them.
  const earlier = others.flatMap(({ rows }, at) => {
    const known = [history, ...apart.slice(0, at)];
    return rows.filter(({ businessDate = '' }) => !known.some((one) => contains(one, businessDate)));
  });
  return { rows: [...earlier, ...main.rows], guid: main.guid, asOf: main.asOf };
}

/** The figures of a group from one report with all its days. */
function groupDaysOf({ rows, guid, asOf }: Days, period: Period, comparison: Period | undefined): GroupDays {
  const within = (some: Period): FigureRow[] => rows.filter(({ businessDate = '' }) => contains(some, businessDate));
  const weekday = weekdayOf(period.end);
  return {
    now: within(period),
    before: comparison && within(comparison),
    sameWeekdays: rows.filter(
      ({ businessDate = '' }) => weekdayOf(businessDate) === weekday && businessDate <= period.end,
    ),
    recent: within(before(period.end, RECENT_DAYS)),
    net: rows,
    guid,
    asOf,
  };
}

/** The figures of a large group: sums by restaurant, a few dates of each restaurant, and one sum for each date. */
async function readLargeGroup(
  period: Period,
  comparison: Period | undefined,
  restaurants: number,
  reading: ReportReading,
): Promise<GroupDays> {
  const history = historyOf(period, comparison);
  const apart = comparison && comparison.start < history.start ? comparison : undefined;
  const of = ({ start: from, end: to }: Period, by: string[], fields = FIGURES): Query => ({ by, fields, from, to });
  const weeks = before(period.end, WEEKS * 7 + 1);
  const weekdays = { ...of(weeks, ['restaurant', 'businessDate']), weekday: weekdayOf(period.end) };
  const hasWeekdays = restaurants * (WEEKS + 1) <= MOST_TOTALS;
  const queries = [
    of(period, ['restaurant']),
    of(history, ['businessDate'], NET),
    ...(hasWeekdays ? [weekdays] : []),
    ...(comparison && !apart ? [of(comparison, ['restaurant'])] : []),
  ];
  // The sums by restaurant of the comparison are asked for before the long report, behind which they would wait.
  const sums = (some: Period): Query[] => [of(some, ['restaurant']), of(some, ['businessDate'], NET)];
  const earlier = apart && metricsTotals<MetricsTotal>(apart, {}, sums(apart), reading);
  const [other, main] = await Promise.all([earlier, metricsTotals<MetricsTotal>(history, {}, queries, reading)]);
  const [now = [], net = [], ...rest] = main.rows;
  const [past, pastNet = []] = other?.rows ?? [];
  const sameWeekdays = hasWeekdays ? rest.shift() : undefined;
  return {
    now,
    net: [...net, ...pastNet],
    sameWeekdays,
    recent: undefined,
    before: comparison && (past ?? rest[0] ?? []),
    guid: main.guid,
    asOf: main.asOf,
  };
}

/** The days of all restaurants that reports count, or of `only` one; `restaurants` is their number. */
export async function readGroupDays(
  period: Period,
  comparison: Period | undefined,
  restaurants: number,
  reading: ReportReading,
  only?: string,
): Promise<GroupDays> {
  if (restaurants * spanDays(historyOf(period, comparison)) > MOST_TOTALS)
    return readLargeGroup(period, comparison, restaurants, reading);
  const chosen = only ? [only] : undefined;
  return groupDaysOf(await readDays(period, comparison, chosen, reading), period, comparison);
}
