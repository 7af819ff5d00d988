import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../contract/problems.ts';
import type { Dialect, Span } from '../contract/words.ts';
import { CHECK } from '../families/check.ts';
import type { ReportFamily } from '../families/family.ts';
import { METRICS } from '../families/metrics.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { planReport, readReportQuery } from './query.ts';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'aaaaaaaa-0000-4000-8000-000000000002';
const C = 'aaaaaaaa-0000-4000-8000-000000000003';
const D = 'aaaaaaaa-0000-4000-8000-000000000004';
/** 2026-03-10 12:00 in New York, 2026-03-11 01:00 in Tokyo. */
const NOW = Date.UTC(2026, 2, 10, 16);

function restaurant(id: number, guid: string, changes: Partial<Restaurant> = {}): Restaurant {
  return {
    id,
    guid,
    group: 'g',
    name: `R${id}`,
    timeZone: 'America/New_York',
    closeoutHour: 4,
    locationName: null,
    locationCode: null,
    currencyCode: null,
    overtimeMultiplier: 1.5,
    refundsOn: 'refund',
    active: true,
    testMode: false,
    archived: false,
    ...changes,
  };
}

const GROUP = [
  restaurant(1, A),
  restaurant(2, B, { active: false }),
  restaurant(3, C, { archived: true }),
  restaurant(4, D, { testMode: true }),
];

function refused(
  span: Span,
  body: unknown,
  query: Record<string, unknown> = {},
  { family = METRICS, dialect = 'reference' }: { family?: ReportFamily; dialect?: Dialect } = {},
) {
  try {
    planReport(family, readReportQuery({ family, span, dialect }, body, query), GROUP, NOW);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return `${error.code} ${error.extras.errors?.[0]?.pointer}`;
  }
  return assert.fail('was accepted');
}

const chosen = (body: object, query: Record<string, unknown> = {}): number[] =>
  planReport(
    METRICS,
    readReportQuery(
      { family: METRICS, span: 'day', dialect: 'reference' },
      { startBusinessDate: 20260301, ...body },
      query,
    ),
    GROUP,
    NOW,
  ).restaurantIds;

describe('what a create call asks for', () => {
  it('takes dates as text, number or with hyphens, and one date for a day', () => {
    for (const startBusinessDate of ['20260301', 20260301, '2026-03-01']) {
      const reportQuery = readReportQuery(
        { family: METRICS, span: 'day', dialect: 'reference' },
        { startBusinessDate },
        {},
      );
      assert.deepEqual([reportQuery.startDate, reportQuery.endDate], [20260301, 20260301]);
    }
  });

  it('names the field that is wrong', () => {
    const start = { startBusinessDate: '20260301' };
    assert.equal(refused('day', {}), 'invalid_body /startBusinessDate');
    assert.equal(refused('day', []), 'invalid_body ');
    assert.equal(refused('day', null), 'invalid_body ');
    assert.equal(refused('day', { startBusinessDate: '20260230' }), 'invalid_date /startBusinessDate');
    assert.equal(refused('day', { startBusinessDate: 2026.5 }), 'invalid_date /startBusinessDate');
    assert.equal(refused('day', { startBusinessDate: '2026-0301' }), 'invalid_date /startBusinessDate');
    assert.equal(refused('week', start), 'invalid_body /endBusinessDate');
    assert.equal(refused('custom', start), 'invalid_body /endBusinessDate');
    assert.equal(refused('week', { ...start, endBusinessDate: '20260228' }), 'dates_reversed /endBusinessDate');
    assert.equal(refused('day', { ...start, endBusinessDate: '20260302' }), 'span_too_long /endBusinessDate');
    assert.equal(refused('day', { ...start, startbusinessdate: 1 }), 'unknown_field /startbusinessdate');
    assert.equal(refused('day', { ...start, restaurantIds: A }), 'invalid_body /restaurantIds');
    assert.equal(refused('day', { ...start, restaurantIds: [A, 'x'] }), 'invalid_body /restaurantIds/1');
    assert.equal(
      refused('day', { ...start, restaurantIds: [A, 'aaaaaaaa-0000-4000-8000-00000000000f'] }),
      'unknown_restaurant /restaurantIds/1',
    );
    assert.equal(
      refused('day', { ...start, restaurantIds: [A], excludedRestaurantIds: [B] }),
      'restaurants_in_both_lists /excludedRestaurantIds',
    );
    assert.equal(refused('day', { ...start, groupBy: ['dining_option'] }), 'invalid_group /groupBy/0');
    assert.throws(
      () =>
        readReportQuery({ family: METRICS, span: 'day', dialect: 'reference' }, { ...start, groupBy: ['HOUR'] }, {}),
      /For HOUR there is the query parameter aggregateBy=HOUR\.$/,
    );
    assert.equal(refused('day', { ...start, groupBy: ['ORDER_SOURCE', 'ORDER_SOURCE'] }), 'invalid_group /groupBy/1');
    assert.equal(
      refused('day', { ...start, groupBy: ['ORDER_SOURCE', 'DINING_OPTION', 'REVENUE_CENTER'] }),
      'invalid_group /groupBy',
    );
    assert.equal(refused('day', { ...start, groupBy: [] }, {}, { family: CHECK }), 'unknown_field /groupBy');
    assert.equal(
      refused('day', start, { onlyInactiveRestaurants: 'maybe' }),
      'invalid_parameter onlyInactiveRestaurants',
    );
    assert.equal(refused('day', start, { aggregateBy: 'hour' }), 'invalid_parameter aggregateBy');
    const twoDates = { ...start, endBusinessDate: 20260302 };
    for (const span of ['week', 'month', 'year', 'custom'] as const) {
      readReportQuery({ family: METRICS, span, dialect: 'reference' }, twoDates, { aggregateBy: 'HOUR' });
      const inLive = refused(span, twoDates, { aggregateBy: 'HOUR' }, { dialect: 'live' });
      assert.equal(inLive, 'hour_needs_day aggregateBy');
    }
    readReportQuery({ family: METRICS, span: 'day', dialect: 'live' }, start, { aggregateBy: 'HOUR' });
    assert.equal(refused('day', start, { aggregateby: 'HOUR' }), 'unknown_parameter aggregateby');
  });

  it('counts both ends of each span', () => {
    const longest: [Span, string, string][] = [
      ['week', '20260107', '20260108'],
      ['month', '20260131', '20260201'],
      ['year', '20260101', '20260102'],
      ['custom', '20260101', '20260102'],
    ];
    for (const [span, fits, tooLong] of longest) {
      const startBusinessDate = span === 'year' || span === 'custom' ? '20250101' : '20260101';
      readReportQuery(
        { family: METRICS, span: span, dialect: 'reference' },
        { startBusinessDate, endBusinessDate: fits },
        {},
      );
      assert.equal(
        refused(span, { startBusinessDate, endBusinessDate: tooLong === '20260102' ? '20260103' : tooLong }),
        'span_too_long /endBusinessDate',
      );
    }
  });

  it('takes hours of at most 31 dates', () => {
    const startBusinessDate = '20260101';
    for (const span of ['year', 'custom'] as const) {
      const call = { family: METRICS, span, dialect: 'reference' } as const;
      readReportQuery(call, { startBusinessDate, endBusinessDate: '20260131' }, { aggregateBy: 'HOUR' });
      const tooLong = { startBusinessDate, endBusinessDate: '20260201' };
      assert.equal(refused(span, tooLong, { aggregateBy: 'HOUR' }), 'span_too_long /endBusinessDate');
      readReportQuery(call, tooLong, { aggregateBy: 'DAY' });
    }
  });

  it('takes today of the latest time zone, and nothing later', () => {
    const tokyo = [...GROUP, restaurant(5, 'aaaaaaaa-0000-4000-8000-000000000005', { timeZone: 'Asia/Tokyo' })];
    const today = readReportQuery(
      { family: METRICS, span: 'day', dialect: 'reference' },
      { startBusinessDate: 20260311 },
      {},
    );

    planReport(METRICS, today, tokyo, NOW);

    assert.throws(() => planReport(METRICS, today, GROUP, NOW), { code: 'date_in_future' });
    const named = readReportQuery(
      { family: METRICS, span: 'day', dialect: 'reference' },
      { startBusinessDate: 20260311, restaurantIds: [A] },
      {},
    );
    assert.throws(() => planReport(METRICS, named, tokyo, NOW), { code: 'date_in_future' });
  });

  it('chooses active restaurants unless ids are given, and inactive ones when asked', () => {
    assert.deepEqual(chosen({}), [1]);
    assert.deepEqual(chosen({ restaurantIds: [], excludedRestaurantIds: null }), [1]);
    assert.deepEqual(chosen({ restaurantIds: [B, D.toUpperCase(), B] }), [2, 4]);
    assert.deepEqual(chosen({ excludedRestaurantIds: [A] }), []);
    assert.deepEqual(chosen({}, { onlyInactiveRestaurants: 'TRUE' }), [2, 3]);
    assert.deepEqual(chosen({ restaurantIds: [A] }, { onlyInactiveRestaurants: 'true' }), []);
  });

  it('puts groups in the order of the rows', () => {
    const { groups } = readReportQuery(
      { family: METRICS, span: 'day', dialect: 'reference' },
      { startBusinessDate: 20260301, groupBy: ['ORDER_SOURCE', 'REVENUE_CENTER'] },
      {},
    );
    assert.deepEqual(groups, ['REVENUE_CENTER', 'ORDER_SOURCE']);
  });
});
