/** The statements that gather a report and render it, as steps for the engine. */
import { instantsOf } from '../../contract/clock.ts';
import { datesIn } from '../../contract/dates.ts';
import { type Daypart, hoursOf } from '../../contract/dayparts.ts';
import { type Incomplete, MOST_INCOMPLETE } from '../../contract/report-outcome.ts';
import type { ReportFamily } from '../../families/family.ts';
import type { Form } from '../form.ts';
import { DETAILS } from '../order.ts';
import type { GatherQuery, RestaurantScope } from '../report.ts';
import { COPY_OPTIONS, conditionOf, expressionsOf, wholeRows } from './columns.ts';
import type { FamilySql } from './families/family.ts';
import { jsonTextOf } from './json-text.ts';
import type { EngineRow, Step, Value } from './protocol.ts';
import { readIncomplete } from './row-types.ts';
import { fill, withTables } from './statements.ts';
import { fragment, step } from './steps.ts';
import { NUMBERED_ROWS, NUMBERED_SNAPSHOT, rowXmlOf } from './workbook-rows.ts';

/** A family and its SQL. */
export type EngineFamily = readonly [ReportFamily, FamilySql];

/** Steps over the facts, and the query that they are for. */
export interface GatherWork {
  family: EngineFamily;
  query: GatherQuery;
  steps: Step[];
}

/** Up to this many restaurants are named in the text; a longer list takes longer to plan than a subquery of `scope`. */
export const FEW_RESTAURANTS = 16;
/**
 * A report with up to this many microseconds of its family's cost is kept in memory while it is gathered: some 20,000
 * checks, 5 MB.
 */
const SMALL_COST = 100_000;

/** Whether a report is gathered through a table in memory. */
export function isSmall(family: ReportFamily, query: GatherQuery): boolean {
  const places = query.restaurants.length * datesIn(query.startDate, query.endDate);
  return places * family.cost(query) <= SMALL_COST;
}

/** The properties of a restaurant that `scope` has, with their types. */
const SCOPE_FIELDS = {
  id: 'INTEGER',
  guid: 'UUID',
  name: 'VARCHAR',
  locationName: 'VARCHAR',
  locationCode: 'VARCHAR',
  closeoutHour: 'INTEGER',
  currency: 'USMALLINT',
  daypartSet: 'USMALLINT',
  paidFrom: 'BIGINT',
  paidUntil: 'BIGINT',
};

/**
 * Those that a text names. For 1,000 restaurants, all that the ledger has of them are 280 kB, and a day took a fifth
 * longer than with those that it uses.
 */
const scopeFields = (text: string): [string, string][] =>
  Object.entries(SCOPE_FIELDS).filter(([name]) => name === 'id' || new RegExp(`\\b${name}\\b`).test(text));

/** The query of a report's records, ordered as in docs/contract.md#row-order, and its values. */
export function reportQuery(
  { records, values: constants = {} }: Pick<FamilySql, 'records' | 'values'>,
  query: GatherQuery,
): { sql: string; values: Record<string, Value> } {
  const { restaurants } = query;
  const few = restaurants.length > 0 && restaurants.length <= FEW_RESTAURANTS;
  const listed = Object.fromEntries(few ? restaurants.map(({ id }, index) => [`id${index}`, id]) : []);
  const currencies = currenciesOf(restaurants);
  const names = Object.keys(listed).map((name) => `$${name}`);
  const ids = few ? names.join(', ') : fragment('byScope');
  const currency = currencies.length > 1 ? fragment('currency') : '';
  const own = records(query, { ids, few, currency, restaurant: fragment('restaurant') });
  const fields = scopeFields([...own.tables, own.query].join('\n'));
  const scopeTables = fragment('scope', { ids, fields: JSON.stringify(Object.fromEntries(fields)) });
  const sql = withTables({ ...own, tables: [scopeTables, ...own.tables] });
  const { sets, setOf } = daypartSets(restaurants);
  const scope = restaurants.map(({ dayparts, ...one }) => ({
    ...one,
    currency: currencies.indexOf(one.currencyCode),
    daypartSet: dayparts && setOf(dayparts),
  }));
  const values: Record<string, Value> = {
    ...listed,
    restaurants: JSON.stringify(
      scope,
      fields.map(([name]) => name),
    ),
    dayparts: JSON.stringify(sets),
    start: query.startDate,
    end: query.endDate,
    ...constants,
  };
  // The engine refuses values that the text does not name.
  const used = new Set(sql.match(/(?<=\$)\w+/g));
  return { sql, values: Object.fromEntries(Object.entries(values).filter(([name]) => used.has(name))) };
}

/**
 * The different sets of dayparts of the restaurants, an entry for each hour of each, and the index of each restaurant's
 * set.
 */
function daypartSets(restaurants: readonly RestaurantScope[]) {
  const keys = new Map<string, readonly Daypart[]>();
  for (const { dayparts } of restaurants) if (dayparts) keys.set(JSON.stringify(dayparts), dayparts);
  const places = new Map([...keys.keys()].map((key, index) => [key, index]));
  const sets = [...keys.values()].flatMap((dayparts, set) =>
    dayparts.flatMap((daypart) =>
      hoursOf(daypart).map((hour) => ({ set, hour, start: daypart.from, name: daypart.name })),
    ),
  );
  return { sets, setOf: (dayparts: readonly Daypart[]) => places.get(JSON.stringify(dayparts)) };
}

/** The currencies of the restaurants by code, null last: a report has control totals for each. */
export function currenciesOf(restaurants: readonly RestaurantScope[]): (string | null)[] {
  const codes = new Set(restaurants.map(({ currencyCode }) => currencyCode));
  return [...[...codes].filter((code) => code !== null).sort(), ...(codes.has(null) ? [null] : [])];
}

/** The control totals of a snapshot, if the family only adds up fields. */
const sumsOf = ({ totals }: ReportFamily): string => {
  const sums = totals.map((field) => `coalesce(sum("${field}"), 0)::bigint as "${field}"`);
  return `select ${['count(*) as "rows"', ...sums].join(', ')} from {snapshot}`;
};

/**
 * The step that returns the totals of each `restaurant` of a snapshot in one currency; undefined if they cannot be
 * added up.
 */
export function restaurantTotalsStep([family, sql]: EngineFamily, snapshot: string): Step | undefined {
  const sums = sumsOf(family).replace('select', 'select "restaurantGuid"::varchar as restaurant,');
  const text = sql.restaurantTotals ?? (sql.totals === undefined ? `${sums} group by all` : undefined);
  return text === undefined ? undefined : { sql: fill(text, { snapshot }, 'restaurantTotals') };
}

/** The step that returns the totals of a snapshot. */
export const controlTotalsStep = (
  [family, { totals = sumsOf(family) }]: EngineFamily,
  snapshot: string,
  values?: Record<string, Value>,
): Step => ({ sql: fill(totals, { snapshot }, 'totals'), ...(values ? { values } : {}) });

/**
 * The steps that return the totals of a snapshot: one per currency, in their order, or a single one if there is none.
 */
export function totalsSteps(
  family: EngineFamily,
  query: GatherQuery,
  snapshot: string,
  values?: Record<string, Value>,
): Step[] {
  const currencies = currenciesOf(query.restaurants);
  if (currencies.length < 2) return [controlTotalsStep(family, snapshot, values)];
  const inCurrency = fragment('inCurrency', { snapshot });
  return currencies.map((_, currency) => controlTotalsStep(family, inCurrency, { ...values, currency }));
}

/**
 * Gathers a report into a Parquet file: the snapshot's time and load, the copy, the control totals by currency, and
 * last the days on which details that the family requires are missing.
 */
export function gatherSteps(family: EngineFamily, query: GatherQuery, file: string): Step[] {
  const { sql, values } = reportQuery(family[1], query);
  return [
    step('now'),
    {
      ...step('toFile', { ...values, file }, { query: sql, options: fragment('snapshotOptions') }),
      ...onlyFor(family, query),
    },
    ...totalsSteps(family, query, 'read_parquet($file)', { file }),
    ...incompleteSteps(family, query, MOST_INCOMPLETE),
  ];
}

/** What the step with the query of a report reads of some tables. */
export const onlyFor = ([, { only }]: EngineFamily, query: GatherQuery): Pick<Step, 'only'> =>
  only ? { only: only(query) } : {};

/**
 * The step that returns the days on which details that the family requires are missing; none if it requires no details.
 * Payments are also missing if they were made in the span for an order of another date.
 */
export function incompleteSteps([{ needs }]: EngineFamily, query: GatherQuery, most: number): Step[] {
  if (!needs) return [];
  const lacksDetails = fragment('lacksDetails', { all: String(DETAILS.items + DETAILS.payments) });
  const ofSpan = fragment('ofSpan');
  const { restaurants, paidWithin } = needs === 'payments' ? withPaid(query) : { restaurants: query.restaurants };
  const words = paidWithin
    ? { dates: 'true', paid: fragment('paidInSpan', { ofSpan, paidWithin }) }
    : { dates: ofSpan, paid: '' };
  const records: FamilySql['records'] = (_query, { ids }) => ({
    tables: [fragment('incompleteDays', { ids, ofSpan, lacksDetails, detail: String(DETAILS[needs]), ...words })],
    query: fragment('incomplete', { most: String(most) }),
  });
  const only = { orders: lacksDetails, ...(paidWithin ? { checks: paidWithin } : {}) };
  return [{ ...reportQuery({ records }, { ...query, restaurants }), only }];
}

/**
 * The restaurants with the instants of the span, in which a payment counts, and the condition that includes those of
 * all.
 */
function withPaid(query: GatherQuery) {
  // A restaurant has one of a few clocks; the conversion of local times remembers some zones only.
  const clocks = new Map<string, ReturnType<typeof instantsOf>>();
  const restaurants = query.restaurants.map((one) => {
    const clock = `${one.timeZone} ${one.closeoutHour}`;
    const span = clocks.get(clock) ?? instantsOf(query, one);
    clocks.set(clock, span);
    return { ...one, paidFrom: span.from, paidUntil: span.until };
  });
  const spans = [...clocks.values()];
  const from = spans.reduce((least, span) => Math.min(least, span.from), Number.MAX_SAFE_INTEGER);
  const until = spans.reduce((most, span) => Math.max(most, span.until), Number.MIN_SAFE_INTEGER);
  return { restaurants, paidWithin: fragment('paidWithin', { from: String(from), until: String(until) }) };
}

/** What the rows of that step mean for the restaurants of a report, or for all restaurants. */
export function incompleteOf(rows: readonly EngineRow[], of?: GatherQuery): Incomplete | null {
  const guids = of && new Set(of.restaurants.map(({ guid }) => guid));
  const all = rows.map(readIncomplete);
  const own = guids ? all.filter(({ guid }) => guids.has(guid)) : all;
  const [first] = own;
  if (!first) return null;
  const days = own.slice(0, MOST_INCOMPLETE).map(({ guid, business_date }) => ({
    restaurantGuid: guid,
    businessDate: business_date,
  }));
  return { count: guids ? own.length : first.days, days };
}

/** Renders a form of a snapshot file. */
export const renderSteps = (family: ReportFamily, file: string, form: Form, to: string): Step[] => [
  renderStep(rowsOfFile(form), family, form, { file, form: to }),
];

/** The rows of a snapshot that a form has. */
function rowsOfFile({ format, only }: Form): string {
  if (only) return `(${NUMBERED_ROWS} where ${conditionOf(only)})`;
  return format === 'xlsx' ? NUMBERED_SNAPSHOT : 'read_parquet($file)';
}

/** The step that writes a form of a snapshot, a Parquet file, into a file. */
export function renderStep(snapshot: string, family: ReportFamily, form: Form, values: Record<string, Value>): Step {
  const rows = wholeRows(snapshot, family, form);
  return step('render', values, {
    columns: columnsFor(family, form),
    snapshot: rows,
    options: COPY_OPTIONS[form.format],
  });
}

/** The columns of the file that the engine writes: texts of whole records, or fields. */
function columnsFor(family: ReportFamily, form: Form): string {
  if (form.format === 'json' || form.format === 'ndjson') return jsonTextOf(family, form);
  return form.format === 'xlsx' ? rowXmlOf(family, form) : expressionsOf(family, form).join(', ');
}
