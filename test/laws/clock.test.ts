/**
 * The laws of business date and hour: every time zone (some of them unless LAWS is large), every closeout hour, every
 * clock change of 2020 to 2035. What is expected is read from the text that Intl writes for an instant.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { businessDateOf, instantsOf, localTime } from '../../packages/service/src/contract/clock.ts';
import { changesOf, dayBefore, drawZones, offsetAt, wallText, ZONES } from './naive-clock.ts';

const zones = drawZones('America/New_York', 'Australia/Lord_Howe', 'Africa/Juba', 'UTC');
const CLOSEOUT_HOURS = Array.from({ length: 13 }, (_, hour) => hour);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Instants about a clock change, ascending: the change itself, clock hours, closeout hours, and a millisecond beside
 * each.
 */
function instantsAbout(change: number, zone: string): number[] {
  const offsets = [offsetAt(change - 1000, zone), offsetAt(change, zone)];
  const middles = [change, change - HOUR, change + HOUR];
  for (const offset of offsets) {
    const hour = Math.floor((change + offset) / HOUR) * HOUR - offset;
    middles.push(hour - HOUR, hour, hour + HOUR, hour + 2 * HOUR);
    const midnight = Math.floor((change + offset) / DAY) * DAY - offset;
    for (const closeout of CLOSEOUT_HOURS) middles.push(midnight + closeout * HOUR, midnight + DAY + closeout * HOUR);
  }
  const instants = middles.flatMap((middle) => [middle - 1, middle, middle + 1]);
  return [...new Set(instants)].sort((a, b) => a - b);
}

/** The business date of what a clock shows, YYYYMMDD, by the closeout hour. */
function dateShown(text: string): (closeoutHour: number) => number {
  const today = numberOf(text.slice(0, 10));
  const yesterday = Number(dayBefore(String(today)));
  const hour = Number(text.slice(11, 13));
  return (closeoutHour) => (hour < closeoutHour ? yesterday : today);
}

const numberOf = (date: string): number => Number(date.replaceAll('-', ''));
const dayNumber = (date: number): number =>
  Date.UTC(Math.trunc(date / 10_000), (Math.trunc(date / 100) % 100) - 1, date % 100) / DAY;

describe('the laws of business date and hour', () => {
  const changes = new Map<string, number[]>();
  /** One that any zone has: a day in the middle of the years for zones that never change their clocks. */
  const somewhere = Date.UTC(2026, 6, 1, 10, 30);
  before(() => {
    for (const zone of zones) changes.set(zone, changesOf(zone));
  });

  it('knows the clock changes that anyone can look up', () => {
    const inYear = (zone: string, year: number) =>
      (changes.get(zone) ?? [])
        .map((change) => new Date(change).toISOString())
        .filter((text) => text.startsWith(String(year)));

    assert.ok(ZONES.length > 400);
    assert.deepEqual(inYear('America/New_York', 2026), ['2026-03-08T07:00:00.000Z', '2026-11-01T06:00:00.000Z']);
    assert.deepEqual(inYear('Australia/Lord_Howe', 2026), ['2026-04-04T15:00:00.000Z', '2026-10-03T15:30:00.000Z']);
    assert.deepEqual(inYear('Africa/Juba', 2021), ['2021-01-31T21:00:00.000Z']);
    assert.deepEqual(changes.get('UTC'), []);
  });

  it('the clock hour and date are those of the wall clock, in every zone, about every clock change', () => {
    let checked = 0;
    for (const zone of zones) {
      for (const change of [...(changes.get(zone) ?? []), somewhere]) {
        for (const instant of instantsAbout(change, zone)) {
          const text = wallText(instant, zone);
          const { date, hour } = localTime(instant, zone);
          if (date !== numberOf(text.slice(0, 10)) || hour !== Number(text.slice(11, 13))) {
            assert.fail(`${zone} at ${new Date(instant).toISOString()}: ${date} ${hour} where the clock shows ${text}`);
          }
          checked++;
        }
      }
    }
    // A zone that never changes its clocks has some 90; all zones together have over 300,000.
    assert.ok(checked > zones.length * (zones === ZONES ? 700 : 80), `${checked} instants of ${zones.length} zones`);
  });

  it('an instant is on the one business date of the closeout rule, for every closeout hour', () => {
    for (const zone of zones) {
      for (const change of [...(changes.get(zone) ?? []), somewhere]) {
        for (const instant of instantsAbout(change, zone)) {
          const text = wallText(instant, zone);
          const dateBy = dateShown(text);
          for (const closeout of CLOSEOUT_HOURS) {
            const expected = dateBy(closeout);
            const found = businessDateOf(instant, zone, closeout);
            if (found !== expected) {
              assert.fail(`${zone}, closeout ${closeout}, at ${text}: ${found} where ${expected} is due`);
            }
          }
        }
      }
    }
  });

  it('business dates ascend one by one, and go back by a day at most if the clock goes back over the closeout hour', () => {
    for (const zone of zones) {
      for (const change of [...(changes.get(zone) ?? []), somewhere]) {
        const instants = instantsAbout(change, zone);
        const goesBack = offsetAt(change, zone) < offsetAt(change - 1000, zone);
        for (const closeout of CLOSEOUT_HOURS) {
          let last = dayNumber(businessDateOf(instants[0] ?? 0, zone, closeout));
          for (const instant of instants.slice(1)) {
            const day = dayNumber(businessDateOf(instant, zone, closeout));
            const step = day - last;
            const least = goesBack && instant === change ? -1 : 0;
            if (step < least || step > 1) {
              assert.fail(`${zone}, closeout ${closeout}: ${step} days at ${new Date(instant).toISOString()}`);
            }
            last = day;
          }
        }
      }
    }
  });

  it('the instants of a span are those on its business dates, and what is between them if a clock goes back over the closeout hour', () => {
    for (const timeZone of zones) {
      for (const change of [...(changes.get(timeZone) ?? []), somewhere]) {
        const instants = instantsAbout(change, timeZone);
        const shown = instants.map((instant) => dateShown(wallText(instant, timeZone)));
        for (const closeoutHour of CLOSEOUT_HOURS) {
          const dates = shown.map((dateBy) => dateBy(closeoutHour));
          const goesBack = dates.some((date, index) => date < (dates[index - 1] ?? 0));
          const present = [...new Set(dates)].sort();
          for (const startDate of present) {
            for (const endDate of present.filter((date) => date >= startDate)) {
              const { from, until } = instantsOf({ startDate, endDate }, { timeZone, closeoutHour });
              const isOn = (date: number): boolean => date >= startDate && date <= endDate;
              const place = `${timeZone}, closeout ${closeoutHour}, ${startDate} to ${endDate}`;
              for (const end of [from, until - 1])
                assert.ok(isOn(businessDateOf(end, timeZone, closeoutHour)), `${place}: its ends`);
              for (const [at, instant] of instants.entries()) {
                const isAmong = instant >= from && instant < until;
                if (isAmong === isOn(dates[at] ?? 0) || (isAmong && goesBack)) continue;
                assert.fail(`${place}: ${wallText(instant, timeZone)} is ${isAmong ? '' : 'not '}among them`);
              }
            }
          }
        }
      }
    }
  });
});
