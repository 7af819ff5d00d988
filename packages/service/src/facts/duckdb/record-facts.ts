/** Reads single records: the same statements over the tables of the embedded facts, or over what is fetched of them. */
import type { Bounds } from '../bounds.ts';
import type { RecordFacts } from '../facts.ts';
import type { CountingEntry, EntryQuery } from '../shift.ts';
import type { Row, Step } from './protocol.ts';
import { rowsOf } from './row-types.ts';
import { part, step } from './steps.ts';

const BOUNDS: Bounds = { deadlineMs: 30_000 };

/** Steps, and the restaurant and business dates (YYYYMMDD, inclusive) whose rows they read. */
export interface RecordsWork {
  steps: Step[];
  restaurants: readonly number[];
  from: number;
  to: number;
}

function entriesStep(restaurant: number, { from, to, employee, after, limit }: EntryQuery): Step {
  const values = {
    restaurant,
    from,
    to,
    limit,
    ...(employee !== undefined && { employee }),
    ...(after && { afterDate: after.business_date, afterIn: after.in_at, afterGuid: after.entry_guid }),
  };
  return step('timeEntries', values, {
    ofEmployee: employee === undefined ? '' : part('ofEmployee'),
    afterEntry: after ? part('afterEntry') : '',
  });
}

/** `read` returns the rows of each step. */
export function recordFacts(read: (work: RecordsWork, bounds: Bounds) => Promise<Row[][]>): RecordFacts {
  return {
    async timeEntries(restaurant, query): Promise<CountingEntry[]> {
      const { from, to } = query;
      const steps = [entriesStep(restaurant, query)];
      const [rows] = await read({ steps, restaurants: [restaurant], from, to }, BOUNDS);
      return rowsOf('timeEntries', rows);
    },
  };
}
