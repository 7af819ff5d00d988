/** Figures of a day in progress, beside the same hours of its comparison. */
import { spanDays } from '@daypart/client';
import { useMemo } from 'preact/hooks';
import { weekdayOf } from '../model/dates.ts';
import type { Sides } from '../model/like-for-like.ts';
import { overIn, type PartialDay, partialDayOf } from '../model/partial-day.ts';
import { cover, type Period } from '../model/period.ts';
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

/**
 * If the dates are a week apart, the rows of the six dates between them, four fifths of the answer, are not requested.
 */
function sameWeekday({ end }: Period, compared: Period | undefined): { weekday?: ReturnType<typeof weekdayOf> } {
  const weekday = weekdayOf(end);
  return compared && weekdayOf(compared.end) === weekday ? { weekday } : {};
}

const MINUTE_MS = 60_000;

export interface PartialDayLoad {
  /** Undefined if the period is over. */
  partialDay: PartialDay | undefined;
  /** The hours that are over in both; undefined if whole days are compared. */
  sides: Sides | undefined;
  /** Whether hours are being read. */
  loading: boolean;
}

/** Whether a period is still in progress, and which part of it can be compared. */
export function usePartialDay(
  restaurants: readonly Restaurant[],
  period: Period,
  comparison: Period | undefined,
  restaurantGuid?: string,
): PartialDayLoad {
  const { watermark } = useGroup();
  const minute = Math.floor(Date.now() / MINUTE_MS);
  const partialDay = useMemo(
    () => partialDayOf(restaurants, period.end, minute * MINUTE_MS),
    [restaurants, period.end, minute],
  );
  const whole = cover(period, comparison);
  const single = spanDays(period) === 1 && spanDays(whole) <= MOST_HOUR_DAYS && restaurants.length <= MOST_RESTAURANTS;
  const compared = partialDay && single ? comparison : undefined;
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
    () => (partialDay && compared && rows ? overIn(rows, partialDay, period, compared) : undefined),
    [partialDay, rows, key],
  );
  return {
    partialDay,
    sides,
    loading: key !== undefined && rows === undefined && load.error === undefined,
  };
}
