/** The SQL of labor. */
import type { GatherQuery } from '../../report.ts';
import { fill, openSql } from '../statements.ts';
import * as shared from '../steps.ts';
import type { FamilySql, SharedWords } from './family.ts';

const { part } = openSql(new URL('./labor.sql', import.meta.url));

/** A grouping in a query: the column of its GUID, the names in entries, and the order of its rows. */
interface Grouping {
  key: string;
  kind: string;
  names: Record<string, string>;
  by: string;
  order: string;
}
const GROUPINGS: Record<string, Grouping> = {
  JOB: {
    key: 'job_guid',
    kind: 'job',
    names: { title: 'job_title', code: 'job_code' },
    by: 'byJob',
    order: 'job_title nulls last, job_guid nulls last',
  },
  EMPLOYEE: {
    key: 'employee_guid',
    kind: 'employee',
    names: { first: 'employee_first', last: 'employee_last', chosen: 'employee_chosen' },
    by: 'byEmployee',
    order: 'employee_last nulls last, employee_first nulls last, employee_guid nulls last',
  },
};

/** The entries that carry a name. */
const carrying = ({ key, names }: Grouping): string =>
  part('carrying', {
    key,
    any: Object.values(names)
      .map((column) => `${column} is not null`)
      .join(' or '),
  });

/** Beyond this a product, doubled for rounding, does not fit into 64 bits. */
const MOST_PRODUCT = 4n * 10n ** 18n;
function ratio(dividend: string, times: bigint, divisor: string): string {
  const words = { dividend, times: String(times), divisor, most: String(MOST_PRODUCT / times) };
  return part('exact', { ratio: part('ratio', words) });
}
/** Cents per hour of the whole row, with hours in millionths. */
const perHour = (sales: string): string => ratio(sales, 1_000_000n, 'h.micro_hours');
/** Hundredths of a percent. */
const percentOf = (sales: string): string => ratio('(h.regular_cost + h.overtime_cost)', 10_000n, sales);

/** A benchmark may replace the text of `facts`. */
export function laborRecords(
  { groups: [group = ''] }: GatherQuery,
  { ids, currency }: SharedWords,
  other?: string,
): string {
  const facts = (key: string): string =>
    other === undefined ? part('facts', { key, ids }) : fill(other, { key, ids }, 'facts');
  const grouping = GROUPINGS[group];
  const none = 'null::bigint';
  const words = { currency, ofNet: percentOf('h.net'), ofGross: percentOf('h.gross') };
  if (!grouping) {
    const sales = { net: 'h.net', gross: 'h.gross', netPerHour: perHour('h.net'), grossPerHour: perHour('h.gross') };
    return [facts('null::varchar'), part('byDay'), part('rows', { ...words, ...sales, order: '' })].join('\n');
  }
  const { key, kind, names, by, order } = grouping;
  return [
    facts(`l.${key}`),
    part('carried', {
      ...{ key, kind, ids },
      names: Object.entries(names)
        .map(([name, column]) => `${name} := s.${column}`)
        .join(', '),
      carrying: carrying(grouping),
    }),
    part(by),
    part('byGroup', { order }),
    part('rows', {
      ...words,
      ...{ net: none, gross: none, netPerHour: none, grossPerHour: none },
      order: `, ${order.replaceAll(/\b(?=job_|employee_)/g, 'h.')}`,
    }),
  ].join('\n');
}

export const LABOR_SQL: FamilySql = {
  records: (query, words) => laborRecords(query, words),
  only({ groups: [group = ''] }): Record<string, string> {
    const grouping = GROUPINGS[group];
    return grouping ? { shifts: carrying(grouping) } : {};
  },
  changes: { timeEntries: { table: 'shifts', figures: shared.part('timeEntries', { figures: part('entryFigures') }) } },
};
