/** What the routes of creating say of themselves. */
import Type from 'typebox';
import { idempotencyKey, replayed } from '../access/operations.ts';
import { exact, Guid, Text, Words } from '../contract/schemas.ts';
import { GROUPS, type ReportKind, SCOPE_READ, type Span, TIME_RANGES, type TimeRange } from '../contract/words.ts';
import type { Body, Operation, Parameter } from '../operation.ts';
import type { ProblemCode } from '../problems.ts';

const GivenDate = Type.Union([Type.String({ pattern: '^\\d{4}-?\\d{2}-?\\d{2}$' }), Type.Integer()], {
  description: 'A business date, `YYYYMMDD` as text or number; `YYYY-MM-DD` is tolerated',
  examples: ['20260310'],
  title: 'GivenDate',
});
const Restaurants = (description: string, example: string[]) =>
  Type.Optional(Type.Union([Type.Array(Guid), Type.Null()], { description, examples: [example] }));
const Groups = Type.Optional(
  Type.Union([Type.Array(Words(GROUPS, { title: 'GroupBy' }), { maxItems: 2, uniqueItems: true }), Type.Null()], {
    description: 'What to split the sales by: up to two different values',
    examples: [['DINING_OPTION']],
  }),
);
const spanFields = {
  startBusinessDate: GivenDate,
  endBusinessDate: GivenDate,
  restaurantIds: Restaurants(
    'The restaurants to report on; none means all of the management group that are active',
    [],
  ),
  excludedRestaurantIds: Restaurants('Restaurants to leave out; fill one of the two lists at most', []),
};
const dayFields = {
  ...spanFields,
  endBusinessDate: Type.Optional(Type.Union([GivenDate, Type.Null()], { examples: ['20260310'] })),
};
const REQUESTS = {
  metrics: {
    day: Type.Object({ ...dayFields, groupBy: Groups }, { ...exact, title: 'MetricsDayRequest' }),
    span: Type.Object({ ...spanFields, groupBy: Groups }, { ...exact, title: 'MetricsRequest' }),
  },
  check: {
    day: Type.Object(dayFields, { ...exact, title: 'CheckDayRequest' }),
    span: Type.Object(spanFields, { ...exact, title: 'CheckRequest' }),
  },
};

const onlyInactive: Parameter = {
  in: 'query',
  name: 'onlyInactiveRestaurants',
  description: 'Whether to report on inactive and archived restaurants instead of the active ones; false by default',
  schema: Type.Boolean({ examples: [false] }),
};
const aggregateBy: Parameter = {
  in: 'query',
  name: 'aggregateBy',
  description: 'A row for each date, or for each hour of it; DAY by default',
  schema: Words(['DAY', 'HOUR'], { examples: ['DAY'] }),
};

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
const NAMES: Record<ReportKind, string> = { metrics: 'Metrics', check: 'Check' };
const SPANS: Record<Span, string> = {
  day: 'one day',
  week: 'at most 7 days',
  month: 'at most 31 days',
  year: 'at most 366 days',
  custom: 'any span of at most 366 days',
};
const capital = (word: string): string => word[0]?.toUpperCase() + word.slice(1);

function create(kind: ReportKind, span: Span): Operation {
  const content = REQUESTS[kind][span === 'day' ? 'day' : 'span'];
  const body: Body = {
    description: 'Dates, both counted, and restaurants',
    required: true,
    content: { 'application/json': content },
  };
  const what = kind === 'metrics' ? 'sales metrics' : 'checks';
  return {
    id: `create${NAMES[kind]}${span === 'custom' ? '' : capital(span)}Report`,
    summary: `Ask for a report of ${what} over ${SPANS[span]}`,
    tag: 'Reports',
    scopes: [SCOPE_READ],
    parameters: [...(kind === 'metrics' && span !== 'custom' ? [aggregateBy] : []), onlyInactive, idempotencyKey],
    body,
    answers: {
      200: {
        description: 'The reportRequestGuid with which to retrieve the report, a bare JSON string',
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
      ...(kind === 'metrics' ? (['invalid_group'] as const) : []),
      ...(kind === 'metrics' && span !== 'custom' ? (['hour_needs_day'] as const) : []),
    ],
    limited: true,
  };
}

const spelledOut = (kind: ReportKind): NonNullable<Operation['spelledOut']> => ({
  name: 'timeRange',
  operations: Object.fromEntries(TIME_RANGES.map((range: TimeRange) => [range, create(kind, range)])),
});

/** POST /metrics, whose span is custom. */
export const createMetrics = create('metrics', 'custom');
/** POST /metrics/{timeRange} and /check/{timeRange}. */
export const createInRange: Record<ReportKind, Operation> = {
  metrics: { ...create('metrics', 'year'), spelledOut: spelledOut('metrics') },
  check: { ...create('check', 'year'), spelledOut: spelledOut('check') },
};
