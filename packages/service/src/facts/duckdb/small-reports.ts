/**
 * Reports that are gathered through a table in memory; several that wait at the same time are gathered by one query.
 */
import { datesIn } from '../../contract/dates.ts';
import type { Incomplete } from '../../contract/report-outcome.ts';
import type { Form } from '../form.ts';
import type { GatherQuery, RestaurantScope } from '../report.ts';
import { expressionsOf, recordTextOf, TEXT_MARKS, wholeRows } from './columns.ts';
import {
  currenciesOf,
  type EngineFamily,
  FEW_RESTAURANTS,
  incompleteOf,
  incompleteSteps,
  onlyFor,
  renderStep,
  reportQuery,
  restaurantTotalsStep,
  totalsSteps,
} from './gather.ts';
import { withLiterals } from './literals.ts';
import type { EngineRow, Step, Value } from './protocol.ts';
import { exactNumber, rowOf, rowsOf, type StatementRow } from './row-types.ts';
import { fragment, step } from './steps.ts';

/**
 * All missing days of joined small reports: each finds its own among them. They are not limited by the span, since
 * orders of any date may have been paid in it, but by the checks of a small report.
 */
const MOST_JOINED = Number.MAX_SAFE_INTEGER;
/**
 * If joined reports cost up to this many microseconds by their families, some 1,000 checks, their first forms are
 * returned as text, all by one statement: copying each into its own file took 3 ms of processor time.
 */
const TEXT_COST = 5000;

/** A report that is gathered through a table in memory, with its first form if one is requested. */
export interface SmallReport {
  family: EngineFamily;
  query: GatherQuery;
  file: string;
  first?: { form: Form; file: string } | undefined;
}

/** The engine's results for one report. */
export interface Answers {
  now: StatementRow<'now'>;
  /** One per currency. */
  totals: (StatementRow<'totals'> | undefined)[];
  incomplete: Incomplete | null;
  /** The text of the first form, unless it was written into its file. */
  text?: string | undefined;
}

/** The steps of joined reports, and a function that finds the results of the report at an index in their rows. */
export interface SmallGather {
  steps: Step[];
  answersOf(rows: EngineRow[][], index: number): Answers;
}

/**
 * Whether a report may be gathered with others of the same kind, dates and groups: a few restaurants, with the same
 * settings in all reports, and one currency, since a snapshot numbers the currencies of its own report.
 */
export function mayJoin(others: readonly SmallReport[], { query }: SmallReport): boolean {
  const known = new Map(scopesOf(others).map((one) => [one.id, JSON.stringify(one)]));
  for (const one of query.restaurants) {
    const text = JSON.stringify(one);
    if ((known.get(one.id) ?? text) !== text) return false;
    known.set(one.id, text);
  }
  const restaurants = [...scopesOf(others), ...query.restaurants];
  // The rows of a report are found by its restaurants, so it must have some.
  const all = [query, ...others.map((one) => one.query)].every((one) => one.restaurants.length > 0);
  return all && known.size <= FEW_RESTAURANTS && currenciesOf(restaurants).length === 1;
}

/** The restaurants of all reports, without duplicates. */
export const scopesOf = (reports: readonly SmallReport[]): RestaurantScope[] => [
  ...new Map(reports.flatMap(({ query }) => query.restaurants).map((one) => [one.id, one])).values(),
];

/** Steps, and how a report's result is taken from their rows. */
interface Part<T> {
  steps: Step[];
  of(rows: EngineRow[][], report: SmallReport, index: number): T;
}

/** The totals of each report, one per currency. */
function totalsPart(reports: readonly SmallReport[]): Part<Answers['totals']> {
  const [first] = reports;
  const joined = first && reports.length > 1 ? restaurantTotalsStep(first.family, 'snapshot') : undefined;
  if (!joined) {
    const each = reports.map((report) => {
      const { snapshot, own } = tableOf(report, reports.length);
      return totalsSteps(report.family, report.query, snapshot, own);
    });
    // Joined reports have one currency each.
    return {
      steps: each.flat(),
      of: (rows, _, index) => (each[index] ?? []).map((_, i) => rowsOf('totals', rows[index + i])[0]),
    };
  }
  return {
    steps: [joined],
    of([rows = []], { family: [{ totals }], query }) {
      const guids = new Set(query.restaurants.map(({ guid }) => guid));
      const own = rowsOf('restaurantTotals', rows).filter(({ restaurant }) => guids.has(String(restaurant)));
      return [Object.fromEntries(['rows', ...totals].map((field) => [field, exactSum(own.map((row) => row[field]))]))];
    },
  };
}

/** The sum of numbers that are exact, if it is; null otherwise. */
const exactSum = (values: readonly (number | string | null | undefined)[]): number | null =>
  values.includes(null) ? null : exactNumber(values.reduce((sum: bigint, value) => sum + BigInt(value ?? 0), 0n));

/** Whether the first forms of reports are returned as text. */
function haveTexts(reports: readonly SmallReport[]): boolean {
  if (reports.some(({ first }) => first && first.form.format !== 'json')) return false;
  const costs = reports.map(({ family: [family], query }) => {
    return query.restaurants.length * datesIn(query.startDate, query.endDate) * family.cost(query);
  });
  return costs.reduce((sum, cost) => sum + cost, 0) <= TEXT_COST;
}

/**
 * The first form of each report as text, if they are small enough. One statement for all reports with the same form.
 */
function textsPart(reports: readonly SmallReport[]): Part<string | undefined> {
  const isText = haveTexts(reports);
  const keyOf = ({ first }: SmallReport): string => (isText && first ? JSON.stringify(first.form) : '');
  const forms = new Map(reports.map((report) => [keyOf(report), report]));
  forms.delete('');
  const places = [...forms.keys()];
  return {
    steps: [...forms.values()].flatMap(({ family: [family], first }) =>
      first
        ? [
            step('formTexts', undefined, {
              columns: expressionsOf(family, first.form).join(', '),
              record: recordTextOf(family, first.form),
              snapshot: wholeRows('snapshot', family, first.form),
            }),
          ]
        : [],
    ),
    of(rows, report) {
      const index = places.indexOf(keyOf(report));
      if (index < 0 || !report.first) return undefined;
      const guids = new Set(report.query.restaurants.map(({ guid }) => guid));
      const records = rowsOf('formTexts', rows[index]).flatMap(({ owner, record }) =>
        guids.has(owner) ? [record] : [],
      );
      return recordsText(records);
    },
  };
}

/** A JSON form of the records, byte for byte as the engine writes it. */
function recordsText(records: readonly string[]): string {
  if (records.length === 0) return '[]';
  const { prefix, between, suffix } = TEXT_MARKS;
  return `${prefix}${records.join(between)}${suffix}`;
}

/**
 * Gathers small reports that may join in one transaction: the snapshot's time and load, the table, the totals, the
 * texts of forms, the files, and last the days on which details that the family requires are missing.
 */
export function smallGather(first: SmallReport, others: readonly SmallReport[] = []): SmallGather {
  const reports = [first, ...others];
  const all = { ...first.query, restaurants: scopesOf(reports) };
  const { sql, values } = reportQuery(first.family[1], all);
  const totals = totalsPart(reports);
  const texts = textsPart(reports);
  const written = reports.flatMap((report) => {
    const { snapshot, own } = tableOf(report, reports.length);
    const { family, file, first } = report;
    const form =
      first && !haveTexts(reports) ? [renderStep(snapshot, family[0], first.form, { ...own, form: first.file })] : [];
    return [step('tableToFile', { ...own, file }, { snapshot, options: fragment('snapshotOptions') }), ...form];
  });
  const begin = [step('now'), { ...step('toTable', values, { query: sql }), ...onlyFor(first.family, all) }];
  const beforeTexts = begin.length + totals.steps.length;
  return {
    steps: [
      ...begin,
      ...totals.steps,
      ...texts.steps,
      ...written,
      step('dropTable'),
      ...incompleteSteps(first.family, all, MOST_JOINED),
    ].map(withLiterals),
    answersOf(rows, index) {
      const report = reports[index] ?? first;
      return {
        now: rowOf('now', rows[0]),
        totals: totals.of(rows.slice(begin.length, beforeTexts), report, index),
        text: texts.of(rows.slice(beforeTexts), report, index),
        incomplete: report.family[0].needs ? incompleteOf(rows.at(-1) ?? [], report.query) : null,
      };
    },
  };
}

/** The rows of the table that belong to a report: all of them if it was gathered alone. */
function tableOf({ query }: SmallReport, of: number): { snapshot: string; own: Record<string, Value> } {
  if (of === 1) return { snapshot: 'snapshot', own: {} };
  const own = Object.fromEntries(query.restaurants.map(({ guid }, index) => [`guid${index}`, guid]));
  const guids = Object.keys(own).map((name) => `$${name}::uuid`);
  return { snapshot: fragment('part', { guids: guids.join(', ') }), own };
}
