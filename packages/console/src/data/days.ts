/** Rows by day: the period, its comparison, and the weeks before that say what is usual. */
import { addDays } from '@daypart/client';
import type { Row } from '../model/figures.ts';
import { contains, cover, LONGEST_DAYS, lengthOf, type Period } from '../model/period.ts';
import { metricsRows } from './metrics.ts';
import type { Reading } from './question.ts';

export interface Days {
  /** All rows that were loaded. */
  rows: Row[];
  /** The dates that `rows` reach over without a gap, up to the end of the period. */
  history: Period;
  guid: string;
  asOf: string | null;
}

/** 13 weeks: a quarter. */
const HISTORY_DAYS = 91;

/** The dates to load for a period: its own and 13 weeks before its end, at most 366. */
export function historyOf(period: Period, comparison: Period | undefined): Period {
  const weeks = cover(period, { start: addDays(period.end, 1 - HISTORY_DAYS), end: period.end });
  const all = cover(weeks, comparison);
  return lengthOf(all) <= Math.max(HISTORY_DAYS * 2, lengthOf(weeks)) && lengthOf(all) <= LONGEST_DAYS ? all : weeks;
}

/** Rows by restaurant and day; a comparison too far back is a report of its own. */
export async function readDays(
  period: Period,
  comparison: Period | undefined,
  restaurantIds: string[] | undefined,
  reading: Reading,
): Promise<Days> {
  const history = historyOf(period, comparison);
  const choice = restaurantIds ? { restaurantIds } : {};
  const apart = comparison && comparison.start < history.start ? comparison : undefined;
  const [main, other] = await Promise.all([
    metricsRows(history, choice, reading),
    apart && metricsRows(apart, choice, reading),
  ]);
  const rows = other
    ? [...other.rows.filter(({ businessDate }) => !contains(history, businessDate)), ...main.rows]
    : main.rows;
  return { rows, history, guid: main.guid, asOf: main.asOf };
}
