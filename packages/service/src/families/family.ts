/**
 * What a report family is. Everything that is peculiar to one kind of report is a property here, declared in the family's
 * folder; no other code asks which kind a report is. The SQL of a family is with each engine (`facts/…/families/`).
 */
import type { TObject } from 'typebox';
import type { OrderDetail } from '../contract/incomplete.ts';
import {
  type Aggregate,
  type Dialect,
  SCOPE_READ,
  type Scope,
  type Span,
  TIME_RANGES,
  type TimeRange,
} from '../contract/words.ts';

/** Decimal places of the types that a snapshot stores as integers in their smallest unit: cents, thousandths of hours, millionths of quantities. */
export const DECIMALS = { money: 2, percent: 2, hours: 3, quantity: 6, decimalText: 2 } as const;

/**
 * How the snapshot stores a value of a record, which decides how it is written: those of `DECIMALS` are integers written as
 * numbers with that many decimals (`decimalText` as text), `instant` is milliseconds UTC, `date` is a YYYYMMDD integer,
 * `dateList` a list of them, `hour` is 0 to 23, `localTime` is the restaurant's wall clock in whole seconds, as milliseconds since
 * 1970, written without a zone. Engines have a writer for each (`facts/duckdb/columns.ts`).
 */
export type ColumnType =
  | keyof typeof DECIMALS
  | 'guid'
  | 'text'
  | 'count'
  | 'countText'
  | 'boolean'
  | 'date'
  | 'dateList'
  | 'hour'
  | 'instant'
  | 'localTime';

/** What a form shows of a report: its dialect, whether it has restaurants' names, and what the report is split by. */
export interface Shape {
  dialect: Dialect;
  names: boolean;
  groups: readonly string[];
  aggregate: Aggregate;
}

export interface Column {
  type: ColumnType;
  /** Text that came with the loaded data. A CSV cell of it is guarded against being run as a formula (docs/downloads.md#csv). */
  loaded?: true;
  /**
   * What the `live` dialect has differently. With `nullLeftOut` a JSON or NDJSON record has no such field where it is null; CSV and
   * Parquet have the column in any case. At most one field of a form may have it.
   */
  live?: { name?: string; type?: ColumnType; nullLeftOut?: true };
  /** Whether a form has the field; left out: every form has it. */
  shownIn?: (shape: Shape) => boolean;
}

export interface LimitNumbers {
  /** The windows of the live system, such as `10/min,60/h` (contract/limits.ts reads them). */
  live: string;
  /** The default. */
  generous: string;
  /** The calls that it counts, for the help of its setting. */
  calls: string;
  /** Whether each create endpoint is counted on its own; otherwise all that name the limit are counted together. */
  each?: true;
}

/** The list of `GET /reports/{guid}/changes` that a family explains itself by. */
export type ChangeList = 'checks' | 'orders' | 'lines' | 'timeEntries';

/** A figure made of sums: `of` × `times` ÷ `by` in the smallest units of the three, rounded half away from zero. */
export interface Ratio {
  of: string;
  by: string;
  times: number;
  /** Where `by` adds up to 0. */
  none: 0 | null;
}

/** What totals can be made by, besides restaurant, business date and weekday. */
export interface Split {
  /** Fields of the record that it consists of. */
  fields: readonly string[];
  /** The value of `groupBy` or `aggregateBy` that the report must have been created with; without it every report has the fields. */
  needs?: string;
}

/** What `GET /reports/{guid}/totals` makes of a report, besides the sums of `totals`. */
export interface ReportTotals {
  /** Fields that it adds up besides those of `totals`. */
  sums?: readonly string[];
  /** Figures of `totals` that are no field: how many rows have the field that they name. */
  counts?: Readonly<Record<string, string>>;
  /**
   * Fields that have one value for all rows with the same `per`, as labour has for a restaurant and a time: it counts once. By
   * anything else they cannot be split, and are null.
   */
  once?: { fields: readonly string[]; per: readonly string[] };
  ratios?: Readonly<Record<string, Ratio>>;
  splits?: Readonly<Record<string, Split>>;
}

export interface ReportFamily {
  /** As `kind` of a report request. */
  kind: string;
  /** Below the base: create by POST `{path}/{timeRange}`, retrieve by GET `{path}/{guid}`. */
  path: `/${string}`;
  /** Names of operations and schemas: `create{title}DayReport`. */
  title: string;
  /** `a report of {noun}`. */
  noun: string;
  /** Its name on the console, where people choose a report: `Card payments`. */
  label: string;
  /** Summary of the retrieval. */
  summary: string;
  /** Spans that can be created; `custom` is POST `{path}`. */
  spans: readonly Span[];
  /** Whether GET `{path}/{timeRange}/{guid}` is served as well (docs/contract.md#deprecated-path). */
  deprecatedPath?: true;
  /** Names of the dates in the body. */
  dates: { start: string; end: string };
  /** Words of `groupBy`, in the order in which rows are sorted; none: there is no such field. */
  groups: readonly string[];
  mostGroups: number;
  /** Values of `aggregateBy`; one alone: there is no such parameter. */
  aggregates: readonly Aggregate[];
  /** The records of the wire in each dialect, in the order of their fields. */
  records: { reference: TObject; live: TObject };
  /** By the names of the reference record, which are those of the snapshot's columns. */
  columns: Record<string, Column>;
  /** Sums over the rows that `controlTotals` shows, in their order. */
  totals: readonly string[];
  /** What more there is to `GET /reports/{guid}/totals`; left out: the sums by restaurant and date. */
  reportTotals?: ReportTotals;
  /** Microseconds of the engine for one date of one restaurant with 100 to 250 orders, gathered and rendered. */
  cost(plan: { aggregate: Aggregate; groups: readonly string[] }): number;
  /** Milliseconds by restaurant and date that a report is expected to take while none has been gathered yet. */
  firstGuess(aggregate: Aggregate): number;
  /** Limits of creating, by name; each has a setting `limit{Name}`. */
  limits: Record<string, LimitNumbers>;
  /** The limit of a create of the span: a name of `limits`. */
  limitOf(span: Span): string;
  /** The details of orders that the records are made of: a report says on which dates they are missing. */
  needs?: OrderDetail;
  /** Required in addition to the scope of all reports, where the service is set up so. */
  ownScope?: Scope;
  /** Lists of the changes between two reports. */
  changes: readonly ChangeList[];
  /** What the live system takes of it, where that is less: clients of the dialect `live` are refused the rest under `--live-restrictions on`. */
  onLive?: OnLive;
}

export interface OnLive {
  /** Left out: all of the family's. */
  spans?: readonly Span[];
  /** The spans that take `groupBy`; left out: all. */
  groupedSpans?: readonly Span[];
}

/** Ties the declarations of a family to its record: a field without a column, or a column without a field, does not compile. */
export function defineFamily<
  const Kind extends string,
  Reference extends TObject,
  const Limits extends Record<string, LimitNumbers>,
>(
  family: Omit<ReportFamily, 'kind' | 'records' | 'columns' | 'limits' | 'limitOf'> & {
    kind: Kind;
    records: { reference: Reference; live: TObject };
    columns: { [Field in keyof Reference['properties']]: Column };
    limits: Limits;
    limitOf(span: Span): keyof Limits & string;
  },
): Omit<ReportFamily, 'kind' | 'limits'> & { kind: Kind; limits: Limits } {
  for (const dialect of ['reference', 'live'] as const) {
    const shown = new Set(Object.entries(family.columns as Record<string, Column>).map(nameIn(dialect)));
    const wrong = Object.keys(family.records[dialect].properties).filter((field) => !shown.has(field));
    if (wrong.length > 0)
      throw new Error(`${family.kind}: no column writes ${wrong.join(', ')} of the ${dialect} record`);
  }
  return family;
}

const nameIn =
  (dialect: Dialect) =>
  ([field, column]: [string, Column]): string =>
    dialect === 'live' ? (column.live?.name ?? field) : field;

/** The name of a field in a dialect. */
export const fieldName = (family: ReportFamily, field: string, dialect: Dialect): string =>
  nameIn(dialect)([field, family.columns[field] ?? { type: 'text' }]);

/** The field with the business date: the first that is a date. Throws where a record has none. */
export function dateField({ kind, columns }: ReportFamily): string {
  const [found] = Object.entries(columns).find(([, { type }]) => type === 'date') ?? [];
  if (found === undefined) throw new Error(`${kind}: no field is a date`);
  return found;
}

/** A field of a form: the column of the snapshot it is read from, its name on the wire, and how it is written. */
export interface ShownColumn {
  field: string;
  name: string;
  type: ColumnType;
  loaded: boolean;
  /** Whether a JSON record has no such field where it is null. */
  nullLeftOut: boolean;
}

/** The fields of a form in the order of the dialect's record. */
export function columnsOf(family: ReportFamily, shape: Shape): ShownColumn[] {
  const entries = Object.entries(family.columns).filter(([, column]) => column.shownIn?.(shape) ?? true);
  const shown = new Map(
    entries.map(([field, column]) => {
      const live = shape.dialect === 'live' ? column.live : undefined;
      const name = live?.name ?? field;
      const { loaded = false } = column;
      return [name, { field, name, type: live?.type ?? column.type, loaded, nullLeftOut: live?.nullLeftOut ?? false }];
    }),
  );
  return Object.keys(family.records[shape.dialect].properties).flatMap((name) => shown.get(name) ?? []);
}

/** The time ranges of POST {path}/{timeRange}. */
export const timeRangesOf = ({ spans }: ReportFamily): readonly TimeRange[] =>
  TIME_RANGES.filter((range) => spans.includes(range));

/** Whether `fetchRestaurantNames` changes a form; records of other families have the names in any case, or never. */
export const takesNames = ({ columns }: ReportFamily): boolean => columns.restaurantName?.shownIn !== undefined;

/** What a create of the span is counted as: the limit alone, or the limit at this endpoint, such as `labor /labor/day`. */
export function countedAs(family: ReportFamily, span: Span): string {
  const limit = family.limitOf(span);
  return family.limits[limit]?.each ? `${limit} ${family.path}/${span}` : limit;
}

/** The scopes that creating and retrieving its reports take, all of them. */
export const scopesOf = ({ ownScope }: ReportFamily, { guestScope }: { guestScope: boolean }): readonly Scope[] =>
  guestScope && ownScope ? [SCOPE_READ, ownScope] : [SCOPE_READ];
