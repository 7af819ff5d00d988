/** Figures of a day in progress, beside the same hours of its comparison. */
import { spanDays } from '@daypart/client';
import { useMemo } from 'preact/hooks';
import { weekdayOf } from '../model/dates.ts';
import type { Sides } from '../model/like-for-like.ts';
import { cover, type Period } from '../model/period.ts';
import { overIn, type SoFar, soFarOf } from '../model/so-far.ts';
import { MOST_HOUR_DAYS, mixChoice } from './compared.ts';
import { useGroup } from './group.ts';
import { useLoad } from './load.ts';
import { type MetricsTotal, metricsTotals } from './metrics.ts';
import type { Restaurant } from './restaurants.ts';

/** The compared figures. All figures by hour and restaurant would be as many bytes as the rest of the overview. */
const COMPARED = [
  ...['guestCount', 'ordersCount', 'netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount'],
  ...['hourlyJobTotalHours', 'hourlyJobTotalPay'],
];
const REST = { openOrderCount: 0, refundAmount: 0 };

/** For more restaurants, two dates of 24 hours would exceed the 10,000 rows of one answer. */
const MOST_RESTAURANTS = 200;

/** If the dates are a week apart, the rows of the six dates between them, four fifths of the answer, are not requested. */
function sameWeekday({ end }: Period, compared: Period | undefined): { weekday?: ReturnType<typeof weekdayOf> } {
  const weekday = weekdayOf(end);
  return compared && weekdayOf(compared.end) === weekday ? { weekday } : {};
}

const MINUTE_MS = 60_000;

export interface SoFarLoad {
  /** Undefined if the period is over. */
  soFar: SoFar | undefined;
  /** The hours that are over in both; undefined if whole days are compared. */
  sides: Sides | undefined;
  /** Whether hours are being read. */
  loading: boolean;
}

/** Whether a period is still in progress, and which part of it can be compared. */
export function useSoFar(
  restaurants: readonly Restaurant[],
  period: Period,
  comparison: Period | undefined,
  restaurantGuid?: string,
): SoFarLoad {
  const { watermark } = useGroup();
  const minute = Math.floor(Date.now() / MINUTE_MS);
  const soFar = useMemo(() => soFarOf(restaurants, period.end, minute * MINUTE_MS), [restaurants, period.end, minute]);
  const whole = cover(period, comparison);
  const single = spanDays(period) === 1 && spanDays(whole) <= MOST_HOUR_DAYS && restaurants.length <= MOST_RESTAURANTS;
  const compared = soFar && single ? comparison : undefined;
  const key = compared && `so far ${JSON.stringify([period, compared, restaurantGuid])} ${watermark}`;
  const load = useLoad(key, async (reading) => {
    const query = {
      by: ['restaurant', 'businessDate', 'businessHour'],
      fields: COMPARED,
      ...sameWeekday(period, compared),
    };
    const { rows } = await metricsTotals<MetricsTotal>(whole, mixChoice(period, restaurantGuid), [query], reading);
    return rows.flat().map((row) => ({ ...REST, ...row }));
  });
  const rows = load.stale ? undefined : load.data;
  const sides = useMemo(
    () => (soFar && compared && rows ? overIn(rows, soFar, period, compared) : undefined),
    [soFar, rows, key],
  );
  return {
    soFar,
    sides,
    loading: key !== undefined && rows === undefined && load.error === undefined,
  };
}
