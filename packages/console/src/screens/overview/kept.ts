/** The figures of the overview with what a filter keeps. */
import { useMemo } from 'preact/hooks';
import type { GroupDays } from '../../data/days.ts';
import { refusalOf, useFiltered, useFilteredWeeks } from '../../data/filtered.ts';
import { useGroup } from '../../data/group.ts';
import { type PartialDayLoad, usePartialDay } from '../../data/partial-day.ts';
import type { LoadOf } from '../../data/periods.ts';
import { sayUnfiltered } from '../../features/filter.tsx';
import { type Filter, HOURS_LIMIT } from '../../model/filter.ts';
import type { Periods } from '../../model/period.ts';
import { WEEKS_DAYS } from './weeks-card.tsx';

/** Lines in place of what cannot be filtered, by card. */
export interface Unfiltered {
  figures: string | undefined;
  deviations: string | undefined;
  weeks: string | undefined;
  /** In place of the labour of dining options and order sources. */
  labour: string | undefined;
}

export interface Kept<A> extends PartialDayLoad {
  load: LoadOf<GroupDays, A>;
  unfiltered: Unfiltered | undefined;
}

/** `days` is what there is without a filter. */
export function useKept<A extends Periods>(
  filter: Filter | undefined,
  periods: Periods,
  days: LoadOf<GroupDays, A>,
): Kept<A> {
  const group = useGroup();
  const { period, comparison } = days.shown;
  const progress = usePartialDay(group.used, period, comparison, group.only);
  const { partialDay } = progress;
  const sameHours = progress.sides !== undefined || progress.loading;
  const kept = useFiltered(filter, periods, sameHours);
  const weeks = useFilteredWeeks(filter, period.end, WEEKS_DAYS);
  const refused = filter && refusalOf(filter, [period, comparison], group.used.length);
  const net = filter?.hours ? NONE : weeks.data;
  const data = useMemo(
    () =>
      days.data && kept.data && net
        ? {
            ...days.data,
            now: kept.data.now,
            before: kept.data.before,
            net,
            recent: undefined,
            sameWeekdays: undefined,
          }
        : undefined,
    [days.data, kept.data, net],
  );
  const sides = useMemo(() => {
    if (!partialDay || !sameHours || !data?.before) return undefined;
    const [now, before] = [data.now, data.before].map((rows) =>
      rows.filter(({ restaurantGuid, businessHour }) => partialDay.isOver(restaurantGuid, Number(businessHour))),
    );
    return now && before && { now, before };
  }, [data, partialDay, sameHours]);
  const unfiltered = filter && {
    figures: refused && sayUnfiltered(filter, refused),
    deviations: sayUnfiltered(filter, 'whole days are compared'),
    weeks: filter.hours && sayUnfiltered(filter, HOURS_LIMIT),
    labour: filter.field && 'not split',
  };
  if (!filter || refused) return { load: days, unfiltered, ...progress };
  const error = days.error ?? kept.error ?? weeks.error;
  const stale = days.stale || kept.stale || weeks.stale;
  const dimmed = days.dimmed ?? kept.dimmed ?? weeks.dimmed;
  return { load: { ...days, data, error, stale, dimmed }, unfiltered, ...progress, sides };
}

const NONE: [] = [];
