/** Reads single records: the same statements over the tables of the embedded facts, or over what is fetched of them. */
import type { Bounds } from '../bounds.ts';
import type { RecordFacts } from '../facts.ts';
import { orderDateOf, type StoredCheck } from '../order.ts';
import type { CountingEntry, EntryQuery } from '../shift.ts';
import { checkedGuid } from './literals.ts';
import type { EngineRow, Step } from './protocol.ts';
import { rowsOf, type StatementRow } from './row-types.ts';
import { fragment, step } from './steps.ts';

const BOUNDS: Bounds = { deadlineMs: 30_000 };

/** Steps, and the restaurant and business dates (YYYYMMDD, inclusive) whose rows they read. */
interface RecordsWork {
  steps: Step[];
  restaurants: readonly number[];
  from: number;
  to: number;
  /** As `FamilySql.dates`. */
  dates?: Readonly<Record<string, string | null>>;
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
    ofEmployee: employee === undefined ? '' : fragment('ofEmployee'),
    afterEntry: after ? fragment('afterEntry') : '',
  });
}

/** The tables of the parts of a check. */
const RECORD_TABLES = ['checks', 'lines', 'card_payments', 'refunds'] as const;
const REFUND_DATE = orderDateOf('refunds');
const [FIRST, LAST] = [10000101, 99991231];
/** How often a check is looked for that a load moves to another date meanwhile. */
const MOST_MOVES = 5;

/** The rows that suffice for a step about a check. */
const onlyOf = (check: string): Step['only'] =>
  Object.fromEntries(RECORD_TABLES.map((table) => [table, `check_guid = '${checkedGuid(check)}'`]));

const findStep = (restaurant: number, check: string): Step => ({
  ...step('findCheck', { restaurant, check }),
  only: onlyOf(check) ?? {},
});

function checkSteps(restaurant: number, check: string, found: StatementRow<'findCheck'>): Step[] {
  const values = { restaurant, check, order: found.order_guid, date: found.business_date };
  const words = {
    ofCheck: fragment('ofCheck', { date: orderDateOf('checks') }),
    ofRefunds: fragment('ofCheck', { date: REFUND_DATE }),
  };
  const only = onlyOf(check) ?? {};
  return ['checkFound', 'checkItems', 'checkPayments', 'checkRefunds'].map((name) => ({
    ...step(name, values, words),
    only,
  }));
}

/** `read` returns the rows of each step. */
export function recordFacts(read: (work: RecordsWork, bounds: Bounds) => Promise<EngineRow[][]>): RecordFacts {
  return {
    async timeEntries(restaurant, query): Promise<CountingEntry[]> {
      const { from, to } = query;
      const steps = [entriesStep(restaurant, query)];
      const [rows] = await read({ steps, restaurants: [restaurant], from, to }, BOUNDS);
      return rowsOf('timeEntries', rows);
    },
    async check(restaurant, guid): Promise<StoredCheck | undefined> {
      const restaurants = [restaurant];
      for (let turn = 0; turn < MOST_MOVES; turn++) {
        const steps = [findStep(restaurant, guid)];
        const [found] = rowsOf('findCheck', (await read({ steps, restaurants, from: FIRST, to: LAST }, BOUNDS))[0]);
        if (!found) return undefined;
        const [from, to] = [found.business_date, found.business_date];
        const dates = { refunds: REFUND_DATE };
        const work = { steps: checkSteps(restaurant, guid, found), restaurants, from, to, dates };
        const [checks, items, payments, refunds] = await read(work, BOUNDS);
        const [check] = rowsOf('checkFound', checks);
        if (check) {
          return {
            check,
            items: rowsOf('checkItems', items),
            payments: rowsOf('checkPayments', payments),
            refunds: rowsOf('checkRefunds', refunds),
          };
        }
      }
      throw new Error(`check ${guid} of restaurant ${restaurant} is moved again and again`);
    },
  };
}
