/** The SQL of sales metrics. */
import { type Aggregate, NO_DINING_OPTION, NO_REVENUE_CENTER, NO_SOURCE } from '../../../contract/words.ts';
import type { GatherQuery } from '../../report.ts';
import type { TableQuery } from '../compose.ts';
import { fill, openSql } from '../statements.ts';
import * as shared from '../steps.ts';
import type { FamilySql, SharedWords } from './family.ts';

const { part, whole } = openSql(new URL('./metrics.sql', import.meta.url));

/** A grouping in a query: its column, its value, the value for orders that have none, and what is joined for it. */
const GROUPINGS: Record<string, { word: string; column: string; value: string; none: string; join?: string }> = {
  DINING_OPTION: { word: 'dining', column: 'dining', value: 'ofDining', none: 'noDining', join: 'joinDining' },
  REVENUE_CENTER: { word: 'revenue', column: 'revenue', value: 'ofRevenue', none: 'noRevenue', join: 'joinRevenue' },
  ORDER_SOURCE: { word: 'source', column: 'order_source', value: 'ofSource', none: 'noSource' },
};

/** The words of `byHour` for the source of the hourly sums. */
export interface HourWords extends Readonly<Record<string, string>> {
  from: string;
  counts: string;
  counted: string;
  workedFrom: string;
  worked: string;
  workedCounted: string;
}

const FROM_RECORDS: HourWords = {
  ...{ from: part('orderHours'), counts: part('countOrders'), counted: part('countedOrders') },
  ...{ workedFrom: 'shifts', worked: 'unnest(s.by_hour)', workedCounted: part('countingEntries') },
};
/** From orders and time entries that count, summed by hour and all possible groupings. */
const FROM_SUMS: HourWords = {
  ...{ from: part('summedHours'), counts: part('addCounts'), counted: '' },
  ...{ workedFrom: 'worked_hours', worked: part('workedPart'), workedCounted: '' },
};

/** The order of the records, without columns that are null in all of them: sorting 366,000 rows by those as well took an eighth of the time. */
function orderOf({ aggregate, groups }: Pick<GatherQuery, 'aggregate' | 'groups'>): string {
  const isByHour = aggregate !== 'DAY';
  const asked = Object.entries(GROUPINGS).flatMap(([group, { column }]) => (groups.includes(group) ? [column] : []));
  const time = isByHour ? ['business_date', 'turn'] : ['business_date'];
  // A column that is named again changes nothing.
  return ['guid', ...(isByHour && groups.length === 2 ? time : []), ...asked, ...time].join(', ');
}

/** The words of `byDay`, `byHour`, `merged` and `rows` that depend on the grouping of a report. */
function wordsOf({ aggregate, groups }: GatherQuery, hours: HourWords): Record<string, string> {
  const asked = Object.entries(GROUPINGS).filter(([group]) => groups.includes(group));
  const words = Object.values(GROUPINGS).flatMap(({ word, none }) => [
    [word, 'null::varchar'],
    [none, 'null::varchar'],
  ]);
  const named = asked.flatMap(([, { word, value, none }]) => [
    [word, part(value)],
    [none, `$${none}`],
  ]);
  const joins = asked.flatMap(([, { join }]) => (join ? [part(join)] : []));
  const order = orderOf({ aggregate, groups });
  const grouped = { ...hours, ...Object.fromEntries([...words, ...named]), joins: joins.join('\n'), order };
  if (aggregate === 'DAYPART')
    return { ...grouped, sold: 'sold_by_hour', labour: 'labour_by_hour', hour: 'null::tinyint', turn: 'm.hour' };
  return {
    ...grouped,
    ...{ sold: 'sold', labour: 'labour', hour: 'hour::tinyint' },
    turn: '(m.hour - r.closeoutHour + 24) % 24',
  };
}

/** The tables before `merged`. */
const TABLES: Record<Aggregate, readonly string[]> = {
  DAY: ['byDay'],
  HOUR: ['byHour'],
  DAYPART: ['byHour', 'byDaypart'],
};

/** A benchmark may replace the text of `byDay`. */
export function metricsRecords(
  query: GatherQuery,
  { ids, currency }: SharedWords,
  byDay?: string,
  hours = FROM_RECORDS,
): TableQuery {
  const words = { ...wordsOf(query, hours), ids, currency };
  const sums =
    byDay === undefined ? TABLES[query.aggregate].map((name) => part(name, words)) : [fill(byDay, words, 'byDay')];
  return { tables: [...sums, part('merged', words)], query: part('rows', words) };
}

export const METRICS_SQL: FamilySql = {
  records: (query, words) => metricsRecords(query, words),
  values: { noDining: NO_DINING_OPTION, noRevenue: NO_REVENUE_CENTER, noSource: NO_SOURCE },
  totals: whole('totals', { snapshot: '{snapshot}', sums: part('sums') }),
  restaurantTotals: whole('restaurantTotals', { snapshot: '{snapshot}', sums: part('sums') }),
  changes: {
    checks: {
      table: 'checks',
      dated: 'refunds',
      figures: part('salesChanges', {
        refundsBefore: part('checkRefunds', { versions: 'dated_before' }),
        refundsAfter: part('checkRefunds', { versions: 'dated_after' }),
      }),
    },
    orders: { table: 'orders', figures: part('orderChanges') },
    timeEntries: { table: 'shifts', figures: shared.part('timeEntries', { figures: part('entryFigures') }) },
  },
};

/** For facts that sum hours themselves: `hour_sheets` and `worked_hours` replace orders and time entries. */
export const SUMMED_METRICS_SQL: FamilySql = {
  ...METRICS_SQL,
  records: (query, words) => metricsRecords(query, words, undefined, FROM_SUMS),
};
