import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReportPlan } from '../ledger/ledger.ts';
import { costOf, laneOf } from './cost.ts';

const plan = (restaurants: number, changes: Partial<ReportPlan> = {}): ReportPlan => ({
  ...{ span: 'custom', startDate: 20260101, endDate: 20260101, aggregate: 'DAY', groups: [] },
  restaurantIds: Array.from({ length: restaurants }, (_, id) => id),
  ...changes,
});
const YEAR = { startDate: 20260101, endDate: 20261231 };

describe('the cost of a report', () => {
  it('grows with restaurants, dates and groups, and with the rows that checks and hours have', () => {
    const costs = [
      costOf('metrics', plan(100)),
      costOf('metrics', plan(100, { groups: ['DINING_OPTION'] })),
      costOf('metrics', plan(100, { groups: ['DINING_OPTION', 'ORDER_SOURCE'] })),
      costOf('metrics', plan(100, { groups: ['DINING_OPTION', 'ORDER_SOURCE'], aggregate: 'HOUR' })),
      costOf('check', plan(100)),
      costOf('check', plan(100, YEAR)),
    ];

    assert.deepEqual(costs, [1, 3, 6, 24, 120, 43_800]);
    assert.equal(costOf('metrics', plan(0)), 0);
  });

  it('has days of many restaurants, and the year of one, gathered beside what is long', () => {
    const lane = (...asked: Parameters<typeof costOf>): string => laneOf(costOf(...asked));

    assert.deepEqual(
      [
        lane('metrics', plan(1000, { aggregate: 'HOUR', groups: ['DINING_OPTION', 'ORDER_SOURCE'] })),
        lane('metrics', plan(1, { ...YEAR, groups: ['DINING_OPTION', 'ORDER_SOURCE'] })),
        lane('check', plan(250)),
        lane('check', plan(251)),
        lane('metrics', plan(1000, YEAR)),
      ],
      ['short', 'short', 'short', 'long', 'long'],
    );
  });
});
