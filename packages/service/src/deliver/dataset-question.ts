/** Reads the query of a dataset as the create call of its report. */
import { fieldProblem, Problem } from '../contract/problems.ts';
import type { Span } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { aggregateBy, latestDate, type ReportQuery, readReportQuery, takesAggregate } from '../requests/query.ts';
import { fromParameter, groupParameter, restaurantsParameter, toParameter } from './dataset-operations.ts';

/** The create call that asks the same: the parts of `CreateCall`. */
export interface DatasetQuestion {
  body: Record<string, unknown>;
  query: Record<string, string>;
  reportQuery: ReportQuery;
}

/** Throws a 400 Problem, which may name a property of the body. */
export function readQuestion(
  family: ReportFamily,
  span: Span,
  query: Record<string, unknown>,
  { restaurants, now }: { restaurants: readonly Restaurant[]; now: number },
): DatasetQuestion {
  const ids = restaurantsParameter.read(query) ?? [];
  const named = restaurants.filter(({ guid }) => ids.includes(guid));
  const today = latestDate(named.length > 0 ? named : restaurants, now);
  const from = fromParameter.read(query, today);
  if (!from) throw fieldProblem('invalid_parameter', 'from', 'from is required.');
  const to = toParameter.read(query, today) ?? from;
  const groups = family.groups.length > 0 ? groupParameter(family).read(query) : undefined;
  const aggregate = takesAggregate(family) ? aggregateBy(family).read(query) : undefined;
  const { start, end } = family.dates;
  const body = {
    [start]: String(from.start),
    [end]: String(to.end),
    restaurantIds: ids,
    ...(groups ? { groupBy: groups } : {}),
  };
  const requested: Record<string, string> = aggregate ? { aggregateBy: aggregate } : {};
  const reportQuery = readReportQuery({ family, span, dialect: 'reference' }, body, requested);
  return { body, query: requested, reportQuery };
}

/** A problem of the create call, with the parameters instead of the properties of its body. */
export function inWordsOfQuery({ dates }: ReportFamily, problem: Problem): Problem {
  const { code, message, extras } = problem;
  const inWords = (text: string): string =>
    text.replaceAll(dates.start, 'from').replaceAll(dates.end, 'to').replaceAll('restaurantIds', 'restaurants');
  if (!extras.errors) return problem;
  const errors = extras.errors.map((one) => ({
    pointer: inWords(one.pointer).replace(/^\/(\w+).*$/, '$1'),
    message: inWords(one.message),
  }));
  return new Problem(code, inWords(message), { errors });
}
