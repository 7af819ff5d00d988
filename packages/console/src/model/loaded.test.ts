import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LoadedDay, type LoadedState, lastDateOf, stateOf } from './loaded.ts';

const KNOWN = {
  firstBusinessDate: '20261001',
  lastBusinessDate: '20261120',
  timeZone: 'America/New_York',
  closeoutHour: 4,
};
/** In New York it is 3:30 of 2 December, so its business date is 1 December. */
const NOW = Date.parse('2026-12-02T08:30:00Z');
const stateAt = (date: string, days: Map<string, LoadedDay>): LoadedState => stateOf(date, days, KNOWN, NOW);
const AT = '2026-11-21T00:00:00Z';
const daysOf = (...dates: string[]): Map<string, LoadedDay> =>
  new Map(
    dates.map((businessDate) => [
      businessDate,
      { businessDate, orders: 5, checks: 5, timeEntries: 2, itemsFrom: AT, loadedAt: AT },
    ]),
  );

describe('the last business date', () => {
  it('is the current one if orders are for a later date', () => {
    const at = (lastBusinessDate: string | null) =>
      lastDateOf(
        { lastBusinessDate, timeZone: 'America/New_York', closeoutHour: 4 },
        Date.parse('2026-11-21T08:30:00Z'),
      );

    assert.deepEqual(
      [at('20261119'), at('20261120'), at('20261121'), at('99991231'), at(null)],
      ['20261119', '20261120', '20261120', '20261120', null],
    );
  });
});

describe('a business date', () => {
  it('without data is missing where the restaurant traded on that weekday, and closed if it did not', () => {
    assert.equal(stateAt('20261119', daysOf('20261112')), 'missing');
    assert.equal(stateAt('20261119', daysOf('20261111')), 'closed');
  });

  it('is late if it is not over at the restaurant, and early before the first', () => {
    assert.equal(stateAt('20261201', daysOf('20261117')), 'late');
    assert.equal(stateAt('20261202', daysOf('20261118')), 'late');
    assert.equal(stateOf('20261119', daysOf(), { ...KNOWN, lastBusinessDate: null }, NOW), 'late');
    assert.equal(stateAt('20260930', daysOf('20260923')), 'early');
  });

  it('that is over without data after the last load is missing, by the weekdays of the four weeks before that load', () => {
    // Friday 20 November is the last; before it, Saturdays and Mondays have data, and Sundays have not.
    const days = daysOf('20261114', '20261026', '20261120');
    assert.equal(stateAt('20261121', days), 'missing');
    assert.equal(stateAt('20261122', days), 'closed');
    assert.equal(stateAt('20261123', days), 'missing');
    assert.equal(stateAt('20261130', daysOf('20261116')), 'missing');
    const long = (date: string) => stateOf(date, days, KNOWN, Date.parse('2027-06-01T12:00:00Z'));
    assert.deepEqual(['20270528', '20270529', '20270530'].map(long), ['missing', 'missing', 'closed']);
  });

  it('without time entries says so if other dates have some', () => {
    const days = daysOf('20261119', '20261120');
    days.set('20261120', { ...(days.get('20261120') as LoadedDay), timeEntries: 0 });
    assert.deepEqual([stateAt('20261119', days), stateAt('20261120', days)], ['loaded', 'without-labour']);
  });

  it('without items says so, since menu reports cannot count it', () => {
    const days = daysOf('20261120');
    days.set('20261120', { ...(days.get('20261120') as LoadedDay), itemsFrom: null });
    assert.equal(stateAt('20261120', days), 'without-items');
  });
});
