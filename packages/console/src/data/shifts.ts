/** The shifts of an employee: the time entries that count in labor. */
import { splitSpan, type TimeEntryPage, type TimeEntryRecord } from '@daypart/client';
import { daypart } from './client.ts';
import type { LaborTotal } from './labor.ts';
import type { ReportReading } from './question.ts';

/** A shift, and the GUID of its restaurant. */
export interface Shift {
  restaurantGuid: string;
  entry: TimeEntryRecord;
}

/** The service lists the shifts of at most so many dates at once. */
const MOST_DATES = 31;

/** The pages of some dates of a restaurant. */
async function readSpan(
  restaurantGuid: string,
  employee: string | null,
  { start, end }: { start: string; end: string },
  { signal }: ReportReading,
): Promise<Shift[]> {
  const shifts: Shift[] = [];
  const query = new URLSearchParams({ from: start, to: end, limit: '1000' });
  if (employee) query.set('employee', employee);
  for (let cursor: string | null = ''; cursor !== null; ) {
    if (cursor) query.set('cursor', cursor);
    const path = `/restaurants/${restaurantGuid}/time-entries?${query}`;
    const page: TimeEntryPage = await daypart.request('GET', path, { signal });
    for (const entry of page.timeEntries)
      if ((entry.employeeGuid ?? null) === employee) shifts.push({ restaurantGuid, entry });
    cursor = page.nextCursor;
  }
  return shifts;
}

/**
 * The shifts of an employee (null for those without one) by restaurant and date. `worked` are the restaurants and dates
 * with hours of the employee, by a labor report: nothing else is read.
 */
export async function readShifts(
  employee: string | null,
  worked: readonly LaborTotal[],
  reading: ReportReading,
): Promise<Shift[]> {
  const shifts: Shift[] = [];
  for (const [guid = '', rows] of Map.groupBy(worked, ({ restaurantGuid }) => restaurantGuid)) {
    const dates = rows.map(({ businessDate = '' }) => businessDate).sort();
    for (const span of splitSpan(dates[0] ?? '', dates.at(-1) ?? '', MOST_DATES))
      if (dates.some((date) => date >= span.start && date <= span.end))
        shifts.push(...(await readSpan(guid, employee, span, reading)));
  }
  return shifts;
}
