import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { FigureRow } from './figures.ts';
import {
  byRestaurantAndDate,
  isPartIn,
  nounOf,
  sayMeasure,
  sayUsual,
  standsOut,
  usualOf,
  weekdaysBefore,
} from './stands-out.ts';
import { rowOf } from './test-rows.ts';

const DATE = '20261120';
const CURRENCIES = new Map([
  ['r1', 'USD'],
  ['r2', 'EUR'],
]);

/** A restaurant that made `usual` on each Friday before, give or take 10, and `now` on the date. */
const fridays = (restaurantGuid: string, usual: number, now: number, weeks = 8): FigureRow[] => [
  rowOf({ restaurantGuid, netSalesAmount: now }),
  ...weekdaysBefore(DATE)
    .slice(0, weeks)
    .map((businessDate, at) =>
      rowOf({ restaurantGuid, businessDate, netSalesAmount: usual + (at % 2 === 0 ? 10 : -10) }),
    ),
];

test('a date is in part of a sum if a restaurant that trades on its weekday is missing, or if it is after the last', () => {
  const row = (restaurantGuid: string, businessDate: string) => ({ restaurantGuid, businessDate });
  const rows = [
    ...['20261106', '20261113', '20261120', '20261121'].map((date) => row('r1', date)),
    ...['20261106', '20261107'].map((date) => row('r2', date)),
  ];
  const isPart = isPartIn(rows, '20261120');
  const dates = ['20261106', '20261113', '20261115', '20261120', '20261121', '20261122'];
  assert.deepEqual(dates.map(isPart), [false, true, false, true, true, true]);
});

describe('what stands out', () => {
  it('differs much from the last eight same weekdays; the largest amounts come first', () => {
    const found = standsOut(
      byRestaurantAndDate([...fridays('r1', 1000, 700), ...fridays('r2', 1000, 1500)]),
      DATE,
      CURRENCIES,
    );

    assert.deepEqual(
      found.map(({ restaurantGuid, currencyCode, cents, better }) => [restaurantGuid, currencyCode, cents, better]),
      [
        ['r2', 'EUR', 50_000, true],
        ['r1', 'USD', -30_000, false],
      ],
    );
  });

  it('is ordered across currencies by what a restaurant sells in each: 10,000 yen are less than 900 dollars', () => {
    const found = standsOut(
      byRestaurantAndDate([
        ...fridays('r3', 100_000, 90_000),
        ...fridays('r1', 3000, 2700),
        ...fridays('r4', 2000, 1100),
      ]),
      DATE,
      new Map([...CURRENCIES, ['r3', 'JPY'], ['r4', 'USD']]),
    );

    assert.deepEqual(
      found.map(({ restaurantGuid, cents }) => [restaurantGuid, cents]),
      [
        ['r4', -90_000],
        ['r1', -30_000],
        ['r3', -1_000_000],
      ],
    );
  });

  it('needs five weeks of history', () => {
    assert.equal(standsOut(byRestaurantAndDate(fridays('r1', 1000, 500, 4)), DATE, CURRENCIES).length, 0);
    assert.equal(standsOut(byRestaurantAndDate(fridays('r1', 1000, 500, 5)), DATE, CURRENCIES).length, 1);
  });

  it('is not a restaurant that trades almost equally and differs a little', () => {
    // Its own spread is 1 %; it counts as 4 %, so 1.5 of it are 6 %.
    assert.equal(standsOut(byRestaurantAndDate(fridays('r1', 1000, 950)), DATE, CURRENCIES).length, 0);
    assert.equal(standsOut(byRestaurantAndDate(fridays('r1', 1000, 935)), DATE, CURRENCIES).length, 1);
  });

  it('says what labour above the usual costs at the sales of the date', () => {
    const rows = fridays('r1', 1000, 1000).map((row) => ({
      ...row,
      hourlyJobTotalHours: '10.00',
      hourlyJobTotalPay: row.businessDate === DATE ? '300.00' : (row.netSalesAmount * 0.2).toFixed(2),
    }));

    const [found] = standsOut(byRestaurantAndDate(rows), DATE, CURRENCIES);

    assert.deepEqual([found?.measure, found?.cents, found?.better], ['labour', 10_000, false]);
    assert.ok(found);
    assert.equal(nounOf(found), 'more labor');
    assert.equal(sayMeasure(found, found.now).replace(/\s/, ' '), '30.0 %');
    assert.equal(sayUsual(found).replace(/\s%/, ' %'), 'usually 20.0 % on Fridays');
  });

  it('has a spread of at least 4 % of the mean', () => {
    assert.deepEqual(usualOf([100, 100, 100]), { mean: 100, spread: 4 });
    assert.deepEqual(usualOf([90, 110]), { mean: 100, spread: Math.sqrt(200) });
  });
});
