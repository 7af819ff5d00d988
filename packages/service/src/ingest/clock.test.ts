import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../contract/dates.ts';
import { businessDateOf, isTimeZone, localTime, parseInstant } from './clock.ts';

const ZONES = Intl.supportedValuesOf('timeZone');

/** Date and hour by Intl alone, uncached. */
function byIntl(instant: number, timeZone: string): { date: number; hour: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return { date: Number(`${parts.year}${parts.month}${parts.day}`), hour: Number(parts.hour) };
}

/** The instants, to the quarter of an hour, at which a zone's offset changes within a year. */
function changesOf(timeZone: string, year: number): number[] {
  const changes: number[] = [];
  const offset = (at: number): number => {
    const { date, hour } = byIntl(at, timeZone);
    return Date.UTC(Math.trunc(date / 10000), (Math.trunc(date / 100) % 100) - 1, date % 100, hour) - at;
  };
  for (let month = 0; month < 12; month++) {
    let [from, to] = [Date.UTC(year, month), Date.UTC(year, month + 1)];
    if (offset(from) === offset(to)) continue;
    while (to - from > 900_000) {
      const middle = Math.floor((from + to) / 1_800_000) * 900_000;
      if (offset(middle) === offset(from)) from = middle;
      else to = middle;
    }
    changes.push(to);
  }
  return changes;
}

describe('the clock', () => {
  it('tells local date and hour as Intl does, in every zone', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: Date.UTC(1973, 0, 2), max: Date.UTC(2036, 0, 1) }),
        (zone, instant) => assert.deepEqual(localTime(instant, zone), byIntl(instant, zone)),
      ),
      { numRuns: 3000 },
    ));

  it('puts every instant on exactly one business date, for every closeout hour, around clock changes too', () => {
    const zones = [
      'America/New_York',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Europe/Dublin',
      'Asia/Kathmandu',
      'America/Santiago',
      'Africa/Casablanca',
      'Pacific/Chatham',
    ];
    let looked = 0;
    for (const zone of zones) {
      const around = [2020, 2026, 2031].flatMap((year) => [...changesOf(zone, year), Date.UTC(year, 1, 28)]);
      for (const change of around) {
        for (let closeout = 0; closeout <= 12; closeout++) {
          let before = 0;
          for (let instant = change - 26 * 3_600_000; instant <= change + 26 * 3_600_000; instant += 900_000) {
            const date = businessDateOf(instant, zone, closeout);
            const { date: local, hour } = byIntl(instant, zone);
            assert.equal(date, hour < closeout ? addDays(local, -1) : local);
            // Business dates follow each other without a gap; only a clock set back over the closeout hour may step back.
            if (before !== 0 && date !== before) assert.ok(date === addDays(before, 1) || date === addDays(before, -1));
            before = date;
            looked++;
          }
        }
      }
    }
    assert.ok(looked > 50_000);
  });

  it('reads instants with any offset, and nothing without one', () => {
    const instant = Date.UTC(2026, 0, 1, 14, 13, 12, 345);
    for (const text of [
      '2026-01-01T14:13:12.345+0000',
      '2026-01-01T14:13:12.345Z',
      '2026-01-01T14:13:12.345+00:00',
      '2026-01-01T09:13:12.345-0500',
      '2026-01-01T19:43:12.345678+05:30',
    ]) {
      assert.equal(parseInstant(text), instant, text);
    }
    assert.equal(parseInstant('2026-01-01T14:13:12Z'), instant - 345);
    for (const text of [
      '',
      '2026-01-01',
      '2026-01-01T14:13:12',
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T14:13:12.Z',
      '2026-01-01T14:13:12+1',
      'x'.repeat(1000),
    ]) {
      assert.equal(parseInstant(text), undefined, text);
    }
  });

  it('reads every instant that is written as ISO 8601', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (date) => {
          assert.equal(parseInstant(date.toISOString()), date.getTime());
          assert.equal(parseInstant(date.toISOString().replace('Z', '+0000')), date.getTime());
        },
      ),
      { numRuns: 2000 },
    ));

  it('knows the names of time zones', () => {
    for (const zone of ['America/New_York', 'UTC', 'Europe/Kyiv']) assert.ok(isTimeZone(zone));
    for (const zone of ['', '+02:00', 'Mars/Base', '2026']) assert.ok(!isTimeZone(zone));
  });
});
