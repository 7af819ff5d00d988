/**
 * The law of labour by hour in every time zone (some of them unless LAWS is large): shifts over every clock change of
 * 2020 to 2035.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Engine, forEach, newRestaurant, openEngine, put, type Report, reportsOf } from './engine.ts';
import type { Json, NaiveRestaurant } from './naive.ts';
import { changesOf, drawZones } from './naive-clock.ts';
import { naiveMetrics } from './naive-metrics.ts';

const MINUTE = 60_000;
const QUERY = { start: '20200101', end: '20361231', hour: true };

/** Days on which a clock that no longer changes shows that it does not. */
const WINTERS_AND_SUMMERS = [2026, 2030, 2035].flatMap((year) => [
  Date.UTC(year, 0, 15, 10, 30),
  Date.UTC(year, 6, 15, 10, 30),
]);

/** A shift of five hours over each instant, on a business date of its own. */
const shiftsOver = (instants: number[]): Json[] =>
  instants.map((instant, index) => ({
    guid: `0a000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    inDate: new Date(instant - 127 * MINUTE).toISOString(),
    outDate: new Date(instant + 173 * MINUTE).toISOString(),
    businessDate: new Date(instant).toISOString().slice(0, 10),
    regularHours: 5,
    hourlyWage: 17.35,
  }));

describe('the law of labour by hour', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  it('a shift is in the hours that the wall clock shows, in every zone, over every clock change', async () => {
    const places = drawZones().map((timeZone, index) => {
      const naive: NaiveRestaurant = {
        guid: '',
        name: timeZone,
        timeZone,
        closeoutHour: index % 13,
        overtimeMultiplier: 1.5,
        diningOptions: {},
        revenueCenters: {},
        employees: {},
        jobs: {},
      };
      return { naive, entries: shiftsOver([...changesOf(timeZone), ...WINTERS_AND_SUMMERS]) };
    });
    const restaurants = await forEach(places, async ({ naive, entries }) => {
      const of = newRestaurant(naive);
      await put(engine, of, 'shifts', entries);
      return of;
    });
    const reports = reportsOf(engine, restaurants);

    const wrong: string[] = [];
    for (const [index, { naive, entries }] of places.entries()) {
      const guid = restaurants[index]?.guid ?? '';
      const report = reports[index] as Report;
      const rows = await report({ aggregate: 'HOUR', startDate: 20200101, endDate: 20361231 });
      const dates = new Set(rows.map((row) => row.businessDate));
      assert.equal(dates.size, entries.length, naive.timeZone);
      const hoursOn = (date: string, all: Json[]): Json[] => all.filter((row) => row.businessDate === date);
      const expected = naiveMetrics([], entries, { ...naive, guid }, QUERY);
      for (const date of dates) {
        const differs = JSON.stringify(hoursOn(date, rows)) !== JSON.stringify(hoursOn(date, expected));
        if (differs) wrong.push(`${naive.timeZone} ${date}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});
