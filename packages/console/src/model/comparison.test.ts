import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beside } from './comparison.ts';
import { labourShare, leakShare } from './figures.ts';
import { rowOf } from './test-rows.ts';

const DAY = { start: '20261120', end: '20261120' };
const BEFORE = { start: '20261113', end: '20261113' };

describe('a period beside its comparison', () => {
  it('leaves a new restaurant out of both sides of the change, and in the sum of the period', () => {
    const rows = [
      rowOf({ netSalesAmount: 100.1 }),
      rowOf({ businessDate: '20261113', netSalesAmount: 80 }),
      rowOf({ restaurantGuid: 'r2', netSalesAmount: 50 }),
      rowOf({ restaurantGuid: 'r3', businessDate: '20261113', netSalesAmount: 70 }),
    ];

    const { now, alike, restaurants, compared } = beside(rows, DAY, BEFORE, 'USD');

    assert.equal(now.netSalesCents, 15_010);
    assert.deepEqual([alike?.now.netSalesCents, alike?.before.netSalesCents], [10_010, 8000]);
    assert.deepEqual([restaurants, compared], [2, 1]);
  });

  it('has no change where nothing can be compared', () => {
    assert.equal(beside([rowOf({ netSalesAmount: 1 })], DAY, BEFORE, 'USD').alike, undefined);
    assert.equal(beside([rowOf({ netSalesAmount: 1 })], DAY, undefined, 'USD').alike, undefined);
  });

  it('makes ratios from sums, never from the mean of ratios', () => {
    const rows = [
      rowOf({ netSalesAmount: 900, grossSalesAmount: 1000, hourlyJobTotalHours: '10.00', hourlyJobTotalPay: '90.00' }),
      rowOf({
        ...{ restaurantGuid: 'r2', netSalesAmount: 100, grossSalesAmount: 100, discountAmount: 11 },
        ...{ hourlyJobTotalHours: '5.00', hourlyJobTotalPay: '50.00' },
      }),
    ];
    const { now } = beside(rows, DAY, undefined, 'USD');

    assert.equal(labourShare(now), 0.14);
    assert.equal(leakShare(now), 0.01);
  });

  it('says that labour is not loaded rather than 0', () => {
    assert.equal(labourShare(beside([rowOf({ netSalesAmount: 5 })], DAY, undefined, 'USD').now), undefined);
  });
});
