import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { weekdayOf } from './dates.ts';
import { comparisonOf, lengthOf, partnerOf, periodOf, type Versus, versusChoices, versusName } from './period.ts';

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

  it('with last year is 52 weeks before 364 dates, and by date before 365 or 366, which would overlap', () => {
    const cases = {
      '20251127 20261125': '20241128 20251126',
      '20251126 20261125': '20241126 20251125',
      '20260101 20261231': '20250101 20251231',
      // Years with 366 dates, and a year after one.
      '20240101 20241231': '20230101 20231231',
      '20250101 20251231': '20240101 20241231',
      '20240229 20250227': '20230228 20240227',
      '20230301 20240229': '20220301 20230228',
      // 366 dates without 29 February: the date that would be in both is not compared.
      '20251125 20261125': '20241125 20251124',
    };
    for (const [dates, compared] of Object.entries(cases)) {
      const [start = '', end = ''] = dates.split(' ');
      const year = comparisonOf({ start, end }, 'year');
      assert.equal(`${year?.start} ${year?.end}`, compared, dates);
    }
    assert.deepEqual(
      [364, 365, 366].map((days) => versusName('year', days)),
      ['52 weeks before', 'Year before, by date', 'Year before, by date'],
    );
  });

  it('of a calendar year pairs equal dates, and 29 February with none', () => {
    const [period, comparison] = [
      { start: '20240101', end: '20241231' },
      { start: '20230101', end: '20231231' },
    ];
    assert.equal(partnerOf('20240301', period, comparison), '20230301');
    assert.equal(partnerOf('20241231', period, comparison), '20231231');
    assert.equal(partnerOf('20240229', period, comparison), undefined);
    // The date that is in the period itself.
    const long = { start: '20251125', end: '20261125' };
    assert.equal(partnerOf(long.end, long, { start: '20241125', end: '20251124' }), undefined);
    assert.equal(partnerOf('20250301', { start: '20250101', end: '20251231' }, period), '20240301');
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
