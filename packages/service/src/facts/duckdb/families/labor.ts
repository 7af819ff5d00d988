/** The SQL of labor. */
import type { GatherQuery } from '../../report.ts';
import { openSql, type TableQuery } from '../statements.ts';
import * as shared from '../steps.ts';
import type { FamilySql, SharedWords } from './family.ts';
import { FROM_ROLLUPS, fromWorked, type SumWords } from './metrics.ts';
import { sortedRows } from './sorted.ts';

const { fragment } = openSql(new URL('./labor.sql', import.meta.url));

/** A grouping in a query. Names are those of its kind by their columns. */
interface Grouping {
  /** The column of its GUID. */
  key: string;
  kind: string;
  /** The names in entries. */
  names: Record<string, string>;
  /** The names in the reference data, from `n`. */
  known: Record<string, string>;
  /** The fields of a record, from `g`. */
  fields: Record<string, string>;
  /** The order of the rows of a date. */
  order: string;
}
const GROUPINGS: Record<string, Grouping> = {
  JOB: {
    key: 'job_guid',
    kind: 'job',
    names: { title: 'job_title', code: 'job_code' },
    known: { job_title: "nullif(n.name, '')", job_code: 'n.code' },
    fields: { jobGuid: 'g.guid', jobTitle: 'g.job_title', jobCode: "coalesce(g.job_code, '')" },
    order: 'job_title nulls last, guid',
  },
  EMPLOYEE: {
    key: 'employee_guid',
    kind: 'employee',
    names: { first: 'employee_first', last: 'employee_last', chosen: 'employee_chosen' },
    known: {
      employee_first: "nullif(n.name, '')",
      employee_last: "nullif(n.last_name, '')",
      employee_chosen: "nullif(n.chosen_name, '')",
    },
    fields: {
      employeeGuid: 'g.guid',
      employeeFirstName: 'g.employee_first',
      employeeLastName: 'g.employee_last',
      employeeChosenName: 'g.employee_chosen',
    },
    order: 'employee_last nulls last, employee_first nulls last, guid',
  },
};

/** A list of columns, from expressions by their names. */
const columnList = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, value]) => `${value} as "${name}"`)
    .join(', ');
/** Fields of the sorted rows, after others. */
const ownFields = (fields: Record<string, string>): string =>
  Object.keys(fields)
    .map((field) => `, r."${field}"`)
    .join('');

/** The entries that carry a name. */
const carrying = ({ key, names }: Grouping): string =>
  fragment('carrying', {
    key,
    any: Object.values(names)
      .map((column) => `${column} is not null`)
      .join(' or '),
  });

/** Beyond this a product, doubled for rounding, does not fit into 64 bits. */
const MOST_PRODUCT = 4n * 10n ** 18n;
function ratio(dividend: string, times: bigint, divisor: string): string {
  const words = { dividend, times: String(times), divisor, most: String(MOST_PRODUCT / times) };
  return fragment('exact', { ratio: fragment('ratio', words) });
}
/** Cents per hour of the whole row, with hours in millionths. */
const perHour = (sales: string): string => ratio(sales, 1_000_000n, 'r.micro_hours');
/** Hundredths of a percent. */
const percentOf = (sales: string): string => ratio('(r.regular_cost + r.overtime_cost)', 10_000n, sales);

/** `days` is where sales and hours of a day come from. */
export function laborRecords(
  query: GatherQuery,
  { ids, currency }: SharedWords,
  days: SumWords = FROM_ROLLUPS,
): TableQuery {
  const facts = (key: string): string => fragment('facts', { ...days, key, ids, fromWorked: fromWorked(days, ids) });
  const grouping = GROUPINGS[query.groups[0] ?? ''];
  const none = 'null::bigint';
  const sorted = sortedRows(query);
  const words = { ...sorted.words, currency, ofNet: percentOf('r.net'), ofGross: percentOf('r.gross') };
  if (!grouping) {
    const own = fragment('perHour', { net: perHour('r.net'), gross: perHour('r.gross') });
    return {
      tables: [facts('null::varchar'), fragment('byDay'), ...sorted.tables],
      query: fragment('rows', { ...words, net: 'r.net', gross: 'r.gross', own }),
    };
  }
  const { key, kind, names, known, fields, order } = grouping;
  const fromEntries = Object.fromEntries(Object.entries(names).map(([name, column]) => [column, `c.names.${name}`]));
  const carried = fragment('carried', {
    key,
    kind,
    ids,
    names: Object.entries(names)
      .map(([name, column]) => `${name} := s.${column}`)
      .join(', '),
    carrying: carrying(grouping),
  });
  const groups = fragment('groups', {
    kind,
    order,
    known: columnList(known),
    fromEntries: columnList(fromEntries),
    fields: columnList(fields),
  });
  return {
    tables: [facts(`s.${key}`), carried, groups, ...sorted.tables],
    query: fragment('rows', { ...words, net: none, gross: none, own: ownFields(fields) }),
  };
}

export const LABOR_SQL: FamilySql = {
  records: (query, words) => laborRecords(query, words),
  only({ groups: [group = ''] }): Record<string, string> {
    const grouping = GROUPINGS[group];
    return grouping ? { shifts: carrying(grouping) } : {};
  },
  changes: { timeEntries: { table: 'shifts', figures: shared.timeEntries(fragment('entryFigures')) } },
};
