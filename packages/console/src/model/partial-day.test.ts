import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { overIn, partialDayOf } from './partial-day.ts';
import { rowOf } from './test-rows.ts';

const NEW_YORK = { guid: 'r1', timeZone: 'America/New_York', closeoutHour: 4 };
const BERLIN = { guid: 'r2', timeZone: 'Europe/Berlin', closeoutHour: 4 };
const DATE = '20261120';
/** 14:30 in New York, 20:30 in Berlin. */
const AFTERNOON = Date.parse('2026-11-20T19:30:00Z');

describe('a day so far', () => {
  it('is of the restaurants whose business day is still in progress, each by its own clock', () => {
    assert.deepEqual([...(partialDayOf([NEW_YORK, BERLIN], DATE, AFTERNOON)?.running ?? [])], ['r1', 'r2']);
    const night = Date.parse('2026-11-21T05:00:00Z');
    assert.deepEqual([...(partialDayOf([NEW_YORK, BERLIN], DATE, night)?.running ?? [])], ['r1']);
    assert.equal(partialDayOf([NEW_YORK, BERLIN], DATE, Date.parse('2026-11-21T09:00:00Z')), undefined);
    assert.equal(partialDayOf([NEW_YORK], '20261119', AFTERNOON), undefined);
  });

  it('has the hours that are over, in the order of the business day', () => {
    const partialDay = partialDayOf([NEW_YORK], DATE, AFTERNOON);

    assert.deepEqual(
      [4, 11, 13, 14, 15, 23, 0, 3].map((hour) => partialDay?.isOver('r1', hour)),
      [true, true, true, false, false, false, false, false],
    );
    assert.equal(partialDay?.isOver('r2', 23), true);
    const afterMidnight = partialDayOf([NEW_YORK], DATE, Date.parse('2026-11-21T06:30:00Z'));
    assert.deepEqual(
      [23, 0, 1].map((hour) => afterMidnight?.isOver('r1', hour)),
      [true, true, false],
    );
  });

  it('is compared hour by hour, and completely if the day is over', () => {
    const partialDay = partialDayOf([NEW_YORK], DATE, AFTERNOON);
    const rows = [DATE, '20261113'].flatMap((businessDate) =>
      ['r1', 'r2'].flatMap((restaurantGuid) =>
        ['12', '18'].map((businessHour) => rowOf({ restaurantGuid, businessDate, businessHour })),
      ),
    );
    assert.ok(partialDay);
    const day = { start: DATE, end: DATE };
    const sides = overIn(rows, partialDay, day, { start: '20261113', end: '20261113' });

    assert.deepEqual(
      sides.before.map(({ restaurantGuid, businessHour }) => `${restaurantGuid} ${businessHour}`),
      ['r1 12', 'r2 12', 'r2 18'],
    );
    assert.equal(sides.now.length, 3);
  });
});
