/** The operations that create reports. */
import type { FastifyRequest } from 'fastify';
import { idempotencyKey, replayed } from '../access/access-operations.ts';
import type { ProblemCode } from '../contract/problems.ts';
import { Guid, Text } from '../contract/schemas.ts';
import type { Scope, Span, TimeRange } from '../contract/words.ts';
import { countedAs, type ReportFamily, timeRangesOf } from '../families/family.ts';
import { type Body, json, type Operation } from '../http/operation.ts';
import { createBody } from './create-body.ts';
import { aggregateBy, onlyInactive, takesAggregate } from './query.ts';
import { preferenceApplied, preferForms } from './wait-operations.ts';

const PROBLEMS_OF_ALL = [
  'invalid_body',
  'unknown_field',
  'invalid_parameter',
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

/**
 * The span that the path names, `custom` if it names none; undefined for a time range that the family does not have,
 * which is a 404.
 */
export function spanOf(family: ReportFamily, { params }: FastifyRequest): Span | undefined {
  const { timeRange } = params as { timeRange?: string };
  return timeRange === undefined ? 'custom' : timeRangesOf(family).find((known) => known === timeRange);
}

function create(family: ReportFamily, span: Span, scopes: readonly Scope[]): Operation {
  const body: Body = {
    description: 'Dates, both inclusive, and restaurants',
    required: true,
    content: json(createBody(family, span).schema),
  };
  const byHour = takesAggregate(family);
  return {
    id: `create${family.title}${span === 'custom' ? '' : capital(span)}Report`,
    summary: `Create a report of ${family.noun} over ${SPANS[span]}`,
    tag: 'Reports',
    scopes,
    allScopes: true,
    parameters: [...(byHour ? [aggregateBy(family)] : []), onlyInactive, preferForms, idempotencyKey],
    body,
    answers: {
      200: {
        description: 'The reportRequestGuid of the report, a bare JSON string',
        headers: {
          'Idempotency-Replayed': replayed,
          'Preference-Applied': { ...preferenceApplied, schema: Text('forms=later') },
          Location: {
            description: 'Where to retrieve the report',
            schema: Text('http://127.0.0.1:8080/v1/metrics/b1500000-0000-4000-8000-000000000001', { format: 'uri' }),
          },
        },
        content: json(Guid),
      },
    },
    problems: [
      ...PROBLEMS_OF_ALL,
      'storage_full',
      'live_restriction',
      ...(family.groups.length > 0 ? (['invalid_group'] as const) : []),
      ...(byHour ? (['hour_needs_day'] as const) : []),
    ],
    limited: (request) => {
      const called = spanOf(family, request);
      return called && countedAs(family, called);
    },
  };
}

/** POST {path}, for families with custom spans. All of the scopes are required. */
export const createCustom = (family: ReportFamily, scopes: readonly Scope[]): Operation =>
  create(family, 'custom', scopes);

/** POST {path}/{timeRange}. All of the scopes are required. */
export const createInRange = (family: ReportFamily, scopes: readonly Scope[]): Operation => ({
  ...create(family, 'year', scopes),
  spelledOut: {
    name: 'timeRange',
    operations: Object.fromEntries(
      timeRangesOf(family).map((range: TimeRange) => [range, create(family, range, scopes)]),
    ),
  },
});
