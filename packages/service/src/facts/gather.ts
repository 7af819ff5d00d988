/** The statements that gather a report and render it, as steps for the engine. */
import { datesIn } from '../contract/dates.ts';
import { NO_DINING_OPTION, NO_REVENUE_CENTER, NO_SOURCE } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import { COPY_OPTIONS, expressionsOf } from './columns.ts';
import type { Form, GatherQuery, RestaurantScope } from './facts.ts';
import type { Step, Value } from './protocol.ts';
import { fill, step, text } from './steps.ts';

/** Up to so many restaurants are named in the text; a long list takes longer to plan than a look into `scope`. */
const FEW_RESTAURANTS = 16;
/** A report of up to this many microseconds by its family's cost is kept in memory while it is gathered: some 20,000 checks, 5 MB. */
const SMALL_COST = 100_000;

/** Whether a report is gathered through a table in memory. */
export function isSmall(family: ReportFamily, query: GatherQuery): boolean {
  const places = query.restaurants.length * datesIn(query.startDate, query.endDate);
  return places * family.cost(query) <= SMALL_COST;
}

/** What a grouping is in the text of a report: its value, the value of what has none, and what is joined for it. */
const GROUPINGS: Record<string, { word: string; value: string; none: string; join?: string }> = {
  DINING_OPTION: { word: 'dining', value: 'ofDining', none: 'noDining', join: 'joinDining' },
  REVENUE_CENTER: { word: 'revenue', value: 'ofRevenue', none: 'noRevenue', join: 'joinRevenue' },
  ORDER_SOURCE: { word: 'source', value: 'ofSource', none: 'noSource' },
};

/** The words of `byDay`, `byHour` and `rows` that depend on how a report is grouped. */
function wordsOf({ aggregate, groups }: GatherQuery): Record<string, string> {
  const asked = Object.entries(GROUPINGS).filter(([group]) => groups.includes(group));
  const words = Object.values(GROUPINGS).flatMap(({ word, none }) => [
    [word, 'null::varchar'],
    [none, 'null::varchar'],
  ]);
  const named = asked.flatMap(([, { word, value, none }]) => [
    [word, text(value)],
    [none, `$${none}`],
  ]);
  const joins = asked.flatMap(([, { join }]) => (join ? [text(join)] : []));
  const hourFirst = aggregate === 'HOUR' && groups.length === 2 ? 'business_date, turn,' : '';
  return { ...Object.fromEntries([...words, ...named]), joins: joins.join('\n'), hourFirst };
}

/**
 * The query of a report's records, in their order (CONTRACT 2.3), and its values. A measurement may put another text in
 * the place of `byDay`.
 */
export function reportQuery(query: GatherQuery, byDay?: string): { sql: string; values: Record<string, Value> } {
  const { restaurants, kind, aggregate } = query;
  const few = restaurants.length > 0 && restaurants.length <= FEW_RESTAURANTS;
  const ids = Object.fromEntries(few ? restaurants.map(({ id }, place) => [`id${place}`, id]) : []);
  const listed = Object.keys(ids).map((name) => `$${name}`);
  const currencies = currenciesOf(restaurants);
  const words = {
    ...wordsOf(query),
    ids: few ? listed.join(', ') : text('byScope'),
    currency: currencies.length > 1 ? text('currency') : '',
  };
  const sold = (): string =>
    byDay === undefined ? text(aggregate === 'HOUR' ? 'byHour' : 'byDay', words) : fill(byDay, words, 'byDay');
  const parts =
    kind === 'check'
      ? [text('checks', { ...words, only: few ? text('onlyChecks', words) : '' })]
      : [sold(), text('rows', words)];
  const sql = [text('scope', words), ...parts].join('\n');
  const values: Record<string, Value> = {
    ...ids,
    restaurants: JSON.stringify(restaurants.map((one) => ({ ...one, currency: currencies.indexOf(one.currencyCode) }))),
    start: query.startDate,
    end: query.endDate,
    noDining: NO_DINING_OPTION,
    noRevenue: NO_REVENUE_CENTER,
    noSource: NO_SOURCE,
  };
  // The engine takes no value that the text does not name.
  const used = new Set(sql.match(/(?<=\$)\w+/g));
  return { sql, values: Object.fromEntries(Object.entries(values).filter(([name]) => used.has(name))) };
}

/** The currencies of the restaurants by code, null last: a report has control totals of each. */
export function currenciesOf(restaurants: readonly RestaurantScope[]): (string | null)[] {
  const codes = new Set(restaurants.map(({ currencyCode }) => currencyCode));
  return [...[...codes].filter((code) => code !== null).sort(), ...(codes.has(null) ? [null] : [])];
}

/** The steps that answer the totals of a snapshot: one a currency, in their order, or one where there is none. */
function totalsSteps(query: GatherQuery, snapshot: string, values?: Record<string, Value>): Step[] {
  const name = query.kind === 'check' ? 'checkTotals' : 'metricsTotals';
  const currencies = currenciesOf(query.restaurants);
  if (currencies.length < 2) return [step(name, values, { snapshot })];
  const inCurrency = text('inCurrency', { snapshot });
  return currencies.map((_, currency) => step(name, { ...values, currency }, { snapshot: inCurrency }));
}

/**
 * Gathers a report into a Parquet file: the first step answers the snapshot's time and load, those from the third on its
 * totals, one a currency. A small report is rendered as well when a form is asked for.
 */
export function gatherSteps(
  family: ReportFamily,
  query: GatherQuery,
  file: string,
  first?: { form: Form; file: string },
): Step[] {
  const { sql, values } = reportQuery(query);
  if (!isSmall(family, query)) {
    const into = step('toFile', { ...values, file }, { query: sql });
    return [step('now'), into, ...totalsSteps(query, 'read_parquet($file)', { file })];
  }
  const snapshot = 'snapshot';
  return [
    step('now'),
    step('toTable', values, { query: sql }),
    ...totalsSteps(query, snapshot),
    step('tableToFile', { file }),
    ...(first ? [renderStep(snapshot, family, first.form, { form: first.file })] : []),
    step('dropTable'),
  ];
}

/** Renders a form of a snapshot file. */
export const renderSteps = (family: ReportFamily, file: string, form: Form, to: string): Step[] => [
  renderStep('read_parquet($file)', family, form, { file, form: to }),
];

function renderStep(snapshot: string, family: ReportFamily, form: Form, values: Record<string, Value>): Step {
  const words = { columns: expressionsOf(family, form).join(', '), snapshot, options: COPY_OPTIONS[form.format] };
  return step('render', values, words);
}
