/**
 * Figures of what a filter keeps. No report is filtered on the wire: one that is split is read, and its rows chosen.
 */
import { addDays, spanDays } from '@daypart/client';
import { useMemo } from 'preact/hooks';
import { type Filter, HOURS_LIMIT, keeps } from '../model/filter.ts';
import type { Period, Periods } from '../model/period.ts';
import { type Compared, compareApart, MOST_HOUR_DAYS, mixChoice } from './compared.ts';
import { MOST_TOTALS } from './days.ts';
import { useGroup } from './group.ts';
import type { Load } from './load.ts';
import { FIGURES, type MetricsTotal, metricsTotals, NET, type NetTotal } from './metrics.ts';
import { type LoadOf, useLoadOf } from './periods.ts';

/** A generous number of dining options or order sources of a restaurant. */
const MOST_SOURCES = 8;

/** The answer with the rows of both periods for which `keep` returns true. */
export function chosenOf<T extends NetTotal, L extends Load<Compared<T>>>(load: L, keep: (row: T) => boolean): L {
  const { data } = load;
  if (!data) return load;
  const { now, before } = data;
  return { ...load, data: { ...data, now: now.filter(keep), before: before?.filter(keep) } };
}

/** Why figures of all restaurants cannot be filtered; undefined if they can. */
export function refusalOf(filter: Filter, periods: (Period | undefined)[], restaurants: number): string | undefined {
  if (filter.hours && periods.some((some) => some && spanDays(some) > MOST_HOUR_DAYS)) return HOURS_LIMIT;
  const rows = restaurants * (filter.hours ? 24 : 1) * (filter.field ? MOST_SOURCES : 1);
  return rows > MOST_TOTALS ? 'there are too many restaurants, choose one' : undefined;
}

/** Labour belongs to a restaurant and a time: in rows by dining option or order source it is null. */
const withoutLabour = (row: MetricsTotal): MetricsTotal => ({
  ...row,
  hourlyJobTotalHours: row.hourlyJobTotalHours ?? '0',
  hourlyJobTotalPay: row.hourlyJobTotalPay ?? '0',
});

/** What the rows are of: a row of another filter may not be split by what this one keeps. */
interface SplitBy extends Periods {
  by: string[];
}

/**
 * All figures of what the filter keeps, by restaurant, or of one restaurant by date; with `hourly` by hour too. Loads
 * nothing without a filter.
 */
export function useFiltered(
  filter: Filter | undefined,
  periods: Periods,
  hourly: boolean,
  restaurantGuid?: string,
): LoadOf<Compared<MetricsTotal>, SplitBy> {
  const { only, used } = useGroup();
  const { period, comparison } = periods;
  const guid = restaurantGuid ?? only;
  const refused = filter && refusalOf(filter, [period, comparison], guid ? 1 : used.length);
  const wanted = filter && !refused;
  const by = [
    restaurantGuid ? 'businessDate' : 'restaurant',
    ...(filter?.hours || hourly ? ['businessHour'] : []),
    ...(filter?.field ? [filter.field] : []),
  ];
  const load = useLoadOf(wanted ? `filtered ${guid}` : undefined, { ...periods, by }, async (reading) => {
    const query = { by, fields: FIGURES };
    const answer = await compareApart<MetricsTotal>(period, comparison, mixChoice(period, guid), query, reading);
    const complete = (row: MetricsTotal) => withoutLabour(restaurantGuid ? { ...row, restaurantGuid } : row);
    return { ...answer, now: answer.now.map(complete), before: answer.before?.map(complete) };
  });
  const isSplit = String(load.shown.by) === String(by);
  const data = useMemo(
    () => (wanted && isSplit ? chosenOf(load, (row) => keeps(filter, row)).data : undefined),
    [wanted, isSplit, filter, load.data],
  );
  return { ...load, data };
}

/** Net sales by date of what a filter of dining options or order sources keeps, over the dates before `end` too. */
export function useFilteredWeeks(filter: Filter | undefined, end: string, days: number): Load<NetTotal[]> {
  const { only } = useGroup();
  const field = filter?.hours ? undefined : filter?.field;
  const period = { start: addDays(end, 1 - days), end };
  const of = { period, by: [field ?? ''] };
  const load = useLoadOf(field && `filtered weeks ${only}`, of, async (reading) => {
    const query = { by: ['businessDate', ...of.by], fields: NET };
    const { rows } = await metricsTotals<NetTotal>(period, mixChoice(period, only), [query], reading);
    return rows.flat();
  });
  const isSplit = load.shown.by[0] === field;
  const data = useMemo(
    () => (filter && field && isSplit ? load.data?.filter((row) => keeps(filter, row)) : undefined),
    [filter, field, isSplit, load.data],
  );
  return { ...load, data };
}
