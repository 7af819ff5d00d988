/** Sums of a period beside those of its comparison, in as few reports as possible. */
import { contains, cover, lengthOf, type Period } from '../model/period.ts';
import { type Choice, type MetricsTotal, metricsTotals } from './metrics.ts';
import type { Reading } from './question.ts';

export interface Compared {
  now: MetricsTotal[];
  /** Undefined without comparison. */
  before: MetricsTotal[] | undefined;
  /** The report of the period, which may hold the comparison too. */
  guid: string;
  asOf: string | null;
}

/** Hours are reported for at most 31 dates; over more dates two reports are smaller than one. */
const TOGETHER_DAYS = 31;

/** Sums by `field` of the period, and of its comparison where it has one. */
export async function compare(
  period: Period,
  comparison: Period | undefined,
  choice: Choice,
  field: string,
  reading: Reading,
): Promise<Compared> {
  const whole = cover(period, comparison);
  if (comparison && lengthOf(whole) <= TOGETHER_DAYS) {
    const { guid, asOf, rows } = await metricsTotals(whole, choice, ['businessDate', field], reading);
    const within = (some: Period) => rows.filter(({ businessDate }) => contains(some, businessDate));
    return { now: within(period), before: within(comparison), guid, asOf };
  }
  const [now, before] = await Promise.all([
    metricsTotals(period, choice, [field], reading),
    comparison && metricsTotals(comparison, choice, [field], reading),
  ]);
  return { now: now.rows, before: before?.rows, guid: now.guid, asOf: now.asOf };
}
