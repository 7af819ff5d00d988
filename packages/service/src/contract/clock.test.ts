import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { businessDateOf, instantsOf, isTimeZone, localTime, parseInstant } from './clock.ts';

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Antarctica/Troll',
];

/** The wall clock by Intl alone. */
function wallClock(instant: number, timeZone: string): { date: number; hour: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  const at = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return { date: Number(`${at.year}${at.month}${at.day}`), hour: Number(at.hour) };
}

/** The day before by walking back from noon, so that no arithmetic is shared with what is tested. */
function dayBefore(date: number): number {
  const noon = new Date(Date.UTC(Math.trunc(date / 10000), (Math.trunc(date / 100) % 100) - 1, date % 100, 12));
  noon.setUTCDate(noon.getUTCDate() - 1);
  return Number(noon.toISOString().slice(0, 10).replaceAll('-', ''));
}

const zones = fc.constantFrom(...ZONES);
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }),
  fc.integer({ min: Date.UTC(1905, 0, 1), max: Date.UTC(2000, 0, 1) }),
  // Around the clock changes of 2025 and 2026.
  fc
    .tuple(
      fc.constantFrom('2025-03-09', '2025-11-02', '2026-03-08', '2026-03-29', '2026-04-04', '2026-10-03', '2026-10-25'),
      fc.integer({ min: -86_400_000, max: 2 * 86_400_000 }),
    )
    .map(([date, ms]) => Date.parse(date) + ms),
);

test('every instant is on exactly one business date, that of Intl and the closeout hour', () => {
  fc.assert(
    fc.property(instants, zones, fc.integer({ min: 0, max: 12 }), (instant, zone, closeoutHour) => {
      const { date, hour } = wallClock(instant, zone);

      assert.deepEqual(localTime(instant, zone), { date, hour });
      assert.equal(businessDateOf(instant, zone, closeoutHour), hour < closeoutHour ? dayBefore(date) : date);
    }),
    { numRuns: LAWS * 5 },
  );
});

test('a night without its second hour and a night with two of them keep to the wall clock', () => {
  const zone = 'America/New_York';

  assert.deepEqual(localTime(Date.parse('2026-03-08T06:59:59.999Z'), zone), { date: 20260308, hour: 1 });
  assert.deepEqual(localTime(Date.parse('2026-03-08T07:00:00Z'), zone), { date: 20260308, hour: 3 });
  assert.deepEqual(localTime(Date.parse('2026-11-01T05:30:00Z'), zone), { date: 20261101, hour: 1 });
  assert.deepEqual(localTime(Date.parse('2026-11-01T06:30:00Z'), zone), { date: 20261101, hour: 1 });
  assert.equal(businessDateOf(Date.parse('2026-01-01T08:59:59Z'), zone, 4), 20251231);
});

test('a clock that changes inside a quarter of an hour keeps to the wall clock too', () => {
  const casey = (text: string) => localTime(Date.parse(text), 'Antarctica/Casey');

  assert.deepEqual(casey('2020-10-03T16:00:59.999Z'), { date: 20201004, hour: 0 });
  assert.deepEqual(casey('2020-10-03T16:01:00Z'), { date: 20201004, hour: 3 });
  assert.deepEqual(localTime(Date.parse('2006-10-29T02:30:59Z'), 'America/St_Johns'), { date: 20061029, hour: 0 });
  assert.deepEqual(localTime(Date.parse('2006-10-29T02:31:00Z'), 'America/St_Johns'), { date: 20061028, hour: 23 });
});

test('the instants of a date begin and end with the closeout hour, however long the date is', () => {
  const of = (date: number, timeZone: string, closeoutHour: number) => {
    const { from, until } = instantsOf({ startDate: date, endDate: date }, { timeZone, closeoutHour });
    return [new Date(from).toISOString(), new Date(until).toISOString()];
  };

  assert.deepEqual(of(20260310, 'America/New_York', 4), ['2026-03-10T08:00:00.000Z', '2026-03-11T08:00:00.000Z']);
  assert.deepEqual(of(20260307, 'America/New_York', 2), ['2026-03-07T07:00:00.000Z', '2026-03-08T07:00:00.000Z']);
  assert.deepEqual(of(20261031, 'America/New_York', 1), ['2026-10-31T05:00:00.000Z', '2026-11-01T05:00:00.000Z']);
  // From 2:45 to 3:45 in spring; in autumn 3:00 to 3:45 comes twice, at first on the next date.
  assert.deepEqual(of(20260927, 'Pacific/Chatham', 3), ['2026-09-26T14:00:00.000Z', '2026-09-27T13:15:00.000Z']);
  assert.deepEqual(of(20260404, 'Pacific/Chatham', 3), ['2026-04-03T13:15:00.000Z', '2026-04-04T14:15:00.000Z']);
  // A date that never was but for the hours before its closeout hour, and one without any.
  assert.deepEqual(of(20111230, 'Pacific/Apia', 4), ['2011-12-30T10:00:00.000Z', '2011-12-30T14:00:00.000Z']);
  assert.deepEqual(of(20111230, 'Pacific/Apia', 0), ['2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z']);
});

test('a time zone is an IANA name', () => {
  for (const name of ['America/New_York', 'UTC', 'Europe/Berlin', 'Asia/Kolkata']) assert.equal(isTimeZone(name), true);
  for (const name of ['', 'Mars/Olympus', '+02:00', 'New York', 'America/New_York '])
    assert.equal(isTimeZone(name), false);
});

test('an instant is read whatever its offset is written like', () => {
  const noon = Date.UTC(2026, 0, 1, 12);

  for (const text of ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00.000+0000', '2026-01-01T12:00:00+00:00']) {
    assert.equal(parseInstant(text), noon);
  }
  assert.equal(parseInstant('2026-01-01T07:00:00.5-0500'), noon + 500);
  assert.equal(parseInstant('2026-01-01T17:45:00.123999+05:45'), noon + 123);
  assert.equal(parseInstant('2026-01-01T13:00:00+01'), noon);
});

test('what is no date-time of the calendar with an offset is not read', () => {
  const refused = [
    '',
    '2026-01-01',
    '2026-01-01T12:00:00',
    '2026-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T12:60:00Z',
    '2026-01-01T12:00:00.Z',
    '2026-01-01T12:00:00+1',
    '2026-01-01T12:00:00+19:00',
    '2026-01-01T12:00:00+00:0x',
    '2026-01-01T12:00:00Zjunk',
    '0000-01-01T12:00:00Z',
    `2026-01-01T12:00:00.${'0'.repeat(100)}Z`,
  ];

  for (const text of refused) assert.equal(parseInstant(text), undefined, text);
});

test('an instant written and read is the same', () => {
  const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) }), offsets, (instant, offset) => {
      const size = Math.abs(offset);
      const two = (number: number): string => String(number).padStart(2, '0');
      const sign = offset < 0 ? '-' : '+';
      const local = new Date(instant + offset * 60_000).toISOString().slice(0, -1);

      assert.equal(parseInstant(`${local}${sign}${two(Math.trunc(size / 60))}${two(size % 60)}`), instant);
    }),
  );
});
