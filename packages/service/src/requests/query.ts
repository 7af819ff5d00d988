/** Reads and plans a create call: docs/contract.md#creating-report-requests. */
import { dateIn, datesIn } from '../contract/dates.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { type Aggregate, type Dialect, MOST_DATES, MOST_HOURLY_DATES, type Span } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import type { Families } from '../families/index.ts';
import { booleanParameter, type QueryParameter, refuseUnknown, wordParameter } from '../http/query-parameters.ts';
import type { ReportPlan, ReportRequest } from '../ledger/report.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { createBody, type GivenReport } from './create-body.ts';

export interface ReportQuery {
  span: Span;
  startDate: number;
  endDate: number;
  aggregate: Aggregate;
  groups: string[];
  /** Lower-case GUIDs without duplicates, each with the pointer of its first occurrence in the body. */
  restaurantIds: ReadonlyMap<string, string>;
  excludedRestaurantIds: ReadonlyMap<string, string>;
  onlyInactive: boolean;
}

/** The dates of a report, inclusive. Throws if they are reversed or too many for the span. */
function spanOfDates(
  { dates: { start, end } }: ReportFamily,
  { startDate, endDate = startDate }: GivenReport,
  span: Span,
): { startDate: number; endDate: number } {
  if (endDate < startDate) throw fieldProblem('dates_reversed', `/${end}`, `${end} is before ${start}.`);
  const dates = datesIn(startDate, endDate);
  if (dates > MOST_DATES[span]) {
    const most = span === 'day' ? `one date: omit ${end} or repeat the start` : `at most ${MOST_DATES[span]} dates`;
    throw fieldProblem('span_too_long', `/${end}`, `The span has ${dates} dates; ${span} takes ${most}.`);
  }
  return { startDate, endDate };
}

export const onlyInactive = booleanParameter(
  'onlyInactiveRestaurants',
  'Whether to report on inactive and archived restaurants instead of the active ones; false by default',
);

export const aggregateBy = ({ aggregates }: ReportFamily): QueryParameter<Aggregate> =>
  wordParameter(
    'aggregateBy',
    'A row for each date, or for each hour or daypart of it; DAY by default. HOUR takes at most 31 dates, in the dialect `live` one',
    aggregates,
    'DAY',
  );

/** Whether a create accepts `aggregateBy`. */
export const takesAggregate = ({ aggregates }: ReportFamily): boolean => aggregates.length > 1;

/** What the path and the caller determine of a create. */
export interface Create {
  family: ReportFamily;
  span: Span;
  /** The dialect of the caller: `live` allows hours of one date only, as clients of the live system expect. */
  dialect: Dialect;
}

function readAggregate({ family, span, dialect }: Create, query: Record<string, unknown>): Aggregate {
  const aggregate = aggregateBy(family).read(query) ?? 'DAY';
  if (aggregate === 'HOUR' && span !== 'day' && dialect === 'live') {
    const message = `In the dialect live, aggregateBy=HOUR is possible with ${family.path}/day only.`;
    throw fieldProblem('hour_needs_day', 'aggregateBy', message);
  }
  return aggregate;
}

/** Throws if a report by hour covers too many dates. */
function refuseManyHours({ dates: { end } }: ReportFamily, aggregate: Aggregate, start: number, last: number): void {
  const dates = datesIn(start, last);
  if (aggregate !== 'HOUR' || dates <= MOST_HOURLY_DATES) return;
  const message = `The span has ${dates} dates; aggregateBy=HOUR takes at most ${MOST_HOURLY_DATES} dates.`;
  throw fieldProblem('span_too_long', `/${end}`, message);
}

/** Reads body and query of a create call. Throws a 400 Problem that names the field. */
export function readReportQuery(call: Create, body: unknown, query: Record<string, unknown>): ReportQuery {
  const { family, span } = call;
  refuseUnknown(query, [...(takesAggregate(family) ? ['aggregateBy'] : []), 'onlyInactiveRestaurants']);
  const fields = createBody(family, span).read(body);
  const { restaurantIds, excludedRestaurantIds, groups = [] } = fields;
  if (restaurantIds.size > 0 && excludedRestaurantIds.size > 0) {
    throw fieldProblem(
      'restaurants_in_both_lists',
      '/excludedRestaurantIds',
      'Fill restaurantIds or excludedRestaurantIds, not both.',
    );
  }
  const dates = spanOfDates(family, fields, span);
  const aggregate = readAggregate(call, query);
  refuseManyHours(family, aggregate, dates.startDate, dates.endDate);
  return {
    span,
    ...dates,
    aggregate,
    groups,
    restaurantIds,
    excludedRestaurantIds,
    onlyInactive: onlyInactive.read(query) ?? false,
  };
}

/** Whether two reports have the same request, however it was written. */
export function sameRequest(families: Families, one: ReportRequest, other: ReportRequest): boolean {
  return one.kind === other.kind && normalised(families.of(one.kind), one) === normalised(families.of(one.kind), other);
}

function normalised(family: ReportFamily, { plan, request, dialect }: ReportRequest): string {
  const query = Object.fromEntries(new URLSearchParams(request.path.split('?')[1] ?? ''));
  const reportQuery = readReportQuery({ family, span: plan.span, dialect }, request.body, query);
  const { startDate, endDate, aggregate, groups, onlyInactive } = reportQuery;
  const ids = [reportQuery.restaurantIds, reportQuery.excludedRestaurantIds].map((list) => [...list.keys()].sort());
  return JSON.stringify([startDate, endDate, aggregate, groups, onlyInactive, ids]);
}

/**
 * Selects the restaurants of a report (docs/contract.md#creating-report-requests): those that the request names;
 * otherwise all active ones of the group that are neither excluded nor in test mode. With `onlyInactive`, the inactive
 * ones instead; archived restaurants count as inactive. Throws if a GUID does not belong to the group, or the span ends
 * later than today in the latest of their time zones.
 */
export function planReport(
  family: ReportFamily,
  reportQuery: ReportQuery,
  ofGroup: readonly Restaurant[],
  now: number,
): ReportPlan {
  const byGuid = new Map(ofGroup.map((restaurant) => [restaurant.guid, restaurant]));
  for (const [guid, pointer] of [...reportQuery.restaurantIds, ...reportQuery.excludedRestaurantIds]) {
    if (!byGuid.has(guid))
      throw fieldProblem('unknown_restaurant', pointer, `Your management group has no restaurant ${guid}.`);
  }
  const named = reportQuery.restaurantIds.size > 0;
  const chosen = ofGroup.filter((restaurant) => {
    const active = restaurant.active && !restaurant.archived;
    if (
      named ? !reportQuery.restaurantIds.has(restaurant.guid) : reportQuery.excludedRestaurantIds.has(restaurant.guid)
    )
      return false;
    if (!named && restaurant.testMode) return false;
    return reportQuery.onlyInactive ? !active : named || active;
  });
  refuseFuture(
    family,
    reportQuery,
    named ? ofGroup.filter((restaurant) => reportQuery.restaurantIds.has(restaurant.guid)) : ofGroup,
    now,
  );
  return {
    span: reportQuery.span,
    startDate: reportQuery.startDate,
    endDate: reportQuery.endDate,
    aggregate: reportQuery.aggregate,
    groups: reportQuery.groups,
    restaurantIds: chosen.map((restaurant) => restaurant.id),
  };
}

function refuseFuture(
  { dates }: ReportFamily,
  reportQuery: ReportQuery,
  restaurants: readonly Restaurant[],
  now: number,
): void {
  const today = latestDate(restaurants, now);
  if (reportQuery.endDate > today) {
    const field = reportQuery.span === 'day' ? dates.start : dates.end;
    throw new Problem(
      'date_in_future',
      `${field} is later than today (${today}) in the latest time zone of the restaurants.`,
      {
        errors: [{ pointer: `/${field}`, message: `May be ${today} at the latest.` }],
      },
    );
  }
}

/** Today in the latest time zone of the restaurants, YYYYMMDD; without any, the latest date on earth. */
export function latestDate(restaurants: readonly Restaurant[], now: number): number {
  const zones =
    restaurants.length > 0 ? new Set(restaurants.map((restaurant) => restaurant.timeZone)) : ['Pacific/Kiritimati'];
  return Math.max(...[...zones].map((zone) => dateIn(zone, now)));
}
