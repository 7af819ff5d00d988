import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { DaypartHours } from '@daypart/client';
import { hoursFrom, runsOf, shortNameOf } from './dayparts.ts';

const DAYPARTS: DaypartHours[] = [
  { name: 'Breakfast', from: '05:00', to: '11:00' },
  { name: 'Day', from: '11:00', to: '22:00' },
  { name: 'Late', from: '22:00', to: '05:00' },
];

describe('dayparts', () => {
  it('are runs of hours in the order of the business day, over midnight too', () => {
    const runs = runsOf(hoursFrom(4), DAYPARTS).map(({ daypart, hours }) => [daypart.name, hours[0], hours.length]);

    assert.deepEqual(runs, [
      ['Late', 4, 1],
      ['Breakfast', 5, 6],
      ['Day', 11, 11],
      ['Late', 22, 6],
    ]);
  });

  it('of the whole day is one run', () => {
    assert.equal(runsOf(hoursFrom(0), [{ name: 'All', from: '00:00', to: '00:00' }])[0]?.hours.length, 24);
  });
});

test('names of dayparts have chosen abbreviations; others are whole', () => {
  assert.deepEqual(['Afternoon', 'Late night', 'Happy hour'].map(shortNameOf), ['Aft.', 'Late', 'Happy hour']);
});
