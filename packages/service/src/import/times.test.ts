import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { localTime, wallClock } from '../contract/clock.ts';
import { momentOf, readMoment, readMomentOrDate } from './times.ts';

const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'];
const shown = (at: number): string => new Date(at).toISOString();

describe('a local date-time', () => {
  it('is read in every form of an export', () => {
    const forms = [
      '10/08/2026 17:18:00',
      '10/08/2026 17:18',
      '10/8/26 5:18 PM',
      '10/8/26 5:18:00 p.m.',
      '10/8/2026 5:18PM',
      '10/08/26, 05:18 pm',
      '10/8/26 5:18\u202fPM',
      '2026-10-08 17:18:00.000',
      '2026-10-08T17:18',
      '2026-10-08T21:18:00Z',
    ];
    for (const form of forms) {
      assert.equal(shown(readMoment(form, 'America/New_York').at), '2026-10-08T21:18:00.000Z', form);
    }
    assert.equal(shown(readMoment('1/1/26 12:00 AM', 'UTC').at), '2026-01-01T00:00:00.000Z');
    assert.equal(shown(readMoment('1/1/26 12:00 PM', 'UTC').at), '2026-01-01T12:00:00.000Z');
  });

  it('may be a date alone where a date is what counts', () => {
    for (const form of ['10/08/2026', '10/8/26', '2026-10-08'])
      assert.equal(readMomentOrDate(form, 'America/New_York'), 20261008, form);
    assert.deepEqual(readMomentOrDate('10/8/26 5:18 PM', 'UTC'), readMoment('10/8/26 5:18 PM', 'UTC'));
    for (const form of ['02/30/2026', '13/01/2026', '20261008', '46303'])
      assert.throws(() => readMomentOrDate(form, 'UTC'), /date and time/, form);
  });

  it('is refused when no calendar or clock shows it', () => {
    const wrong = [
      '',
      'x',
      '13/01/2026 10:00',
      '2/29/2026 10:00',
      '1/1/2026 25:00',
      '1/1/2026 10:60',
      '1/1/2026 0:30 AM',
    ];
    for (const form of [...wrong, '1/1/2026', '1/1/226 10:00', '2026-1-1', '1/1/2026 10:00:61', '01-02-2026 10:00']) {
      assert.throws(() => readMoment(form, 'UTC'), /must be a date and time/, form);
    }
  });

  it('is the instant at which the clock shows it, the first of two, and the one before a gap moved over it', () => {
    const at = (text: string, zone: string): string[] => {
      const { at: first, again } = readMoment(text, zone);
      return [shown(first), shown(again)];
    };
    assert.deepEqual(at('11/01/2026 01:30', 'America/New_York'), [
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T06:30:00.000Z',
    ]);
    assert.deepEqual(at('03/08/2026 02:30', 'America/New_York'), [
      '2026-03-08T07:30:00.000Z',
      '2026-03-08T07:30:00.000Z',
    ]);
    // Half an hour: 2:00 becomes 2:30 in October, 2:00 becomes 1:30 in April.
    assert.deepEqual(
      localTime(readMoment('10/04/2026 02:15', 'Australia/Lord_Howe').at, 'Australia/Lord_Howe').hour,
      2,
    );
    assert.deepEqual(at('04/05/2026 01:45', 'Australia/Lord_Howe'), [
      '2026-04-04T14:45:00.000Z',
      '2026-04-04T15:15:00.000Z',
    ]);
    // Apia had no 30 December 2011.
    assert.deepEqual(localTime(readMoment('12/30/2011 12:00', 'Pacific/Apia').at, 'Pacific/Apia').date, 20111231);
  });

  it('comes back from every instant in every zone', () => {
    const instants = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2037, 0) });
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (instant, zone) => {
        const { at, again } = momentOf(wallClock(instant, zone), zone);
        assert.ok(at === instant || again === instant);
        assert.ok(at <= again);
      }),
      { numRuns: LAWS * 2 },
    );
  });
});
