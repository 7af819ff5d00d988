/** The periods of a view. */
import { useMemo } from 'preact/hooks';
import { periodsOf, type View } from '../model/view.ts';

/** The same objects as long as the dates are the same: typing in a search changes the address too. */
export function usePeriods(view: View, latest: string): ReturnType<typeof periodsOf> {
  const periods = periodsOf(view, latest);
  return useMemo(() => periods, [JSON.stringify(periods)]);
}
