/** Texts about a day in progress. */

import type { PartialDay } from '../model/partial-day.ts';
import { isDay, type Periods, sayPeriod } from '../model/period.ts';

/** A mark beside a date that is not over. */
export const PartialDayTag = ({ partialDay }: { partialDay: PartialDay | undefined }) =>
  partialDay ? <span class="tag warn">so far</span> : null;

/** Below what is not limited to the hours of a day in progress: a day is not compared, a longer period is. */
export const sayWhole = (partialDay: PartialDay | undefined, { period, comparison }: Periods): string | undefined =>
  partialDay && comparison && `So far, ${isDay(period) ? 'not compared' : 'beside the whole of the comparison'}`;

interface NoteProps extends Periods {
  /** Undefined if the period is over. */
  partialDay: PartialDay | undefined;
  /** The number of restaurants that are shown. */
  restaurants: number;
  /** Whether the comparison contains only the hours that are over in both. */
  sameHours?: boolean;
}

/** Whether the day is still in progress, and what the changes compare. */
export function sayPartialDay({
  partialDay,
  restaurants,
  period,
  comparison,
  sameHours = false,
}: NoteProps): string | undefined {
  if (!partialDay) return undefined;
  const { running } = partialDay;
  const where = running.size === 1 ? '1 restaurant' : `${running.size} restaurants`;
  const day = `So far: the last date is not over${running.size < restaurants ? ` at ${where}` : ''}`;
  if (!comparison) return `${day}.`;
  if (!sameHours) return `${day}, and is ${isDay(period) ? 'not compared' : 'compared with a whole date'}.`;
  return `${day}. Changes are of the hours that are over, beside the same hours of ${sayPeriod(comparison)}.`;
}
