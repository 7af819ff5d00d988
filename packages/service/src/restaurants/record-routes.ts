/** Single records over HTTP: docs/contract.md#stored-records. */
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { findRestaurant } from '../access/restaurant.ts';
import { datesIn } from '../contract/dates.ts';
import { fieldProblem } from '../contract/problems.ts';
import { shownTime } from '../contract/time.ts';
import type { CountingEntry, EntryQuery } from '../facts/shift.ts';
import { queryOf } from '../http/query-parameters.ts';
import {
  entryCursor,
  entryCursorOf,
  entryDates,
  entryEmployee,
  listTimeEntries,
  MOST_ENTRY_DATES,
  timeEntriesOnPage,
} from './record-operations.ts';
import type { RestaurantDeps } from './routes.ts';

interface OneRestaurant {
  Params: { restaurantGuid: string };
}

const PAGE = 200;

/** Reads the query of the list. Throws a Problem that names the parameter. */
function readEntryQuery(query: Record<string, unknown>): EntryQuery {
  const { from, to = from } = entryDates.read(query);
  if (from === undefined || to === undefined) throw fieldProblem('invalid_parameter', 'from', 'from is required.');
  const dates = datesIn(from, to);
  if (dates > MOST_ENTRY_DATES) {
    const message = `The span has ${dates} dates; time entries are listed of at most ${MOST_ENTRY_DATES} dates.`;
    throw fieldProblem('span_too_long', 'to', message);
  }
  const employee = entryEmployee.read(query)?.toLowerCase();
  return { from, to, employee, after: entryCursor.read(query), limit: timeEntriesOnPage.read(query) ?? PAGE };
}

const hours = (micro: number): number => micro / 1_000_000;
const money = (cents: number): number => cents / 100;

/** A record of GET /restaurants/{guid}/time-entries. */
function entryAnswer(entry: CountingEntry) {
  const { regular_micro: regular, overtime_micro: overtime, regular_cents: cost, overtime_cents: overtimeCost } = entry;
  return {
    guid: entry.entry_guid,
    businessDate: String(entry.business_date),
    inDate: shownTime(entry.in_at),
    outDate: shownTime(entry.out_at),
    employeeGuid: entry.employee_guid,
    jobGuid: entry.job_guid,
    jobTitle: entry.job_title,
    regularHours: hours(regular),
    overtimeHours: hours(overtime),
    totalHours: hours(regular + overtime),
    regularCost: money(cost),
    overtimeCost: money(overtimeCost),
    totalCost: money(cost + overtimeCost),
  };
}

/** Mounts the routes under the base. */
export async function recordRoutes(app: FastifyInstance, { ledger, facts }: RestaurantDeps): Promise<void> {
  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid/time-entries',
    { config: { operation: listTimeEntries } },
    async (request) => {
      const { id } = await findRestaurant(ledger, callerOf(request).group, request.params.restaurantGuid);
      const query = readEntryQuery(queryOf(request));
      // One more than requested shows whether there is another page.
      const found = await facts.timeEntries(id, { ...query, limit: query.limit + 1 });
      const entries = found.slice(0, query.limit);
      const last = found.length > query.limit ? entries.at(-1) : undefined;
      return { timeEntries: entries.map(entryAnswer), nextCursor: last ? entryCursorOf(last) : null };
    },
  );
}
