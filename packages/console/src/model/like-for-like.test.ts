import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Totals } from '@daypart/client';
import { COMPARED, currencyTotals, type FigureRow, labourShare, leakShare } from './figures.ts';
import { isComparable, type LikeForLike, likeForLike, type Sides, sidesOf, unmatchedNote } from './like-for-like.ts';
import { rowOf } from './test-rows.ts';

const [period, comparison] = [
  { start: '20261120', end: '20261120' },
  { start: '20261113', end: '20261113' },
];

/** Rows of a date beside those of a week before. */
const beside = (now: FigureRow[], sides: Sides | undefined, currency: string | null = 'USD'): LikeForLike<Totals> =>
  likeForLike({ currency, period, comparison, now, before: sides?.before, sides, dates: [], add: currencyTotals });

describe('a period beside its comparison', () => {
  it('leaves a new restaurant out of both sides of the change, and in the sum of the period', () => {
    const now = [rowOf({ netSalesAmount: 100.1 }), rowOf({ restaurantGuid: 'r2', netSalesAmount: 50 })];
    const before = [rowOf({ netSalesAmount: 80 }), rowOf({ restaurantGuid: 'r3', netSalesAmount: 70 })];

    const { sum, restaurants, pairOf, changeOf, notes } = beside(now, { now, before });

    assert.equal(sum.netSalesCents, 15_010);
    assert.deepEqual([pairOf()?.now.netSalesCents, pairOf()?.before.netSalesCents], [10_010, 8000]);
    assert.deepEqual([changeOf(COMPARED.net)?.direction, changeOf(COMPARED.net)?.tone], ['up', 'good']);
    assert.equal(restaurants, 2);
    assert.match(notes.compared ?? '', /^1 of 2 restaurants compared: the others have no data for Fri/);
  });

  it('says how many restaurants have data in only one of the two', () => {
    const rows = (...guids: string[]) => guids.map((restaurantGuid) => ({ restaurantGuid, currencyCode: 'USD' }));
    const note = (now: string[], before: string[]) =>
      unmatchedNote({ now: rows(...now), before: rows(...before) }, 'USD');

    assert.match(note(['r1', 'r2', 'r1'], ['r1']) ?? '', /: 1 has data in only one/);
    assert.match(note(['r1', 'r2', 'r4'], ['r1']) ?? '', /: 2 have data in only one/);
    assert.equal(note(['r1', 'r2'], ['r2', 'r1']), undefined);
    assert.equal(note(['r1'], []), undefined);
  });

  it('has no change of all restaurants while some have no data yet, whose sales would be missing', () => {
    const rows = (...guids: string[]) => guids.map((restaurantGuid) => ({ restaurantGuid, currencyCode: 'USD' }));
    const late = { now: rows('r1', 'r2'), before: rows('r1', 'r3', 'r4') };
    assert.equal(unmatchedNote(late, 'USD'), 'Not compared: 2 of 4 restaurants have no data yet.');
    assert.equal(isComparable(late, 'USD'), false);
    assert.equal(isComparable(late, 'EUR'), true);
    assert.equal(isComparable({ now: rows('r1', 'r2'), before: rows('r1') }, 'USD'), true);
  });

  it('has no change if nothing can be compared', () => {
    const now = [rowOf({ netSalesAmount: 1 })];

    for (const sides of [{ now, before: [] }, undefined]) {
      const { pairOf, changeOf, notes } = beside(now, sides);
      assert.deepEqual([pairOf(), changeOf(COMPARED.net), notes.compared], [undefined, undefined, undefined]);
    }
  });

  it('compares nothing while the hours of a day in progress are being read, and then these', () => {
    const [now, before] = [[rowOf({})], [rowOf({ businessDate: '20261113' })]];
    const sides = { now: [], before: [] };

    assert.equal(sidesOf({ sides: undefined, loading: true }, now, before), undefined);
    assert.equal(sidesOf({ sides, loading: false }, now, before), sides);
    assert.deepEqual(sidesOf({ sides: undefined, loading: false }, now, before), { now, before });
    assert.equal(sidesOf({ sides: undefined, loading: false }, now, undefined), undefined);
  });

  it('compares the hours that are over, and sums all of them', () => {
    const hours = ['11', '12', '13'].map((businessHour, at) => rowOf({ businessHour, netSalesAmount: 10 + at }));
    const before = [rowOf({ businessHour: '11', netSalesAmount: 8 }), rowOf({ businessHour: '12', netSalesAmount: 9 })];

    const { sum, pairOf } = beside(hours, { now: hours.slice(0, 2), before });

    assert.deepEqual(
      [sum.netSalesCents, pairOf()?.now.netSalesCents, pairOf()?.before.netSalesCents],
      [3300, 2100, 1700],
    );
  });

  it('adds up one currency of several alone', () => {
    const now = [rowOf({ netSalesAmount: 1 }), rowOf({ restaurantGuid: 'r2', currencyCode: 'EUR', netSalesAmount: 2 })];

    const { sum, pairOf } = beside(now, { now, before: now }, 'EUR');

    assert.deepEqual([sum.netSalesCents, pairOf()?.before.netSalesCents], [200, 200]);
  });

  it('compares labour where both periods have some, and everything else where both have data', () => {
    const worked = { hourlyJobTotalHours: '4.00', hourlyJobTotalPay: '32.00' };
    const now = [
      rowOf({ netSalesAmount: 100, ...worked }),
      rowOf({ restaurantGuid: 'r2', netSalesAmount: 100, ...worked, hourlyJobTotalPay: '64.00' }),
    ];
    const before = [rowOf({ netSalesAmount: 100, ...worked }), rowOf({ restaurantGuid: 'r2', netSalesAmount: 100 })];

    const { pairOf, changeOf, notes } = beside(now, { now, before });

    const labour = pairOf(COMPARED.labour);
    assert.deepEqual(
      [labour?.now, labour?.before].map((sum) => sum && labourShare(sum)),
      [0.32, 0.32],
    );
    assert.equal(changeOf(COMPARED.labour)?.direction, 'same');
    assert.equal(pairOf(COMPARED.net)?.now.netSalesCents, 20_000);
    assert.match(notes.labour ?? '', /^Labor of 1 of 2 restaurants is loaded for Fri/);
  });

  it('says of how many dates it is, where the two have data for unequally many', () => {
    const rows = ['20261119', '20261120', '20261113'].map((businessDate) => rowOf({ businessDate }));
    const week = { start: '20261114', end: '20261120' };
    const before = { start: '20261107', end: '20261113' };
    const { datesText, notes } = likeForLike({
      currency: 'USD',
      period: week,
      comparison: before,
      now: rows.slice(0, 2),
      before: rows.slice(2),
      sides: undefined,
      dates: rows,
      add: currencyTotals,
    });

    assert.equal(datesText, '2 dates vs 1');
    assert.match(notes.dates ?? '', /^1 of 7 dates of .* have data: changes are of 2 dates vs 1\.$/);
  });

  it('makes ratios from sums, never from the mean of ratios', () => {
    const rows = [
      rowOf({ netSalesAmount: 900, grossSalesAmount: 1000, hourlyJobTotalHours: '10.00', hourlyJobTotalPay: '90.00' }),
      rowOf({
        restaurantGuid: 'r2',
        netSalesAmount: 100,
        grossSalesAmount: 100,
        discountAmount: 11,
        hourlyJobTotalHours: '5.00',
        hourlyJobTotalPay: '50.00',
      }),
    ];
    const { sum } = beside(rows, undefined);

    assert.equal(labourShare(sum), 0.14);
    assert.equal(leakShare(sum), 0.01);
  });

  it('says that labour is not loaded rather than 0', () => {
    assert.equal(labourShare(beside([rowOf({ netSalesAmount: 5 })], undefined).sum), undefined);
  });
});
