/** The periods of a view, and what is loaded for them. */
import { useMemo } from 'preact/hooks';
import { type Periods, sayStill } from '../model/period.ts';
import { periodsOf, type View } from '../model/view.ts';
import { useGroup } from './group.ts';
import { type Load, useLoad } from './load.ts';
import type { ReportReading } from './question.ts';

/** The same objects as long as the dates are the same: typing in a search changes the address too. */
export function usePeriods(view: View, latest: string): ReturnType<typeof periodsOf> {
  const periods = periodsOf(view, latest);
  return useMemo(() => periods, [JSON.stringify(periods)]);
}

/** Data with what they are of, by which they are drawn: their legends are not those of what is still being loaded. */
export interface LoadOf<T, A> extends Load<T> {
  /** What `data` are of; without data, what is being loaded. */
  shown: A;
  dimmed: string | undefined;
}

/** Loads the data of some dates; `about` is all that they depend on, besides what is loaded for the group. */
export function useLoadOf<T, A extends Periods>(
  name: string | undefined,
  about: A,
  read: (reading: ReportReading) => Promise<T>,
): LoadOf<T, A> {
  const { watermark, only } = useGroup();
  const wanted = JSON.stringify([about, only]);
  const load = useLoad(name && `${name} ${wanted} ${watermark}`, async (reading) => ({
    data: await read(reading),
    about,
    wanted,
  }));
  const { data } = load;
  const shown = data?.about ?? about;
  // The same dates after a load are not dimmed: their figures are right until others arrive.
  const isRight = !load.stale || (load.error === undefined && (data?.wanted ?? wanted) === wanted);
  const dimmed = isRight ? undefined : sayStill(shown, about);
  return { ...load, data: data?.data, shown, dimmed };
}
