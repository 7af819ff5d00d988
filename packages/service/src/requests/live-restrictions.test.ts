import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Problem } from '../contract/problems.ts';
import { CHECK } from '../families/check.ts';
import type { ReportFamily } from '../families/family.ts';
import { LABOR } from '../families/labor.ts';
import { METRICS } from '../families/metrics.ts';
import { refuseOnLive } from './live-restrictions.ts';
import { readReportQuery } from './query.ts';

const LISTS = { restaurantIds: [], excludedRestaurantIds: [] };
const DATES = { startBusinessDate: 20260301, endBusinessDate: 20260302, ...LISTS };
const DAY = { startBusinessDate: 20260301, ...LISTS };

/** What the restriction says, or undefined. */
function refused(family: ReportFamily, span: 'day' | 'week' | 'month' | 'year' | 'custom', body: object, query = {}) {
  const read = readReportQuery({ family, span, dialect: 'reference' }, body, query);
  try {
    refuseOnLive(family, read, body);
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'live_restriction', String(error));
    assert.match(error.message, /^DAYPART_LIVE_RESTRICTIONS is on: the live system /);
    return [error.extras.errors?.[0]?.pointer, error.message.split('the live system ')[1]];
  }
  return undefined;
}

it('takes what the live system takes', () => {
  assert.equal(refused(METRICS, 'custom', { ...DATES, groupBy: ['DINING_OPTION'] }), undefined);
  assert.equal(refused(METRICS, 'day', DAY, { aggregateBy: 'HOUR' }), undefined);
  assert.equal(refused(METRICS, 'year', DATES, { aggregateBy: 'DAY' }), undefined);
  assert.equal(refused(CHECK, 'day', DAY), undefined);
  assert.equal(refused(LABOR, 'month', { ...DATES, groupBy: ['JOB'] }), undefined);
});

it('refuses spans, missing lists, groups and hours that the live system does not have', () => {
  const grouped: ReportFamily = { ...LABOR, onLive: { groupedSpans: ['day', 'week'] } };

  assert.deepEqual(refused(CHECK, 'week', DATES), [undefined, 'takes POST /check with day, not POST /check/week.']);
  assert.deepEqual(refused(LABOR, 'custom', DATES), [
    undefined,
    'takes POST /labor with day, week, month, not POST /labor without a time range.',
  ]);
  assert.equal(refused(LABOR, 'year', DATES)?.[0], undefined);
  assert.equal(refused(METRICS, 'day', { ...DAY, excludedRestaurantIds: null })?.[0], '/excludedRestaurantIds');
  assert.equal(refused(METRICS, 'day', { startBusinessDate: 20260301 })?.[0], '/restaurantIds');
  assert.equal(refused(METRICS, 'week', DATES, { aggregateBy: 'HOUR' })?.[0], 'aggregateBy');
  assert.deepEqual(refused(grouped, 'month', { ...DATES, groupBy: ['JOB'] }), [
    '/groupBy',
    'takes groupBy of /labor with day, week, not with month.',
  ]);
  assert.equal(refused(grouped, 'month', DATES), undefined);
});
