/** Reports of sales metrics, as rows and as sums. */
import { type MetricsAsk, type MetricsFigures, metricsRecord } from '@daypart/client';
import type { Period } from '../model/period.ts';
import { daypart } from './client.ts';
import { type Answer, askReport, type Reading, readRows, readTotals } from './question.ts';

export type MetricsAnswer = Answer<ReturnType<typeof metricsRecord>>;

/** A sum over restaurants of one currency. Labour is null where it cannot be split, as by dining option. */
export type MetricsTotal = MetricsFigures & {
  currencyCode: string | null;
  weekday?: number | string;
  businessHour?: string | null;
  diningOption?: string | null;
  orderSource?: string | null;
};

export type Choice = Pick<MetricsAsk, 'groupBy' | 'aggregateBy' | 'restaurantIds'>;

function askOf({ start, end }: Period, choice: Choice): MetricsAsk {
  return start === end ? { range: 'day', start, ...choice } : { range: 'custom', start, end, ...choice };
}

/** The rows of a report of the period. */
export function metricsRows(period: Period, choice: Choice, reading: Reading): Promise<MetricsAnswer> {
  const read = (guid: string) => readRows(daypart.metrics, guid, metricsRecord, reading);
  return askReport(daypart.metrics, '/metrics', askOf(period, choice), reading.signal, read);
}

/** The sums of a report of the period by one or two fields. */
export function metricsTotals(
  period: Period,
  choice: Choice,
  by: string[],
  reading: Reading,
): Promise<Answer<MetricsTotal>> {
  const read = (guid: string) => readTotals<MetricsTotal>(guid, by, reading);
  return askReport(daypart.metrics, '/metrics', askOf(period, choice), reading.signal, read);
}
