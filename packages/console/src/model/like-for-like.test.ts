import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beside, besideOf, loneNote } from './comparison.ts';
import { labourShare, leakShare } from './figures.ts';
import { rowOf } from './test-rows.ts';

describe('a period beside its comparison', () => {
  it('leaves a new restaurant out of both sides of the change, and in the sum of the period', () => {
    const now = [rowOf({ netSalesAmount: 100.1 }), rowOf({ restaurantGuid: 'r2', netSalesAmount: 50 })];
    const before = [rowOf({ netSalesAmount: 80 }), rowOf({ restaurantGuid: 'r3', netSalesAmount: 70 })];

    const { now: sum, alike, restaurants, compared } = beside(now, { now, before }, 'USD');

    assert.equal(sum.netSalesCents, 15_010);
    assert.deepEqual([alike?.now.netSalesCents, alike?.before.netSalesCents], [10_010, 8000]);
    assert.deepEqual([restaurants, compared], [2, 1]);
  });

  it('says how many restaurants have data in only one of the two', () => {
    const rows = (...guids: string[]) => guids.map((restaurantGuid) => ({ restaurantGuid }));

    assert.match(loneNote(rows('r1', 'r2', 'r1'), rows('r1')) ?? '', /: 1 has data in only one/);
    assert.match(loneNote(rows('r1', 'r2'), rows('r1', 'r3')) ?? '', /: 2 have data in only one/);
    assert.equal(loneNote(rows('r1', 'r2'), rows('r2', 'r1')), undefined);
    assert.equal(loneNote(rows('r1'), []), undefined);
  });

  it('has no change if nothing can be compared', () => {
    const now = [rowOf({ netSalesAmount: 1 })];

    assert.equal(beside(now, { now, before: [] }, 'USD').alike, undefined);
    assert.equal(beside(now, undefined, 'USD').alike, undefined);
  });

  it('compares the hours that are over, and sums all of them', () => {
    const hours = ['11', '12', '13'].map((businessHour, at) => rowOf({ businessHour, netSalesAmount: 10 + at }));
    const before = [rowOf({ businessHour: '11', netSalesAmount: 8 }), rowOf({ businessHour: '12', netSalesAmount: 9 })];

    const { now, alike } = beside(hours, { now: hours.slice(0, 2), before }, 'USD');

    assert.deepEqual([now.netSalesCents, alike?.now.netSalesCents, alike?.before.netSalesCents], [3300, 2100, 1700]);
  });

  it('adds up one currency of several alone', () => {
    const now = [rowOf({ netSalesAmount: 1 }), rowOf({ restaurantGuid: 'r2', currencyCode: 'EUR', netSalesAmount: 2 })];

    const { now: euros, alike } = besideOf(now, { now, before: now }, 'EUR');

    assert.deepEqual([euros.netSalesCents, alike?.before.netSalesCents], [200, 200]);
  });

  it('makes ratios from sums, never from the mean of ratios', () => {
    const rows = [
      rowOf({ netSalesAmount: 900, grossSalesAmount: 1000, hourlyJobTotalHours: '10.00', hourlyJobTotalPay: '90.00' }),
      rowOf({
        ...{ restaurantGuid: 'r2', netSalesAmount: 100, grossSalesAmount: 100, discountAmount: 11 },
        ...{ hourlyJobTotalHours: '5.00', hourlyJobTotalPay: '50.00' },
      }),
    ];
    const { now } = beside(rows, undefined, 'USD');

    assert.equal(labourShare(now), 0.14);
    assert.equal(leakShare(now), 0.01);
  });

  it('says that labour is not loaded rather than 0', () => {
    assert.equal(labourShare(beside([rowOf({ netSalesAmount: 5 })], undefined, 'USD').now), undefined);
  });
});
