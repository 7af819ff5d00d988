/** The dates of a restaurant with what a filter keeps. */
import type { Days } from '../../data/days.ts';
import { refusalOf, useFiltered } from '../../data/filtered.ts';
import type { PartialDayLoad } from '../../data/partial-day.ts';
import type { LoadOf } from '../../data/periods.ts';
import { sayUnfiltered } from '../../features/filter.tsx';
import type { Filter } from '../../model/filter.ts';
import type { Sides } from '../../model/like-for-like.ts';
import type { Periods } from '../../model/period.ts';

interface KeptDays {
  load: LoadOf<Days, Periods>;
  /** Why they cannot be filtered; undefined if they can. */
  refused: string | undefined;
  sides: Sides | undefined;
}

/** `days` is what there is without a filter. */
export function useKeptDays(
  filter: Filter | undefined,
  periods: Periods,
  { days, progress, guid }: { days: LoadOf<Days, Periods>; progress: PartialDayLoad; guid: string },
): KeptDays {
  const { partialDay, loading } = progress;
  const sameHours = progress.sides !== undefined || loading;
  const kept = useFiltered(filter, periods, sameHours, guid);
  const refused = filter && refusalOf(filter, [periods.period, periods.comparison], 1);
  if (!filter || refused)
    return { load: days, refused: filter && refused && sayUnfiltered(filter, refused), sides: progress.sides };
  const { data } = kept;
  const over = (rows: NonNullable<typeof data>['now']) =>
    rows.filter(({ businessHour }) => partialDay?.isOver(guid, Number(businessHour)));
  const { now = [], before } = data ?? {};
  const sides = sameHours && before ? { now: over(now), before: over(before) } : undefined;
  return {
    load: { ...kept, data: data && { guid: data.guid, asOf: data.asOf, rows: [...now, ...(before ?? [])] } },
    refused: undefined,
    sides,
  };
}
