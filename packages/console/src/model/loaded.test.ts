import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LoadedDay, lastDateOf, stateOf } from './loaded.ts';

const KNOWN = { firstBusinessDate: '20261001', lastBusinessDate: '20261120' };
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
    assert.equal(stateOf('20261119', daysOf('20261112'), KNOWN), 'missing');
    assert.equal(stateOf('20261119', daysOf('20261111'), KNOWN), 'closed');
  });

  it('after the last that is loaded is late, and before the first early', () => {
    assert.equal(stateOf('20261121', daysOf('20261114'), KNOWN), 'late');
    assert.equal(stateOf('20260930', daysOf('20260923'), KNOWN), 'early');
  });

  it('without time entries says so if other dates have some', () => {
    const days = daysOf('20261119', '20261120');
    days.set('20261120', { ...(days.get('20261120') as LoadedDay), timeEntries: 0 });
    assert.deepEqual(
      [stateOf('20261119', days, KNOWN), stateOf('20261120', days, KNOWN)],
      ['loaded', 'without-labour'],
    );
  });

  it('without items says so, since menu reports cannot count it', () => {
    const days = daysOf('20261120');
    days.set('20261120', { ...(days.get('20261120') as LoadedDay), itemsFrom: null });
    assert.equal(stateOf('20261120', days, KNOWN), 'without-items');
  });
});
