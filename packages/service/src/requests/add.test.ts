import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHECK } from '../families/check.ts';
import { METRICS } from '../families/metrics.ts';
import type { ReportPlan } from '../ledger/report.ts';
import { costOf, laneOf } from './add.ts';

const plan = (restaurants: number, changes: Partial<ReportPlan> = {}): ReportPlan => ({
  span: 'custom',
  startDate: 20260101,
  endDate: 20260101,
  aggregate: 'DAY',
  groups: [],
  restaurantIds: Array.from({ length: restaurants }, (_, id) => id),
  ...changes,
});
const YEAR = { startDate: 20260101, endDate: 20261231 };

describe('the cost of a report', () => {
  it('grows with restaurants, dates and groups, and with the rows that checks and hours have', () => {
    const costs = [
      costOf(METRICS, plan(100)),
      costOf(METRICS, plan(100, { groups: ['DINING_OPTION'] })),
      costOf(METRICS, plan(100, { groups: ['DINING_OPTION', 'ORDER_SOURCE'] })),
      costOf(METRICS, plan(100, { groups: ['DINING_OPTION', 'ORDER_SOURCE'], aggregate: 'HOUR' })),
      costOf(CHECK, plan(100)),
      costOf(CHECK, plan(100, YEAR)),
    ];

    assert.deepEqual(costs, [1, 3, 6, 24, 120, 43_800]);
    assert.equal(costOf(METRICS, plan(0)), 0);
  });

  it('has days of many restaurants, and the year of one, gathered beside what is long', () => {
    const lane = (...requested: Parameters<typeof costOf>): string => laneOf(costOf(...requested));

    assert.deepEqual(
      [
        lane(METRICS, plan(1000, { aggregate: 'HOUR', groups: ['DINING_OPTION', 'ORDER_SOURCE'] })),
        lane(METRICS, plan(1, { ...YEAR, groups: ['DINING_OPTION', 'ORDER_SOURCE'] })),
        lane(CHECK, plan(250)),
        lane(CHECK, plan(251)),
        lane(METRICS, plan(1000, YEAR)),
      ],
      ['short', 'short', 'short', 'long', 'long'],
    );
  });
});
