/** What the routes of creating say of themselves. */
import Type from 'typebox';
import { idempotencyKey, replayed } from '../access/access-operations.ts';
import { exact, Guid, Text, Words } from '../contract/schemas.ts';
import { SCOPE_READ, type Span, type TimeRange } from '../contract/words.ts';
import { type ReportFamily, timeRangesOf } from '../families/family.ts';
import type { Body, Operation } from '../operation.ts';
import type { ProblemCode } from '../problems.ts';
import { aggregateBy, onlyInactive, takesAggregate } from './query.ts';

const GivenDate = Type.Union([Type.String({ pattern: '^\\d{4}-?\\d{2}-?\\d{2}$' }), Type.Integer()], {
  description: 'A business date, `YYYYMMDD` as text or number; `YYYY-MM-DD` is tolerated',
  examples: ['20260310'],
  title: 'GivenDate',
});
const Restaurants = (description: string, example: string[]) =>
  Type.Optional(Type.Union([Type.Array(Guid), Type.Null()], { description, examples: [example] }));
const restaurants = {
  restaurantIds: Restaurants(
    'The restaurants to include; an empty list means all active restaurants of the management group',
    [],
  ),
  excludedRestaurantIds: Restaurants('The restaurants to exclude; only one of the two lists may be filled', []),
};

/** The body of a create: its schema is shared by all spans but `day`, whose end may be left out. */
function bodyOf({ dates, groups, mostGroups, title }: ReportFamily, span: Span) {
  const day = span === 'day';
  const fields = {
    [dates.start]: GivenDate,
    [dates.end]: day ? Type.Optional(Type.Union([GivenDate, Type.Null()], { examples: ['20260310'] })) : GivenDate,
    ...restaurants,
    ...(groups.length > 0 ? { groupBy: groupsOf(groups, mostGroups, `${title}GroupBy`) } : {}),
  };
  return Type.Object(fields, { ...exact, title: `${title}${day ? 'Day' : ''}Request` });
}

const groupsOf = (groups: readonly string[], most: number, title: string) =>
  Type.Optional(
    Type.Union([Type.Array(Words(groups, { title }), { maxItems: most, uniqueItems: true }), Type.Null()], {
      description: `Groups of the rows: up to ${most === 1 ? 'one value' : 'two different values'}`,
      examples: [groups.slice(0, 1)],
    }),
  );

const PROBLEMS_OF_ALL = [
  'invalid_body',
  'unknown_field',
  'invalid_parameter',
  'unknown_parameter',
  'invalid_date',
  'dates_reversed',
  'span_too_long',
  'date_in_future',
  'unknown_restaurant',
  'restaurants_in_both_lists',
  'invalid_idempotency_key',
  'idempotency_key_reused',
] as const satisfies ProblemCode[];
const SPANS: Record<Span, string> = {
  day: 'one day',
  week: 'at most 7 days',
  month: 'at most 31 days',
  year: 'at most 366 days',
  custom: 'any span of at most 366 days',
};
const capital = (word: string): string => word[0]?.toUpperCase() + word.slice(1);

function create(family: ReportFamily, span: Span): Operation {
  const body: Body = {
    description: 'Dates, both inclusive, and restaurants',
    required: true,
    content: { 'application/json': bodyOf(family, span) },
  };
  const byHour = takesAggregate(family);
  return {
    id: `create${family.title}${span === 'custom' ? '' : capital(span)}Report`,
    summary: `Create a report of ${family.noun} over ${SPANS[span]}`,
    tag: 'Reports',
    scopes: [SCOPE_READ],
    parameters: [...(byHour ? [aggregateBy(family)] : []), onlyInactive, idempotencyKey],
    body,
    answers: {
      200: {
        description: 'The reportRequestGuid of the report, a bare JSON string',
        headers: {
          'Idempotency-Replayed': replayed,
          Location: {
            description: 'Where to retrieve the report',
            schema: Text('http://127.0.0.1:8080/v1/metrics/b1500000-0000-4000-8000-000000000001', { format: 'uri' }),
          },
        },
        content: { 'application/json': Guid },
      },
    },
    problems: [
      ...PROBLEMS_OF_ALL,
      'storage_full',
      'live_restriction',
      ...(family.groups.length > 0 ? (['invalid_group'] as const) : []),
      ...(byHour ? (['hour_needs_day'] as const) : []),
    ],
    limited: true,
  };
}

/** POST {path} of a family that takes custom spans. */
export const createCustom = (family: ReportFamily): Operation => create(family, 'custom');

/** POST {path}/{timeRange}. */
export const createInRange = (family: ReportFamily): Operation => ({
  ...create(family, 'year'),
  spelledOut: {
    name: 'timeRange',
    operations: Object.fromEntries(timeRangesOf(family).map((range: TimeRange) => [range, create(family, range)])),
  },
});
