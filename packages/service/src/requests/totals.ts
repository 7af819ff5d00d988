/** The rows of a report added up, in the units of the wire and the dialect of the reader. */
import type { Dialect } from '../contract/words.ts';
import type { TotalsQuery, TotalsRow } from '../facts/report.ts';
import { fieldName, type ReportFamily } from '../families/family.ts';
import type { ReportRequest } from '../ledger/report.ts';
import { fieldProblem } from '../problems.ts';
import { shownFigure } from './changes.ts';

/** What every report has totals by. */
export const COMMON_SPLITS = ['restaurant', 'businessDate', 'weekday'] as const;
const MOST_WORDS = 2;
/** The most rows of an answer, some 5 MB. */
export const MOST_TOTALS = 10_000;

/** The words that totals of this report can be made by. */
function wordsOf({ reportTotals }: ReportFamily, { groups, aggregate }: ReportRequest['plan']): string[] {
  const has = ({ needs }: { needs?: string }): boolean =>
    needs === undefined || needs === aggregate || groups.includes(needs);
  const splits = Object.entries(reportTotals?.splits ?? {}).filter(([, split]) => has(split));
  return [...COMMON_SPLITS, ...splits.map(([word]) => word)];
}

/** Reads `by`. Throws a Problem that names the parameter. */
export function readBy(query: Record<string, unknown>, family: ReportFamily, report: ReportRequest): string[] {
  const unknown = Object.keys(query).find((name) => name !== 'by');
  if (unknown !== undefined)
    throw fieldProblem('unknown_parameter', unknown, `unknown query parameter ${unknown}; allowed: by`);
  if (query.by === undefined) return [];
  const words = typeof query.by === 'string' ? query.by.split(',') : [];
  const known = wordsOf(family, report.plan);
  const isRight = words.length > 0 && words.length <= MOST_WORDS && new Set(words).size === words.length;
  if (isRight && words.every((word) => known.includes(word))) return words;
  const message = `by must be one or two different values of ${known.join(', ')}, which are what this report has`;
  throw fieldProblem('invalid_parameter', 'by', message);
}

/** What of the report is added up: one row more than an answer may have tells that there are too many. */
export function totalsQuery(family: ReportFamily, report: ReportRequest, by: readonly string[]): TotalsQuery {
  const words = wordsOf(family, report.plan);
  const splits = Object.entries(family.reportTotals?.splits ?? {});
  const missing = new Set(splits.flatMap(([word, { fields }]) => (words.includes(word) ? [] : fields)));
  return {
    kind: report.kind,
    by,
    currencies: report.totals?.length ?? 1,
    fields: Object.keys(family.columns).filter((field) => !missing.has(field)),
    limit: MOST_TOTALS + 1,
  };
}

/** What the whole of a currency without rows adds up to. */
function emptyTotals({ totals, reportTotals: { ratios = {} } = {} }: ReportFamily, currency: number): TotalsRow {
  const sums = totals.map((field) => [field, 0] as const);
  const quotients = Object.entries(ratios).map(([field, { none }]) => [field, none] as const);
  return { keys: {}, currency, rows: 0, figures: Object.fromEntries([...sums, ...quotients]) };
}

/** The rows of the answer. The whole has one for each currency of the report, as control totals do. */
export function shownTotalsRows(
  family: ReportFamily,
  report: ReportRequest,
  { by, dialect, rows }: { by: readonly string[]; dialect: Dialect; rows: readonly TotalsRow[] },
): Record<string, unknown>[] {
  const currencies = report.totals?.map(({ currencyCode }) => currencyCode) ?? [null];
  const missing =
    by.length > 0
      ? []
      : currencies.flatMap((_, place) => (rows.some(({ currency }) => currency === place) ? [] : [place]));
  const all = [...rows, ...missing.map((place) => emptyTotals(family, place))].sort((one, other) =>
    by.length > 0 ? 0 : one.currency - other.currency,
  );
  const fields = [...Object.keys(family.columns), ...Object.keys(family.reportTotals?.counts ?? {})];
  const reader = { family, dialect };
  return all.map(({ keys, currency, rows: count, figures }) => {
    const shownKeys = Object.entries(keys).map(([field, value]) => [
      fieldName(family, field, dialect),
      field === 'weekday' ? value : field === 'businessDate' ? String(value) : shownFigure(reader, field, value),
    ]);
    const shown = fields
      .filter((field) => field in figures)
      .map((field) => [fieldName(family, field, dialect), shownFigure(reader, field, figures[field] ?? null)]);
    return {
      ...Object.fromEntries(shownKeys),
      currencyCode: currencies[currency] ?? null,
      rows: count,
      ...Object.fromEntries(shown),
    };
  });
}
