/**
 * The statement that adds up the rows of a snapshot: `GET /reports/{guid}/totals`. All names in it are a family's
 * constants.
 */
import { dateField, type Operand, type ReportFamily } from '../../families/family.ts';
import type { TotalsQuery, TotalsRow } from '../report.ts';
import type { Step } from './protocol.ts';
import type { StatementRow } from './row-types.ts';
import { fragment, step } from './steps.ts';

interface Key {
  name: string;
  /** What rows are grouped by, or, of a name, the name of the last date. */
  sql: string;
  /** The key as it is returned. */
  shown: string;
  /** The expression by which rows are sorted. */
  order: string;
  /** What rows are grouped by as well, and which is not returned. */
  hidden?: { name: string; sql: string };
}

const column = (field: string): string => `"${field}"`;
const same = (name: string, sql: string): Key => ({
  name,
  sql,
  shown: column(name),
  order: `${column(name)} nulls last`,
});
/**
 * Grouped as it is stored: the text of a GUID is made once for each group, not for each row. GUIDs and their texts sort
 * alike.
 */
const guid = (name: string): Key => ({
  ...same(name, column(name)),
  shown: `${column(name)}::varchar as ${column(name)}`,
});

/** The last date of the rows of the first step, from which their names are. */
const NAMED_ON = '"named on"';

/**
 * A name of what a GUID identifies. It is no key: what is renamed, or has other names in other restaurants, stays one
 * row, with a name of its last date. Without a GUID the name is the key.
 */
const nameKey = (name: string, identity: string, date: string): Key => ({
  ...same(name, `arg_max_null(${column(name)}, ${date})`),
  shown: `arg_max_null(${column(name)}, ${NAMED_ON}) as ${column(name)}`,
  hidden: { name: `"${name} alone"`, sql: `case when ${column(identity)} is null then ${column(name)} end` },
});

/** The keys for a value of `by`. Throws Error if the family does not have it. */
function keysOf(family: ReportFamily, word: string): Key[] {
  const date = column(dateField(family));
  if (word === 'restaurant') return [guid('restaurantGuid')];
  if (word === 'businessDate') return [same(word, date)];
  if (word === 'weekday') return [same(word, fragment('weekday', { date }))];
  const split = family.reportTotals?.splits?.[word];
  if (!split) throw new Error(`${family.kind} has no totals by ${word}`);
  return split.fields.map((field, index) => {
    const [identity = field] = split.fields;
    if (index > 0) return nameKey(field, identity, date);
    const type = family.columns[field]?.type;
    const key = type === 'guid' ? guid(field) : same(field, column(field));
    // Hours are sorted from 4 on, because a business day begins in the morning.
    return type === 'hour' ? { ...key, order: `(${column(field)} - 4 + 24) % 24` } : key;
  });
}

/** The summed fields, in the order of the control totals. */
const summedFields = ({ totals, reportTotals }: ReportFamily): readonly string[] => [
  ...totals,
  ...(reportTotals?.sums ?? []),
];

/** The column of an operand: that of its field, or the sum over the restaurants and dates that count. */
const operandColumn = ({ field, worked }: Operand): string => column(worked === undefined ? field : `${field} worked`);

/**
 * The sums of operands that count only restaurants and dates on which another field is not 0, by the name of their
 * column.
 */
function workedSums(family: ReportFamily, { fields }: TotalsQuery, operands: readonly Operand[]): Map<string, string> {
  const date = column(dateField(family));
  // Rows of hours or dayparts are parts of a date, which counts as a whole.
  const { per = [] } = family.reportTotals?.once ?? {};
  const isPart = per.some((field) => fields.includes(field) && field !== 'restaurantGuid' && column(field) !== date);
  return new Map(
    operands.flatMap((operand) => {
      if (operand.worked === undefined) return [];
      const words = { field: column(operand.worked), date };
      const counts = isPart ? fragment('totalsWorkedDate', words) : fragment('totalsWorkedRow', { field: words.field });
      return [[operandColumn(operand), `sum(${column(operand.field)}) filter (where ${counts})`]];
    }),
  );
}

/**
 * The sums and ratios that a query answers, and the sums that these ratios are made of: a snapshot is read by columns.
 */
function figuresOf(family: ReportFamily, { figures }: TotalsQuery) {
  const isAsked = (field: string): boolean => figures === undefined || figures.includes(field);
  const ratios = Object.entries(family.reportTotals?.ratios ?? {}).filter(([name]) => isAsked(name));
  const operands = ratios.flatMap(([, { of, by }]) => [of, by]);
  const needed = new Set(operands.flatMap(({ field, worked }) => (worked === undefined ? [field] : [])));
  const sums = summedFields(family).filter((field) => isAsked(field) || needed.has(field));
  return { sums, ratios, operands };
}

/**
 * Whether fields that count once can be split by these values of `by`: they must be restaurants, dates, or keys of
 * these fields.
 */
function countsOnce({ reportTotals: { once, splits } = {} }: ReportFamily, by: readonly string[]): boolean {
  const fields = by.flatMap((word) => splits?.[word]?.fields ?? []);
  return fields.every((field) => once?.per.includes(field));
}

/**
 * Returns a row for each combination of keys and each currency: the keys, `currency`, `rows`, then sums and ratios by
 * their fields.
 */
export function totalsStep(family: ReportFamily, query: TotalsQuery, file: string): Step {
  const { once, counts = {} } = family.reportTotals ?? {};
  const date = column(dateField(family));
  const keys = query.by.flatMap((word) => keysOf(family, word));
  // In a report without groups nothing repeats, so the first of the two steps has nothing to reduce.
  const onceFields = query.grouped ? (once?.fields ?? []) : [];
  const per = query.grouped ? (once?.per ?? []).filter((field) => query.fields.includes(field)) : [];
  const { sums, ratios, operands } = figuresOf(family, query);
  const worked = workedSums(family, query, operands);
  const split = countsOnce(family, query.by);
  const sumOf = (field: string): string =>
    onceFields.includes(field) && !split ? 'null::bigint' : `sum(${column(field)})::bigint`;
  const figures = [
    ...sums.map((field) => `${sumOf(field)} as ${column(field)}`),
    ...[...worked.keys()].map((name) => `sum(${name})::bigint as ${name}`),
  ];
  const ratioFigures = ratios.map(([name, { of, by, times, none }]) => {
    const [dividend, divisor] = [operandColumn(of), operandColumn(by)];
    const words = { dividend, divisor, times: String(times), none: none === 0 ? '0' : 'null' };
    return `${fragment('totalsRatio', words)} as ${column(name)}`;
  });
  const { from, to, weekday } = query.dates;
  const conditions = [
    ...(from === undefined ? [] : [fragment('totalsFrom', { date })]),
    ...(to === undefined ? [] : [fragment('totalsTo', { date })]),
    ...(weekday === undefined ? [] : [fragment('totalsWeekday', { weekday: fragment('weekday', { date }) })]),
  ];
  const shown = keys.map((key) => key.shown);
  const hidden = keys.flatMap((key) => key.hidden ?? []);
  const unshown = [...hidden.map(({ name }) => name), ...worked.keys()];
  const list = (...parts: readonly string[]): string => parts.join(', ');
  const words = {
    keys: list(
      ...keys.map(({ name, sql }) => `${sql} as ${column(name)}`),
      ...hidden.map(({ name, sql }) => `${sql} as ${name}`),
      ...(hidden.length > 0 ? [`max(${date}) as ${NAMED_ON}`] : []),
      `${query.currencies > 1 ? '"currency"' : '0'} as "totals_currency"`,
    ),
    per: per.map((field, index) => `, ${column(field)} as "per_${index}"`).join(''),
    once: list(
      'count(*) as "totals_rows"',
      ...sums.map((field) => {
        const counted = counts[field];
        if (counted !== undefined) return `count(${column(counted)}) as ${column(field)}`;
        return `${onceFields.includes(field) ? 'max' : 'sum'}(${column(field)}) as ${column(field)}`;
      }),
      ...[...worked].map(([name, sum]) => `${sum} as ${name}`),
    ),
    names: list(...shown, ...hidden.map(({ name }) => name), '"totals_currency"'),
    exclude: unshown.length > 0 ? ` exclude (${list(...unshown)})` : '',
    sums: list('sum("totals_rows")::bigint as "totals_rows"', ...figures),
    where: conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`,
    ratios: ratioFigures.map((figure) => `, ${figure}`).join(''),
    order: list(...keys.map(({ order }) => order), '"totals_currency"'),
  };
  const values = Object.fromEntries(Object.entries(query.dates).filter(([, value]) => value !== undefined));
  return step('totals', { file, limit: query.limit, ...(values as Record<string, number>) }, words);
}

/**
 * Reads the result of the step. All rows have the same columns, so which are figures is determined once for up to
 * 10,000 rows.
 */
export function totalsRowsOf(family: ReportFamily, rows: readonly StatementRow<'totals'>[]): TotalsRow[] {
  const known = new Set([...summedFields(family), ...Object.keys(family.reportTotals?.ratios ?? {})]);
  const { totals_currency, totals_rows, ...fields } = rows[0] ?? {};
  const names = Object.keys(fields);
  const figures = names.filter((name) => known.has(name));
  const keys = names.filter((name) => !known.has(name));
  const pick = (row: StatementRow<'totals'>, of: readonly string[]): Record<string, unknown> => {
    const picked: Record<string, unknown> = {};
    for (const name of of) picked[name] = row[name];
    return picked;
  };
  return rows.map((row) => ({
    keys: pick(row, keys) as TotalsRow['keys'],
    currency: Number(row.totals_currency),
    rows: Number(row.totals_rows),
    figures: pick(row, figures) as TotalsRow['figures'],
  }));
}
