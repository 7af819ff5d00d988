/** Reports of sales metrics, as sums that the service computes. */
import type { MetricsAsk } from '@daypart/client';
import type { FigureRow } from '../model/figures.ts';
import type { Period } from '../model/period.ts';
import { stepsOf } from './client.ts';
import { type Answer, askReport, type Query, type ReportReading, readTotals } from './question.ts';

/** Net sales over restaurants of one currency. */
export interface NetTotal {
  currencyCode: string | null;
  netSalesAmount: number;
  restaurantGuid?: string;
  businessDate?: string | undefined;
  businessHour?: string | null | undefined;
  diningOption?: string | null;
  orderSource?: string | null;
}

/** A sum in one currency with all figures: of a restaurant, a date, an hour or a weekday, according to the query. */
export type MetricsTotal = FigureRow & NetTotal & { weekday?: number | string };

export type Choice = Pick<MetricsAsk, 'groupBy' | 'aggregateBy' | 'restaurantIds'>;

/** The figures that are added up; ratios are computed from them. */
export const FIGURES = [
  ...['guestCount', 'ordersCount', 'openOrderCount'],
  ...['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'],
  ...['hourlyJobTotalHours', 'hourlyJobTotalPay'],
];
/** Figures that no screen shows are not requested, which saves a tenth of the bytes of the overview. */
const NOT_SHOWN = { voidOrdersCount: 0, discountOrderCount: 0, closedOrderCount: 0 };
/** For charts of sales, which need a tenth of the bytes. */
export const NET = ['netSalesAmount'];

const METRICS = stepsOf<MetricsAsk>('/metrics', true);

/** Sums of a report of the period, one list for each query. */
export async function metricsTotals<T extends NetTotal>(
  { start, end }: Period,
  choice: Choice,
  queries: readonly Query[],
  reading: ReportReading,
): Promise<Answer<T[]>> {
  const ask: MetricsAsk =
    start === end ? { range: 'day', start, ...choice } : { range: 'custom', start, end, ...choice };
  const read = async (guid: string): Promise<Answer<T[]>> => {
    const answers = await Promise.all(queries.map((query) => readTotals<T>(guid, query, reading)));
    const rows = answers.map((answer) => answer.rows.map((row) => ({ ...NOT_SHOWN, ...row })));
    return { guid, asOf: answers[0]?.asOf ?? null, rows };
  };
  return askReport(METRICS, '/metrics', ask, read, { forms: 'later' });
}
