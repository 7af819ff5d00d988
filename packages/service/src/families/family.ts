/**
 * The interface of a report family. Everything specific to one kind of report is a property here, declared in the
 * family's folder; no other code asks which kind a report is. Each engine has the SQL of the families
 * (`facts/…/families/`).
 */
import type { FieldType } from '@daypart/client';
import type { TObject } from 'typebox';
import type { OrderDetail } from '../contract/report-outcome.ts';
import {
  type Aggregate,
  type Dialect,
  SCOPE_READ,
  type Scope,
  type Span,
  TIME_RANGES,
  type TimeRange,
} from '../contract/words.ts';

/**
 * How the snapshot stores a value of a record, which decides how it is written: types of `DECIMALS` are integers in
 * their smallest unit (cents, thousandths of hours, millionths of quantities) written as numbers with that many
 * decimals (`decimalText` as text),
 * `instant` is milliseconds since 1970 UTC, `date` is a YYYYMMDD integer, `dateList` a list of them, `hour` is 0 to 23,
 * `localTime` is the restaurant's local time in whole seconds, as milliseconds since 1970, written without a zone.
 * Engines have a writer for each (`facts/duckdb/columns.ts`).
 */
export type ColumnType = FieldType | 'countText';

/** What determines the fields of a form: the dialect, whether it has restaurant names, and how the report is split. */
export interface Shape {
  dialect: Dialect;
  names: boolean;
  groups: readonly string[];
  aggregate: Aggregate;
  /** Set in the layout `people`. */
  currencies?: readonly (string | null)[];
}

/** The field that only the layout `people` has: the currency of the amounts in the row. */
export const CURRENCY_FIELD = 'currencyCode';

export interface FieldColumn {
  type: ColumnType;
  /** Text from the loaded data. In CSV its cells are protected from being run as a formula (docs/downloads.md#csv). */
  loaded?: true;
  /** A `decimalText` that is an amount of the restaurant's currency; one of type `money` always is. */
  amount?: true;
  /**
   * What readers take for a field that a service omits; null if the record allows that, otherwise they leave it
   * undefined.
   */
  default?: '' | null;
  /**
   * Differences in the `live` dialect. With `nullLeftOut` a JSON or NDJSON record omits the field if it is null; CSV
   * and Parquet always have the column. At most one field of a form may have it.
   */
  live?: { name?: string; type?: ColumnType; nullLeftOut?: true };
  /** Whether a form has the field; by default every form has it. */
  shownIn?: (shape: Shape) => boolean;
  /**
   * Whether records of a report can have a value; by default they can. Snapshots do not store a field that is null in
   * all records: six such columns took an eighth of the time of a menu report of 366,000 records.
   */
  storedIn?: (plan: Pick<Shape, 'groups' | 'aggregate'>) => boolean;
}

export interface LimitNumbers {
  /** The windows of the live system, such as `10/min,60/h` (parsed by contract/limits.ts). */
  live: string;
  /** The default windows. */
  generous: string;
  /** The calls that it counts, for the help text of its setting. */
  calls: string;
  /** Whether each create endpoint is counted separately; otherwise all that name the limit are counted together. */
  each?: true;
}

/** A list of `GET /reports/{guid}/changes` that explains changes of a family's reports. */
export type ChangeList = 'checks' | 'orders' | 'lines' | 'timeEntries';

/** A sum of a field; with `worked` of the restaurants and dates only on which that field is not 0 in some row. */
export interface Operand {
  field: string;
  worked?: string;
}

/**
 * A figure computed from sums: `of` × `times` ÷ `by` in the smallest units of the three, rounded half away from zero.
 */
interface Ratio {
  of: Operand;
  by: Operand;
  times: number;
  /** The value if `by` adds up to 0. */
  none: 0 | null;
}

/** A value of `by` for totals, besides restaurant, business date and weekday. */
export interface Split {
  /**
   * The fields of the record that it consists of: if there are several, the GUID and the names of what it identifies.
   */
  fields: readonly string[];
  /**
   * The value of `groupBy` or `aggregateBy` that the report must have been created with; absent if every report has the
   * fields.
   */
  needs?: string;
}

/** What `GET /reports/{guid}/totals` offers besides the sums of `totals`. */
export interface ReportTotals {
  /** Fields that it adds up besides those of `totals`. */
  sums?: readonly string[];
  /** Figures of `totals` that are not fields: the number of rows that have the field named here. */
  counts?: Readonly<Record<string, string>>;
  /**
   * Fields that repeat in all rows with the same `per`, as labour does for a restaurant and a time: they count once.
   * Split by anything else they are null.
   */
  once?: { fields: readonly string[]; per: readonly string[] };
  ratios?: Readonly<Record<string, Ratio>>;
  splits?: Readonly<Record<string, Split>>;
}

export interface ReportFamily {
  /** The `kind` of a report request. */
  kind: string;
  /** Below the base: create with POST `{path}/{timeRange}`, retrieve with GET `{path}/{guid}`. */
  path: `/${string}`;
  /** Its name in GET /datasets/{dataset}; without one it has no dataset. */
  dataset?: string;
  /** Part of the names of operations and schemas: `create{title}DayReport`. */
  title: string;
  /** Completes `a report of {noun}`. */
  noun: string;
  /** Its name in the console, where people choose a report: `Card payments`. */
  label: string;
  /** Summary of the retrieval. */
  summary: string;
  /** Spans that reports can be created for; `custom` is POST `{path}`. */
  spans: readonly Span[];
  /** Whether GET `{path}/{timeRange}/{guid}` is served too (docs/contract.md#deprecated-path). */
  deprecatedPath?: true;
  /** Names of the date fields in the body. */
  dates: { start: string; end: string };
  /** Values of `groupBy`, in the order in which rows are sorted; if empty, the field does not exist. */
  groups: readonly string[];
  mostGroups: number;
  /** Values of `aggregateBy`; if there is only one, the parameter does not exist. */
  aggregates: readonly Aggregate[];
  /** The record schemas of each dialect, with their fields in order. */
  records: { reference: TObject; live: TObject };
  /** By the field names of the reference record, which are also the snapshot's column names. */
  columns: Record<string, FieldColumn>;
  /** The sums over the rows that `controlTotals` shows, in order. */
  totals: readonly string[];
  /** Additions to `GET /reports/{guid}/totals`; by default it has the sums of `totals` by restaurant and date. */
  reportTotals?: ReportTotals;
  /** Microseconds of the engine to gather and render one date of one restaurant with 100 to 250 orders. */
  cost(plan: { aggregate: Aggregate; groups: readonly string[] }): number;
  /** Milliseconds per restaurant and date that a report is expected to take while none has been gathered yet. */
  firstGuess(aggregate: Aggregate): number;
  /** Limits of create calls, by name; each has a setting `limit{Name}`. */
  limits: Record<string, LimitNumbers>;
  /** The limit of a create for the span: a name in `limits`. */
  limitOf(span: Span): string;
  /** The details of orders that the records require: a report lists the dates on which they are missing. */
  needs?: OrderDetail;
  /** A scope required in addition to that of all reports, if the service is configured so. */
  ownScope?: Scope;
  /** The lists of changes between two reports. */
  changes: readonly ChangeList[];
  /**
   * What the live system supports of it, if less: with `--live-restrictions on`, clients of the dialect `live` are
   * refused the rest.
   */
  onLive?: OnLive;
}

interface OnLive {
  /** By default all spans of the family. */
  spans?: readonly Span[];
  /** The spans that allow `groupBy`; by default all. */
  groupedSpans?: readonly Span[];
}

/**
 * Ties a family's declaration to its record: a field without a column, or a column without a field, does not compile.
 */
export function defineFamily<
  const Kind extends string,
  Reference extends TObject,
  const Limits extends Record<string, LimitNumbers>,
>(
  family: Omit<ReportFamily, 'kind' | 'records' | 'columns' | 'limits' | 'limitOf'> & {
    kind: Kind;
    records: { reference: Reference; live: TObject };
    columns: { [Field in keyof Reference['properties']]: FieldColumn };
    limits: Limits;
    limitOf(span: Span): keyof Limits & string;
  },
): Omit<ReportFamily, 'kind' | 'limits'> & { kind: Kind; limits: Limits } {
  for (const dialect of ['reference', 'live'] as const) {
    const shown = new Set(Object.entries(family.columns as Record<string, FieldColumn>).map(nameIn(dialect)));
    const wrong = Object.keys(family.records[dialect].properties).filter((field) => !shown.has(field));
    if (wrong.length > 0)
      throw new Error(`${family.kind}: no column writes ${wrong.join(', ')} of the ${dialect} record`);
  }
  return family;
}

const nameIn =
  (dialect: Dialect) =>
  ([field, column]: [string, FieldColumn]): string =>
    dialect === 'live' ? (column.live?.name ?? field) : field;

/** The name of a field in a dialect. */
export const fieldName = (family: ReportFamily, field: string, dialect: Dialect): string =>
  nameIn(dialect)([field, family.columns[field] ?? { type: 'text' }]);

/** The field with the business date: the first of type `date`. Throws Error if a record has none. */
export function dateField({ kind, columns }: ReportFamily): string {
  const [found] = Object.entries(columns).find(([, { type }]) => type === 'date') ?? [];
  if (found === undefined) throw new Error(`${kind}: no field is a date`);
  return found;
}

/** A field of a form: the column of the snapshot that it is read from, its name on the wire, and how it is written. */
export interface ShownColumn {
  field: string;
  name: string;
  type: ColumnType;
  loaded: boolean;
  /** Whether snapshots have its column; otherwise it is null in all records. */
  stored: boolean;
  /** Whether a JSON record omits the field if it is null. */
  nullLeftOut: boolean;
}

/** The fields of a form: in the order of the dialect's record, or in that of the layout `people`. */
export function columnsOf(family: ReportFamily, shape: Shape): ShownColumn[] {
  const columns = recordColumns(family, shape);
  if (!shape.currencies) return columns;
  const isName = ({ name }: ShownColumn): boolean => name === 'restaurantName';
  const isGuid = ({ name, type }: ShownColumn): boolean => type === 'guid' || name.endsWith('Guid');
  const rest = columns.filter((column) => !isName(column) && !isGuid(column));
  return [...columns.filter(isName), CURRENCY_COLUMN, ...rest, ...columns.filter(isGuid)];
}

const CURRENCY_COLUMN: ShownColumn = {
  field: CURRENCY_FIELD,
  name: CURRENCY_FIELD,
  type: 'text',
  loaded: false,
  stored: false,
  nullLeftOut: false,
};

/** The fields in the order of the dialect's record. */
function recordColumns(family: ReportFamily, shape: Shape): ShownColumn[] {
  const entries = Object.entries(family.columns).filter(([, column]) => column.shownIn?.(shape) ?? true);
  const shown = new Map(
    entries.map(([field, column]) => {
      const live = shape.dialect === 'live' ? column.live : undefined;
      const name = live?.name ?? field;
      const { loaded = false } = column;
      const stored = column.storedIn?.(shape) ?? true;
      const nullLeftOut = live?.nullLeftOut ?? false;
      return [name, { field, name, type: live?.type ?? column.type, loaded, stored, nullLeftOut }];
    }),
  );
  return Object.keys(family.records[shape.dialect].properties).flatMap((name) => shown.get(name) ?? []);
}

/** The time ranges of POST {path}/{timeRange}. */
export const timeRangesOf = ({ spans }: ReportFamily): readonly TimeRange[] =>
  TIME_RANGES.filter((range) => spans.includes(range));

/** Whether `fetchRestaurantNames` changes a form; records of other families always or never have the names. */
export const takesNames = ({ columns }: ReportFamily): boolean => columns.restaurantName?.shownIn !== undefined;

/**
 * The key that a create for the span is counted under: the limit alone, or the limit and the endpoint, such as `labor
 * /labor/day`.
 */
export function countedAs(family: ReportFamily, span: Span): string {
  const limit = family.limitOf(span);
  return family.limits[limit]?.each ? `${limit} ${family.path}/${span}` : limit;
}

/** All scopes required to create and retrieve its reports. */
export const scopesOf = ({ ownScope }: ReportFamily, { guestScope }: { guestScope: boolean }): readonly Scope[] =>
  guestScope && ownScope ? [SCOPE_READ, ownScope] : [SCOPE_READ];
