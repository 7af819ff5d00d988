/** Reports to export: the question of the report behind a screen, for the dates that the screen shows. */
import { type Ask, spanDays } from '@daypart/client';
import type { Period } from '../model/period.ts';
import { daypart, stepsOf } from './client.ts';
import { askReport, readTotals } from './question.ts';

/** The shortest range that covers the dates: not every family has a custom one. */
export function askOf({ start, end }: Period, restaurantIds: string[]) {
  const days = spanDays({ start, end });
  if (days === 1) return { range: 'day', start, restaurantIds } as const;
  return { range: days <= 7 ? 'week' : days <= 31 ? 'month' : 'year', start, end, restaurantIds } as const;
}

/**
 * The GUID of the report, once it is completed: cards read more dates than they show. `path` is that of its family,
 * `only` are the restaurants of a search, if there is one.
 */
export async function exportedReport(guid: string, path: `/${string}`, dates: Period, only: string[]): Promise<string> {
  const { body } = (await daypart.reports.status(guid)).request;
  const { restaurantIds = [], groupBy = [] } = body as { restaurantIds?: string[]; groupBy?: string[] };
  const ask: Ask = {
    ...askOf(dates, only.length > 0 ? only : restaurantIds),
    ...(groupBy.length > 0 ? { groupBy } : {}),
  };
  const reading = { signal: AbortSignal.timeout(120_000), onWaiting: () => undefined };
  const read = async (made: string): Promise<string> => (await readTotals(made, {}, reading)).guid;
  return await askReport(stepsOf<Ask>(path, true), path, ask, read, { forms: 'later' });
}
