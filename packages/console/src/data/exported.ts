/** Reports to export: the question of the report behind a screen, for the dates that the screen shows. */
import { type Ask, spanDays } from '@daypart/client';
import type { Filter, SourceField } from '../model/filter.ts';
import type { Period } from '../model/period.ts';
import { daypart, stepsOf } from './client.ts';
import { askReport, readTotals } from './question.ts';

/** The shortest range that covers the dates: not every family has a custom one. */
export function askOf({ start, end }: Period, restaurantIds: string[]) {
  const days = spanDays({ start, end });
  if (days === 1) return { range: 'day', start, restaurantIds } as const;
  return { range: days <= 7 ? 'week' : days <= 31 ? 'month' : 'year', start, end, restaurantIds } as const;
}

/** What an export has of the question of a report. */
interface ExportChoice {
  dates: Period;
  /** The restaurants of a search; empty for those of the report. */
  only: string[];
  /** What a click has chosen, by which the report is split then. */
  filter: Filter | undefined;
}

const GROUPS: Record<SourceField, string> = { diningOption: 'DINING_OPTION', orderSource: 'ORDER_SOURCE' };

/** The rows that a filter keeps, as `POST /session/downloads` takes them. */
export const rowsKept = ({ hours, field, value }: Filter) => ({
  ...(hours ? { businessHour: hours } : {}),
  ...(field ? { [field]: value } : {}),
});

/**
 * The GUID of the report, once it is completed: cards read more dates than they show. `path` is that of its family.
 */
export async function exportedReport(
  guid: string,
  path: `/${string}`,
  { dates, only, filter }: ExportChoice,
): Promise<string> {
  const { body } = (await daypart.reports.status(guid)).request;
  const { restaurantIds = [], ...own } = body as { restaurantIds?: string[]; groupBy?: string[] };
  const groupBy = filter?.field ? [GROUPS[filter.field]] : (own.groupBy ?? []);
  const ask: Ask = {
    ...askOf(dates, only.length > 0 ? only : restaurantIds),
    ...(groupBy.length > 0 ? { groupBy } : {}),
    ...(filter?.hours ? { aggregateBy: 'HOUR' } : {}),
  };
  const reading = { signal: AbortSignal.timeout(120_000), onWaiting: () => undefined };
  const read = async (made: string): Promise<string> => (await readTotals(made, {}, reading)).guid;
  return await askReport(stepsOf<Ask>(path, true), path, ask, read, { forms: 'later' });
}
