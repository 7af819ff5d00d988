/** The SQL of sales metrics. */
import { type Aggregate, NO_DINING_OPTION, NO_REVENUE_CENTER, NO_SOURCE } from '../../../contract/words.ts';
import type { GatherQuery } from '../../report.ts';
import { COUNTING_ENTRY, COUNTING_ORDER, type Condition, conditionText, SALES_SUMS } from '../../rollups.ts';
import { openSql, type TableQuery } from '../statements.ts';
import * as shared from '../steps.ts';
import type { FamilySql, SharedWords } from './family.ts';

const { fragment, statement } = openSql(new URL('./metrics.sql', import.meta.url));

/** A grouping in a query: its column, its value, the value for orders that have none, and what is joined for it. */
const GROUPINGS: Record<string, { word: string; column: string; value: string; none: string; join?: string }> = {
  DINING_OPTION: { word: 'dining', column: 'dining', value: 'ofDining', none: 'noDining', join: 'joinDining' },
  REVENUE_CENTER: { word: 'revenue', column: 'revenue', value: 'ofRevenue', none: 'noRevenue', join: 'joinRevenue' },
  ORDER_SOURCE: { word: 'source', column: 'order_source', value: 'ofSource', none: 'noSource' },
};

/** The words of `byDay` and `byHour`, and of the facts of labor, for where their sums come from. */
export interface SumWords extends Readonly<Record<string, string>> {
  from: string;
  counts: string;
  counted: string;
  /** Which sums by day are of anything. */
  kept: string;
  workedFrom: string;
  workedCounted: string;
  keptWorked: string;
}
interface HourWords extends SumWords {
  worked: string;
}

/** The sums of the daily rollups that count orders, each computed by an expression. */
const orderCounts = (expressionOf: (name: string, counted: Condition) => string): string =>
  Object.entries(SALES_SUMS)
    .flatMap(([name, sum]) => (typeof sum === 'string' ? [] : `${expressionOf(name, sum)} as ${name}`))
    .join(', ');

const FROM_SUMS = {
  counts: orderCounts((name) => `sum(s.${name})::bigint`),
  counted: '',
  workedCounted: '',
};
/** From orders and time entries that count. */
export const FROM_RECORDS: HourWords = {
  from: fragment('orderHours'),
  counts: orderCounts((_, counted) => `count(*) filter (${conditionText(counted, 's.')})`),
  counted: `and ${conditionText(COUNTING_ORDER, 's.')}`,
  kept: '',
  workedFrom: 'shifts',
  worked: 'unnest(s.by_hour)',
  workedCounted: `and ${conditionText(COUNTING_ENTRY, 's.')}`,
  keptWorked: '',
};
/** From the daily rollups, to which small loads add rows of their own. */
export const FROM_ROLLUPS: SumWords = {
  ...FROM_SUMS,
  from: 'all_sheets',
  kept: 'having sum(s.kept) <> 0',
  workedFrom: 'all_labour_sheets',
  keptWorked: 'having sum(s.entries) <> 0',
};
/** From orders and time entries that count, summed by hour and all possible groupings. */
const FROM_HOURS: HourWords = {
  ...FROM_SUMS,
  from: fragment('summedHours'),
  kept: '',
  workedFrom: 'worked_hours',
  worked: fragment('workedPart'),
  keptWorked: '',
};

/** Counting time entries by day, grouped by what a query selects. */
export const fromWorked = (sums: SumWords, ids: string): string => fragment('fromWorked', { ...sums, ids });

/**
 * The order of the records, without columns that are null in all of them: sorting 366,000 rows by those as well took an
 * eighth of the time.
 */
function orderOf({ aggregate, groups }: Pick<GatherQuery, 'aggregate' | 'groups'>): string {
  const isByHour = aggregate !== 'DAY';
  const requested = Object.entries(GROUPINGS).flatMap(([group, { column }]) =>
    groups.includes(group) ? [column] : [],
  );
  const time = isByHour ? ['business_date', 'turn'] : ['business_date'];
  // A column that is named again changes nothing.
  return ['guid', ...(isByHour && groups.length === 2 ? time : []), ...requested, ...time].join(', ');
}

/** The words of `byDay`, `byHour`, `merged` and `rows` that depend on the grouping of a report. */
function wordsOf({ aggregate, groups }: GatherQuery, sums: SumWords): Record<string, string> {
  const requested = Object.entries(GROUPINGS).filter(([group]) => groups.includes(group));
  const words = Object.values(GROUPINGS).flatMap(({ word, none }) => [
    [word, 'null::varchar'],
    [none, 'null::varchar'],
  ]);
  const named = requested.flatMap(([, { word, value, none }]) => [
    [word, fragment(value)],
    [none, `$${none}`],
  ]);
  const joins = requested.flatMap(([, { join }]) => (join ? [fragment(join)] : []));
  const order = orderOf({ aggregate, groups });
  const grouped = { ...sums, ...Object.fromEntries([...words, ...named]), joins: joins.join('\n'), order };
  if (aggregate === 'DAYPART')
    return { ...grouped, sold: 'sold_by_hour', labour: 'labour_by_hour', hour: 'null::tinyint', turn: 'm.hour' };
  return {
    ...grouped,
    sold: 'sold',
    labour: 'labour',
    hour: 'hour::tinyint',
    turn: '(m.hour - r.closeoutHour + 24) % 24',
  };
}

/** The tables before `merged`. */
const TABLES: Record<Aggregate, readonly string[]> = {
  DAY: ['byDay'],
  HOUR: ['byHour'],
  DAYPART: ['byHour', 'byDaypart'],
};

/** `days` and `hours` are where the sums by day, and by hour, come from. */
export function metricsRecords(
  query: GatherQuery,
  { ids, currency }: SharedWords,
  { days = FROM_ROLLUPS, hours = FROM_RECORDS }: { days?: SumWords; hours?: HourWords } = {},
): TableQuery {
  const from = { ids, currency, fromWorked: fromWorked(days, ids) };
  const words = { ...wordsOf(query, query.aggregate === 'DAY' ? days : hours), ...from };
  const sums = TABLES[query.aggregate].map((name) => fragment(name, words));
  return { tables: [...sums, fragment('merged', words)], query: fragment('rows', words) };
}

export const METRICS_SQL: FamilySql = {
  records: (query, words) => metricsRecords(query, words),
  values: { noDining: NO_DINING_OPTION, noRevenue: NO_REVENUE_CENTER, noSource: NO_SOURCE },
  totals: statement('totals', { snapshot: '{snapshot}', sums: fragment('sums') }),
  restaurantTotals: statement('restaurantTotals', { snapshot: '{snapshot}', sums: fragment('sums') }),
  changes: {
    checks: {
      table: 'checks',
      dated: 'refunds',
      figures: fragment('salesChanges', {
        refundsBefore: fragment('checkRefunds', { versions: 'dated_before' }),
        refundsAfter: fragment('checkRefunds', { versions: 'dated_after' }),
      }),
    },
    orders: { table: 'orders', figures: fragment('orderChanges', { counted: conditionText(COUNTING_ORDER) }) },
    timeEntries: { table: 'shifts', figures: shared.timeEntries(fragment('entryFigures')) },
  },
};

/** For facts that sum hours themselves: `hour_rollups` and `worked_hours` replace orders and time entries. */
export const SUMMED_METRICS_SQL: FamilySql = {
  ...METRICS_SQL,
  records: (query, words) => metricsRecords(query, words, { hours: FROM_HOURS }),
};
