/** The statement that adds up the rows of a snapshot: `GET /reports/{guid}/totals`. All names in it are a family's constants. */
import { dateField, type ReportFamily } from '../../families/family.ts';
import type { TotalsQuery, TotalsRow } from '../report.ts';
import type { Step } from './protocol.ts';
import type { StatementRow } from './row-types.ts';
import { part, step } from './steps.ts';

interface Key {
  name: string;
  sql: string;
  /** The expression by which rows are sorted. */
  order: string;
}

const column = (field: string): string => `"${field}"`;
const same = (name: string, sql: string): Key => ({ name, sql, order: `${column(name)} nulls last` });

/** The keys for a value of `by`. Throws Error if the family does not have it. */
function keysOf(family: ReportFamily, word: string): Key[] {
  const date = column(dateField(family));
  if (word === 'restaurant') return [same('restaurantGuid', `${column('restaurantGuid')}::varchar`)];
  if (word === 'businessDate') return [same(word, date)];
  if (word === 'weekday') return [same(word, part('weekday', { date }))];
  const split = family.reportTotals?.splits?.[word];
  if (!split) throw new Error(`${family.kind} has no totals by ${word}`);
  return split.fields.map((field) => {
    const type = family.columns[field]?.type;
    const key = same(field, type === 'guid' ? `${column(field)}::varchar` : column(field));
    // Hours are sorted from 4 on, because a business day begins in the morning.
    return type === 'hour' ? { ...key, order: `(${column(field)} - 4 + 24) % 24` } : key;
  });
}

/** The summed fields, in the order of the control totals. */
export const summedFields = ({ totals, reportTotals }: ReportFamily): readonly string[] => [
  ...totals,
  ...(reportTotals?.sums ?? []),
];

/**
 * Whether fields that count once can be split by these values of `by`: they must be restaurants, dates, or keys of these
 * fields.
 */
function countsOnce({ reportTotals: { once, splits } = {} }: ReportFamily, by: readonly string[]): boolean {
  const fields = by.flatMap((word) => splits?.[word]?.fields ?? []);
  return fields.every((field) => once?.per.includes(field));
}

/** Returns a row for each combination of keys and each currency: the keys, `currency`, `rows`, then sums and ratios by their fields. */
export function totalsStep(family: ReportFamily, query: TotalsQuery, file: string): Step {
  const { once, ratios = {}, counts = {} } = family.reportTotals ?? {};
  const date = column(dateField(family));
  const keys = query.by.flatMap((word) => keysOf(family, word));
  // In a report without groups nothing repeats, so the first of the two steps has nothing to reduce.
  const onceFields = query.grouped ? (once?.fields ?? []) : [];
  const per = query.grouped ? (once?.per ?? []).filter((field) => query.fields.includes(field)) : [];
  const sums = summedFields(family);
  const split = countsOnce(family, query.by);
  const sumOf = (field: string): string =>
    onceFields.includes(field) && !split ? 'null::bigint' : `sum(${column(field)})::bigint`;
  const figures = sums.map((field) => `${sumOf(field)} as ${column(field)}`);
  const ratioFigures = Object.entries(ratios).map(([name, { of, by, times, none }]) => {
    const words = { dividend: column(of), divisor: column(by), times: String(times), none: none === 0 ? '0' : 'null' };
    return `${part('totalsRatio', words)} as ${column(name)}`;
  });
  const { from, to, weekday } = query.dates;
  const conditions = [
    ...(from === undefined ? [] : [part('totalsFrom', { date })]),
    ...(to === undefined ? [] : [part('totalsTo', { date })]),
    ...(weekday === undefined ? [] : [part('totalsWeekday', { weekday: part('weekday', { date }) })]),
  ];
  const names = keys.map(({ name }) => column(name));
  const list = (...parts: readonly string[]): string => parts.join(', ');
  const words = {
    keys: list(
      ...keys.map(({ name, sql }) => `${sql} as ${column(name)}`),
      `${query.currencies > 1 ? '"currency"' : '0'} as "totals_currency"`,
    ),
    per: per.map((field, place) => `, ${column(field)} as "per_${place}"`).join(''),
    once: list(
      'count(*) as "totals_rows"',
      ...sums.map((field) => {
        const counted = counts[field];
        if (counted !== undefined) return `count(${column(counted)}) as ${column(field)}`;
        return `${onceFields.includes(field) ? 'max' : 'sum'}(${column(field)}) as ${column(field)}`;
      }),
    ),
    names: list(...names, '"totals_currency"'),
    sums: list('sum("totals_rows")::bigint as "totals_rows"', ...figures),
    where: conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`,
    ratios: ratioFigures.map((figure) => `, ${figure}`).join(''),
    order: list(...keys.map(({ order }) => order), '"totals_currency"'),
  };
  const values = Object.fromEntries(Object.entries(query.dates).filter(([, value]) => value !== undefined));
  return step('totals', { file, limit: query.limit, ...(values as Record<string, number>) }, words);
}

/** Reads the result of the step. */
export function totalsRowOf(family: ReportFamily, row: StatementRow<'totals'>): TotalsRow {
  const figureNames = new Set([...summedFields(family), ...Object.keys(family.reportTotals?.ratios ?? {})]);
  const { totals_currency, totals_rows, ...fields } = row;
  const entries = Object.entries(fields);
  const isFigure = ([name]: readonly [string, unknown]): boolean => figureNames.has(name);
  return {
    keys: Object.fromEntries(entries.filter((entry) => !isFigure(entry))),
    currency: Number(totals_currency),
    rows: Number(totals_rows),
    figures: Object.fromEntries(entries.filter(isFigure)) as Record<string, number | null>,
  };
}
