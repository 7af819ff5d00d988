import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { spanDays } from '@daypart/client';
import {
  comparedDate,
  comparisonOf,
  offeredAs,
  type Period,
  periodOf,
  sayStill,
  versusChoices,
  versusName,
} from './period.ts';

test('what is still shown is said by the period, or by the comparison if only that differs', () => {
  const [now, then] = [
    { start: '20261124', end: '20261124' },
    { start: '20261117', end: '20261117' },
  ];
  assert.equal(sayStill({ period: now }, { period: then }), 'still Tue Nov 24');
  assert.equal(sayStill({ period: now, comparison: then }, { period: now }), 'still vs Tue Nov 17');
  assert.equal(sayStill({ period: now }, { period: now, comparison: then }), 'still vs nothing');
  assert.equal(sayStill({ period: now, comparison: then }, { period: now, comparison: then }), '');
});

describe('a comparison', () => {
  const day = periodOf('day', '20261120');
  const weeks = periodOf('28', '20261120');

  it('is by default that of the same weekdays, and can be none', () => {
    assert.deepEqual(weeks, { start: '20261024', end: '20261120' });
    assert.deepEqual(comparisonOf(day, 'weekday'), { start: '20261113', end: '20261113' });
    assert.deepEqual(comparisonOf(weeks, 'weekday'), { start: '20260926', end: '20261023' });
    assert.equal(comparisonOf(day, 'none'), undefined);
    assert.equal(comparedDate('20261101', weeks, 'weekday'), '20261004');
    assert.equal(comparedDate('20261101', weeks, 'none'), undefined);
  });

  const named = (period: Period): string[] => versusChoices(period).map((one) => versusName(one, period));

  it('is offered once for each choice of dates', () => {
    const cases: [Period, string[]][] = [
      [day, ['Same weekday', 'Day before', 'Weekday last year', 'Same date last year', 'Nothing']],
      [weeks, ['28 days before', '52 weeks before', 'Same dates last year', 'Nothing']],
      [
        { start: '20261111', end: '20261120' },
        ['Same weekdays before', '10 days before', '52 weeks before', 'Same dates last year', 'Nothing'],
      ],
      // A month of whole weeks, and one of three days more.
      [
        { start: '20260201', end: '20260228' },
        ['28 days before', 'Month before', '52 weeks before', 'Same dates last year', 'Nothing'],
      ],
      [
        { start: '20260301', end: '20260331' },
        ['Same weekdays before', 'Month before', '52 weeks before', 'Same dates last year', 'Nothing'],
      ],
      [{ start: '20260101', end: '20261231' }, ['52 weeks before', 'Same dates last year', 'Nothing']],
      [{ start: '20251127', end: '20261125' }, ['52 weeks before', 'Same dates last year', 'Nothing']],
      [{ start: '20240229', end: '20240229' }, ['Same weekday', 'Day before', 'Weekday last year', 'Nothing']],
    ];
    for (const [period, names] of cases) assert.deepEqual(named(period), names, `${spanDays(period)} ${period.start}`);
  });

  it('of an address is offered by the name that its dates have', () => {
    assert.equal(offeredAs('previous', weeks), 'weekday');
    assert.equal(offeredAs('previous', { start: '20260101', end: '20261231' }), 'year');
    assert.equal(offeredAs('52-weeks', { start: '20260101', end: '20261231' }), 'weekday');
    assert.equal(offeredAs('year', { start: '20240229', end: '20240229' }), 'none');
  });
});
