/** Reads what a create call asks for: CONTRACT 2.2 and "Create" of section 4. */
import { dateIn, datesIn, readBusinessDate } from '../contract/dates.ts';
import {
  type Aggregate,
  GROUPS,
  type Group,
  MOST_DATES,
  type ReportKind,
  readGuid,
  type Span,
} from '../contract/words.ts';
import type { ReportPlan, ReportRequest, Restaurant } from '../ledger/ledger.ts';
import { fieldProblem, Problem, unknownField } from '../problems.ts';

export interface Ask {
  span: Span;
  startDate: number;
  endDate: number;
  aggregate: Aggregate;
  groups: Group[];
  /** Lower-case GUIDs, each once, with its first place in the body. */
  restaurantIds: Map<string, string>;
  excludedRestaurantIds: Map<string, string>;
  onlyInactive: boolean;
}

function readIds(body: Record<string, unknown>, field: string): Map<string, string> {
  const value = body[field] ?? [];
  if (!Array.isArray(value))
    throw fieldProblem('invalid_body', `/${field}`, `${field} must be an array of restaurant GUIDs`);
  const ids = new Map<string, string>();
  value.forEach((item: unknown, index) => {
    const guid = readGuid(item);
    if (!guid) throw fieldProblem('invalid_body', `/${field}/${index}`, `${field}[${index}] is not a GUID`);
    if (!ids.has(guid)) ids.set(guid, `/${field}/${index}`);
  });
  return ids;
}

function readGroups(value: unknown): Group[] {
  const asked = value ?? [];
  if (!Array.isArray(asked)) throw fieldProblem('invalid_body', '/groupBy', 'groupBy must be an array');
  const groups = new Set<Group>();
  asked.forEach((item: unknown, index) => {
    const group = GROUPS.find((known) => known === item);
    const pointer = `/groupBy/${index}`;
    if (!group) throw fieldProblem('invalid_group', pointer, `groupBy[${index}] must be one of ${GROUPS.join(', ')}`);
    if (groups.has(group)) throw fieldProblem('invalid_group', pointer, `groupBy names ${group} twice`);
    groups.add(group);
  });
  if (groups.size > 2) throw fieldProblem('invalid_group', '/groupBy', 'groupBy takes at most two values');
  return GROUPS.filter((group) => groups.has(group));
}

function readDate(body: Record<string, unknown>, field: string): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  const date = readBusinessDate(value);
  if (date === undefined)
    throw fieldProblem('invalid_date', `/${field}`, `${field} must be an existing date written YYYYMMDD`);
  return date;
}

function readDates(body: Record<string, unknown>, span: Span): { startDate: number; endDate: number } {
  const startDate = readDate(body, 'startBusinessDate');
  if (startDate === undefined) throw fieldProblem('invalid_body', '/startBusinessDate', 'startBusinessDate is needed');
  const endDate = readDate(body, 'endBusinessDate') ?? (span === 'day' ? startDate : undefined);
  if (endDate === undefined) throw fieldProblem('invalid_body', '/endBusinessDate', 'endBusinessDate is needed');
  if (endDate < startDate) {
    throw fieldProblem('dates_reversed', '/endBusinessDate', 'endBusinessDate is before startBusinessDate');
  }
  const dates = datesIn(startDate, endDate);
  if (dates > MOST_DATES[span]) {
    const most =
      span === 'day' ? 'one date: leave endBusinessDate out or repeat the start' : `at most ${MOST_DATES[span]} dates`;
    throw fieldProblem('span_too_long', '/endBusinessDate', `the span has ${dates} dates; ${span} takes ${most}`);
  }
  return { startDate, endDate };
}

/** A boolean query parameter, case-insensitive; undefined when it is not given. Throws naming it when it is not one. */
export function readBoolean(query: Record<string, unknown>, name: string): boolean | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true') return true;
  if (word === 'false') return false;
  throw fieldProblem('invalid_parameter', name, `${name} must be true or false, once`);
}

function readAggregate(query: Record<string, unknown>, span: Span): Aggregate {
  const value = query.aggregateBy ?? 'DAY';
  if (value !== 'DAY' && value !== 'HOUR')
    throw fieldProblem('invalid_parameter', 'aggregateBy', 'aggregateBy must be DAY or HOUR');
  if (value === 'HOUR' && span !== 'day') {
    throw fieldProblem('hour_needs_day', 'aggregateBy', 'aggregateBy=HOUR is possible with /metrics/day only');
  }
  return value;
}

/** Reads body and query of a create call. Throws a 400 Problem that names the field. */
export function readAsk(kind: ReportKind, span: Span, body: unknown, query: Record<string, unknown>): Ask {
  const parameters =
    kind === 'metrics' && span !== 'custom' ? ['aggregateBy', 'onlyInactiveRestaurants'] : ['onlyInactiveRestaurants'];
  for (const name of Object.keys(query)) {
    if (!parameters.includes(name)) {
      throw fieldProblem(
        'unknown_parameter',
        name,
        `unknown query parameter ${name}; this operation knows ${parameters.join(' and ')}`,
      );
    }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw fieldProblem('invalid_body', '', 'the body must be a JSON object');
  }
  const fields = ['startBusinessDate', 'endBusinessDate', 'restaurantIds', 'excludedRestaurantIds'];
  if (kind === 'metrics') fields.push('groupBy');
  for (const field of Object.keys(body)) {
    if (!fields.includes(field)) throw unknownField(field, fields);
  }
  const given = body as Record<string, unknown>;
  const restaurantIds = readIds(given, 'restaurantIds');
  const excludedRestaurantIds = readIds(given, 'excludedRestaurantIds');
  if (restaurantIds.size > 0 && excludedRestaurantIds.size > 0) {
    throw fieldProblem(
      'restaurants_in_both_lists',
      '/excludedRestaurantIds',
      'fill restaurantIds or excludedRestaurantIds, not both',
    );
  }
  return {
    span,
    ...readDates(given, span),
    aggregate: readAggregate(query, span),
    groups: readGroups(given.groupBy),
    restaurantIds,
    excludedRestaurantIds,
    onlyInactive: readBoolean(query, 'onlyInactiveRestaurants') ?? false,
  };
}

/** Whether two reports were asked for with the same request, however it was written. */
export function sameRequest(one: ReportRequest, other: ReportRequest): boolean {
  return one.kind === other.kind && normalised(one) === normalised(other);
}

function normalised({ kind, plan, asked }: ReportRequest): string {
  const query = Object.fromEntries(new URLSearchParams(asked.path.split('?')[1] ?? ''));
  const ask = readAsk(kind, plan.span, asked.body, query);
  const { startDate, endDate, aggregate, groups, onlyInactive } = ask;
  const ids = [ask.restaurantIds, ask.excludedRestaurantIds].map((list) => [...list.keys()].sort());
  return JSON.stringify([startDate, endDate, aggregate, groups, onlyInactive, ids]);
}

/**
 * Chooses the restaurants (CONTRACT 2.2 and 4): those named; else all of the group but the excluded, active and not in
 * test mode; with `onlyInactive`, of these choices the inactive. `archived` counts as inactive.
 * Throws when a GUID is not one of the group's, or the span ends later than today in their latest time zone.
 */
export function planReport(ask: Ask, ofGroup: Restaurant[], now: number): ReportPlan {
  const byGuid = new Map(ofGroup.map((restaurant) => [restaurant.guid, restaurant]));
  for (const [guid, pointer] of [...ask.restaurantIds, ...ask.excludedRestaurantIds]) {
    if (!byGuid.has(guid))
      throw fieldProblem('unknown_restaurant', pointer, `no restaurant ${guid} in your management group`);
  }
  const named = ask.restaurantIds.size > 0;
  const chosen = ofGroup.filter((restaurant) => {
    const active = restaurant.active && !restaurant.archived;
    if (named ? !ask.restaurantIds.has(restaurant.guid) : ask.excludedRestaurantIds.has(restaurant.guid)) return false;
    if (!named && restaurant.testMode) return false;
    return ask.onlyInactive ? !active : named || active;
  });
  refuseFuture(ask, named ? ofGroup.filter((restaurant) => ask.restaurantIds.has(restaurant.guid)) : ofGroup, now);
  return {
    span: ask.span,
    startDate: ask.startDate,
    endDate: ask.endDate,
    aggregate: ask.aggregate,
    groups: ask.groups,
    restaurantIds: chosen.map((restaurant) => restaurant.id),
  };
}

function refuseFuture(ask: Ask, restaurants: Restaurant[], now: number): void {
  // A group without restaurants has no zone of its own: the earliest place on earth decides.
  const zones =
    restaurants.length > 0 ? new Set(restaurants.map((restaurant) => restaurant.timeZone)) : ['Pacific/Kiritimati'];
  const today = Math.max(...[...zones].map((zone) => dateIn(zone, now)));
  if (ask.endDate > today) {
    const field = ask.span === 'day' ? 'startBusinessDate' : 'endBusinessDate';
    throw new Problem(
      'date_in_future',
      `${field} is later than today (${today}) in the latest time zone of the restaurants`,
      {
        errors: [{ pointer: `/${field}`, message: `may be ${today} at the latest` }],
      },
    );
  }
}
