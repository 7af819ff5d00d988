/** How long reading the past takes: announced to somebody who is about to connect. */

import type { ConnectionSource, SourceContext } from '@daypart/client/source';
import { RESTAURANT_MS } from './call-limits.ts';

/** Reading so many dates before today takes about so many seconds. */
export interface PastTime {
  days: number;
  seconds: number;
}

/** Dates before today that are offered: weeks, up to two years. 84 is what the vendor advises. */
const OFFERED = [0, 28, 84, 182, 364, 728];
/** Calls of a restaurant before those of its past: changes, names, menus and the current date. */
const FIRST_CALLS = 10;

/** The number of calls in which a source reads the orders of a business date (YYYYMMDD). Throws SourceError. */
export async function callsOfDate(
  { orders }: Pick<ConnectionSource, 'orders'>,
  context: SourceContext,
  date: number,
): Promise<number> {
  let calls = 0;
  const counting: SourceContext = Object.assign({}, context, {
    request(...question: Parameters<SourceContext['request']>) {
      calls += 1;
      return context.request(...question);
    },
  });
  for await (const _ of orders.dates(counting, date, date));
  return Math.max(1, calls);
}

/**
 * How long the past of so many restaurants takes, by the number of dates, if each date takes so many calls: at the pace
 * of one restaurant, or at that of the connection where there are many.
 */
export function pastTimes(
  { orders, timeEntries, requestsPerSecond }: ConnectionSource,
  { restaurants, calls }: { restaurants: number; calls: number },
): PastTime[] {
  const { afterDays = 0, everySeconds = 0 } = orders.past ?? {};
  const atOnce = timeEntries?.datesAtOnce ?? Number.POSITIVE_INFINITY;
  const callsOf = (days: number): number => Math.ceil(days / orders.datesAtOnce) * calls;
  return OFFERED.map((days) => {
    const ofAll = callsOf(days) + Math.ceil(days / atOnce) + FIRST_CALLS;
    const spaced = orders.past ? callsOf(Math.max(0, days - afterDays)) : 0;
    const ofOne = ((ofAll - spaced) * RESTAURANT_MS) / 1000 + spaced * Math.max(RESTAURANT_MS / 1000, everySeconds);
    return { days, seconds: Math.ceil(Math.max(ofOne, (ofAll * restaurants) / requestsPerSecond.usual)) };
  });
}
