/** Sums over the rows of a report, in the units of the wire and the dialect of the reader. */
import { Type } from '../contract/schemas.ts';
import type { Dialect } from '../contract/words.ts';
import type { TotalsQuery, TotalsRow } from '../facts/report.ts';
import { fieldName, type ReportFamily } from '../families/family.ts';
import { datesParameters, parameter, type QueryDates, wholeParameter } from '../http/query-parameters.ts';
import type { ReportRequest } from '../ledger/report.ts';
import { shownFigure } from './changes.ts';

/** Every report can be totalled by these. */
export const COMMON_SPLITS = ['restaurant', 'businessDate', 'weekday'] as const;
const MOST_WORDS = 3;
/** The most rows of an answer, some 5 MB. */
export const MOST_TOTALS = 10_000;

/** The values of `by` that this report allows. */
function splitWords({ reportTotals }: ReportFamily, { groups, aggregate }: ReportRequest['plan']): string[] {
  const has = ({ needs }: { needs?: string }): boolean =>
    needs === undefined || needs === aggregate || groups.includes(needs);
  const splits = Object.entries(reportTotals?.splits ?? {}).filter(([, split]) => has(split));
  return [...COMMON_SPLITS, ...splits.map(([word]) => word)];
}

/** What to total, as requested. */
export interface TotalsRequest extends QueryDates {
  by: string[];
  /** The figures of each row, by their internal field names; undefined for all. */
  figures: string[] | undefined;
  /** 1 for Monday to 7 for Sunday; undefined for all. */
  weekday: number | undefined;
}

export const weekdayParameter = wholeParameter(
  'weekday',
  'Only rows of dates of this weekday, from 1 (Monday) to 7 (Sunday)',
  [1, 7],
  Type.Integer({ minimum: 1, maximum: 7, examples: [5] }),
);

/** The fields of the family that can be totalled. */
const figuresOf = ({ totals, reportTotals: { sums = [], ratios = {}, counts = {} } = {} }: ReportFamily): string[] => [
  ...new Set([...totals, ...sums, ...Object.keys(ratios), ...Object.keys(counts)]),
];

/** What the parameters of totals are read for. */
interface TotalsOf {
  family: ReportFamily;
  report: ReportRequest;
  dialect: Dialect;
}

/** The figures of a family by their names in the dialect. */
const namedFigures = ({ family, dialect }: TotalsOf): Map<string, string> =>
  new Map(figuresOf(family).map((field) => [fieldName(family, field, dialect), field]));

export const byParameter = parameter<string[], TotalsOf>(
  'by',
  'One to three values, between commas; without it the whole report',
  Type.String({ pattern: '^[A-Za-z]+(,[A-Za-z]+){0,2}$', examples: ['weekday'] }),
  {
    parse(value, { family, report }) {
      const words = typeof value === 'string' ? value.split(',') : [];
      const known = splitWords(family, report.plan);
      const isRight = words.length > 0 && words.length <= MOST_WORDS && new Set(words).size === words.length;
      return isRight && words.every((word) => known.includes(word)) ? words : undefined;
    },
    expected: ({ family, report }) =>
      `one to three different values between commas, of those that this report has (${splitWords(family, report.plan).join(', ')})`,
  },
);

export const fieldsParameter = parameter<string[], TotalsOf>(
  'fields',
  'The figures of each row, by their names, between commas; all without it. Keys and `currencyCode` are always there',
  Type.String({ pattern: '^[A-Za-z]+(,[A-Za-z]+)*$' }),
  {
    parse(value, of) {
      const known = namedFigures(of);
      const names = typeof value === 'string' ? value.split(',') : [''];
      const found = names.flatMap((name) => known.get(name) ?? []);
      return found.length === names.length ? found : undefined;
    },
    expected: (of) => `names of figures between commas (${[...namedFigures(of).keys()].join(', ')})`,
  },
);

export const totalsDates = datesParameters(
  'Only rows of this date and later ones',
  'Only rows of this date and earlier ones',
);

/** Reads the query. Throws a Problem that names the parameter. */
export function readTotalsRequest(
  query: Record<string, unknown>,
  family: ReportFamily,
  report: ReportRequest,
  dialect: Dialect,
): TotalsRequest {
  const of = { family, report, dialect };
  return {
    by: byParameter.read(query, of) ?? [],
    figures: fieldsParameter.read(query, of),
    weekday: weekdayParameter.read(query),
    ...totalsDates.read(query),
  };
}

/** The query of the facts. It asks for one row more than an answer may have, which shows that there are too many. */
export function totalsQuery(
  family: ReportFamily,
  report: ReportRequest,
  { by, figures, from, to, weekday }: TotalsRequest,
): TotalsQuery {
  const words = splitWords(family, report.plan);
  const splits = Object.entries(family.reportTotals?.splits ?? {});
  const missing = new Set(splits.flatMap(([word, { fields }]) => (words.includes(word) ? [] : fields)));
  return {
    kind: report.kind,
    by,
    grouped: report.plan.groups.length > 0,
    currencies: report.totals?.length ?? 1,
    fields: Object.keys(family.columns).filter((field) => !missing.has(field)),
    figures,
    dates: { from, to, weekday },
    limit: MOST_TOTALS + 1,
  };
}

/**
 * The totals of a currency that has no rows. Other sums than those of every report are null in one with groups, as
 * sales are in labor by job.
 */
function emptyTotals(
  { totals, reportTotals: { sums = [], ratios = {} } = {} }: ReportFamily,
  { groups }: ReportRequest['plan'],
  currency: number,
): TotalsRow {
  const zeros = totals.map((field) => [field, 0] as const);
  const others = sums.map((field) => [field, groups.length > 0 ? null : 0] as const);
  const quotients = Object.entries(ratios).map(([field, { none }]) => [field, none] as const);
  return { keys: {}, currency, rows: 0, figures: Object.fromEntries([...zeros, ...others, ...quotients]) };
}

/** The rows of the answer. Without `by` there is one for each currency of the report, as in the control totals. */
export function shownTotalsRows(
  family: ReportFamily,
  report: ReportRequest,
  {
    by,
    figures: requested,
    dialect,
    rows,
  }: Pick<TotalsRequest, 'by' | 'figures'> & { dialect: Dialect; rows: readonly TotalsRow[] },
): Record<string, unknown>[] {
  const currencies = report.totals?.map(({ currencyCode }) => currencyCode) ?? [null];
  const missing =
    by.length > 0
      ? []
      : currencies.flatMap((_, index) => (rows.some(({ currency }) => currency === index) ? [] : [index]));
  const filled = [...rows, ...missing.map((index) => emptyTotals(family, report.plan, index))].sort((a, b) =>
    by.length > 0 ? 0 : a.currency - b.currency,
  );
  const all = [...Object.keys(family.columns), ...Object.keys(family.reportTotals?.counts ?? {})];
  const fields = requested ? all.filter((field) => requested.includes(field)) : all;
  const reader = { family, dialect };
  // Named once, for up to 10,000 rows.
  const names = new Map([...all, ...COMMON_SPLITS].map((field) => [field, fieldName(family, field, dialect)]));
  return filled.map(({ keys, currency, rows: count, figures }) => {
    const shown: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(keys))
      shown[names.get(field) ?? field] = field === 'weekday' ? value : shownFigure(reader, field, value);
    shown.currencyCode = currencies[currency] ?? null;
    shown.rows = count;
    for (const field of fields)
      if (field in figures) shown[names.get(field) ?? field] = shownFigure(reader, field, figures[field] ?? null);
    return shown;
  });
}
