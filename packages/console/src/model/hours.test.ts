import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeIn, changeOf } from './change.ts';
import { hoursOf } from './hours.ts';

const at = (hour: number, perHour: number | null) => ({
  currencyCode: 'USD',
  netSalesAmount: 10,
  businessHour: String(hour),
  perHour,
});

test('an hour without hours worked has no sales per hour, and its change is not known', () => {
  const data = { now: [at(9, 50), at(10, null), at(11, 40)], before: [at(9, 40), at(10, 30), at(11, 40)] };
  const hours = hoursOf(data, 4, 'USD', ([row]) => row?.perHour ?? undefined);
  assert.deepEqual(hours, [
    { hour: 9, now: 50, before: 40 },
    { hour: 10, now: undefined, before: 30 },
    { hour: 11, now: 40, before: 40 },
  ]);
  assert.equal(changeOf(hours[1]?.now, hours[1]?.before), undefined);
  assert.equal(changeIn({ of: (sum: number | null) => sum }, { now: null, before: 30 }), undefined);
});

test('hours are in the order of the business day, from the first with sales to the last', () => {
  const hours = hoursOf({ now: [at(1, 0), at(22, 0)], before: undefined }, 4, 'USD');
  assert.deepEqual(
    hours.map(({ hour, now }) => [hour, now]),
    [
      [22, 1000],
      [23, 0],
      [0, 0],
      [1, 1000],
    ],
  );
});
