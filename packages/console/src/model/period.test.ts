import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { weekdayOf } from './dates.ts';
import { comparisonOf, lengthOf, partnerOf, periodOf, type Versus, versusChoices } from './period.ts';

describe('a comparison', () => {
  const day = periodOf('day', '20261120');
  const weeks = periodOf('28', '20261120');

  it('of a day is the same weekday a week before', () => {
    assert.deepEqual(comparisonOf(day, 'weekday'), { start: '20261113', end: '20261113' });
    assert.deepEqual(comparisonOf(day, 'previous'), { start: '20261119', end: '20261119' });
    assert.equal(comparisonOf(day, 'none'), undefined);
  });

  it('of 28 days is the 28 before, and of ten days the same weekdays two weeks before', () => {
    assert.deepEqual(weeks, { start: '20261024', end: '20261120' });
    assert.deepEqual(comparisonOf(weeks, 'weekday'), { start: '20260926', end: '20261023' });
    const ten = { start: '20261111', end: '20261120' };
    assert.deepEqual(comparisonOf(ten, 'weekday'), { start: '20261028', end: '20261106' });
  });

  it('with last year is 52 weeks before, so that weekdays match, from 29 February too', () => {
    for (const date of ['20240229', '20261120', '20260101']) {
      const year = comparisonOf(periodOf('day', date), 'year');
      assert.equal(weekdayOf(year?.start ?? ''), weekdayOf(date));
    }
    assert.deepEqual(comparisonOf(periodOf('day', '20240229'), 'year'), { start: '20230302', end: '20230302' });
  });

  it('is as long as its period, and ends before it starts', () => {
    for (const days of ['day', '7', '28'] as const)
      for (const versus of ['weekday', 'previous', 'year'] as Versus[]) {
        const period = periodOf(days, '20261120');
        const comparison = comparisonOf(period, versus);
        assert.ok(comparison && comparison.end < period.start);
        assert.equal(lengthOf(comparison), lengthOf(period));
      }
  });

  it('pairs each date with one of the same weekday', () => {
    const comparison = comparisonOf(weeks, 'weekday') ?? weeks;
    assert.equal(partnerOf('20261101', weeks, comparison), '20261004');
  });

  it('by weekday and by length are one choice for whole weeks', () => {
    assert.deepEqual(versusChoices(7), ['weekday', 'year', 'none']);
    assert.deepEqual(versusChoices(1), ['weekday', 'previous', 'year', 'none']);
  });
});
