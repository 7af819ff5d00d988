/**
 * The law of names in totals: what a GUID identifies is one row whatever its names are; without a GUID, each name is
 * one.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { ReportFamily } from '../../packages/service/src/families/family.ts';
import { LABOR } from '../../packages/service/src/families/labor.ts';
import { MENU } from '../../packages/service/src/families/menu.ts';
import type { ReportRequest } from '../../packages/service/src/ledger/report.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { shownTotalsRows, totalsQuery } from '../../packages/service/src/requests/totals.ts';
import { type Engine, forEach, newRestaurant, openEngine, put, scopeOf } from './engine.ts';
import { LAWS, SEED } from './laws.ts';
import type { Json, NaiveRestaurant } from './naive.ts';
import { add, textDigits } from './naive-decimal.ts';

const BOUNDS = { deadlineMs: 120_000 };
const DATES = [20260313, 20260314, 20260315];

/** Something sold or worked: under a name, in one of two restaurants, on one of the dates. */
const events = fc.array(
  fc.record({
    restaurant: fc.nat({ max: 1 }),
    date: fc.constantFrom(...DATES),
    guid: fc.constantFrom(null, 'one', 'two'),
    name: fc.constantFrom('Ada', 'Bo', 'Čeněk'),
    units: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 12 },
);
type Event = typeof events extends fc.Arbitrary<(infer One)[]> ? One : never;

/** One GUID under two names: few cases may be drawn, of which none has that. */
const RENAMED = (['Ada', 'Bo'] as const).map(
  (name, index): Event => ({
    restaurant: 0,
    date: DATES[index] ?? 0,
    guid: 'one',
    name,
    units: 2,
  }),
);

const noon = (date: number): string => `${String(date).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')}T12:00:00Z`;

/** Sold by item, in a group and on a menu, with a modifier. */
function orderOf({ date, guid, name, units }: Event): Json {
  const named = { guid, name };
  const one = { item: { guid }, displayName: name, preDiscountPrice: units, price: units, quantity: 1 };
  const selection = { ...one, itemGroup: named, menu: named, modifiers: [one] };
  const check = { guid: randomUUID(), selections: [selection] };
  return { guid: randomUUID(), openedDate: noon(date), businessDate: date, checks: [check] };
}

function entryOf({ date, guid, name, units }: Event): Json {
  const outDate = new Date(Date.parse(noon(date)) + units * 3_600_000).toISOString();
  return {
    guid: randomUUID(),
    businessDate: date,
    inDate: noon(date),
    outDate,
    regularHours: units,
    hourlyWage: 10,
    jobReference: { guid, title: name, code: name.slice(0, 1) },
    employeeReference: { guid, firstName: name, lastName: 'Kay' },
  };
}

/** What is split by each value of `by`: the field of its GUID, those of its names, and a figure of it. */
const SPLITS = [
  [MENU, 'MENU_ITEM', 'menuItem', 'menuItemGuid', ['menuItemName'], 'quantitySold'],
  [MENU, 'MENU_GROUP', 'menuGroup', 'menuGroupGuid', ['menuGroupName'], 'grossSalesAmount'],
  [MENU, 'MENU', 'menu', 'menuGuid', ['menuName'], 'netSalesAmount'],
  [MENU, 'MODIFIER', 'modifier', 'modifierGuid', ['modifierName'], 'quantitySold'],
  [LABOR, 'JOB', 'job', 'jobGuid', ['jobTitle', 'jobCode'], 'totalHours'],
  [LABOR, 'EMPLOYEE', 'employee', 'employeeGuid', ['employeeFirstName', 'employeeLastName'], 'totalCost'],
] as const satisfies readonly [ReportFamily, string, string, string, readonly string[], string][];

describe('the law of names in totals', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  async function load(events: readonly Event[]): Promise<Restaurant[]> {
    const naive = { name: 'One', timeZone: 'UTC', closeoutHour: 4, overtimeMultiplier: 1.5 } as NaiveRestaurant;
    const restaurants = [newRestaurant(naive), newRestaurant(naive)].map((one) => ({ ...one, currencyCode: null }));
    for (const [index, of] of restaurants.entries()) {
      const own = events.filter(({ restaurant }) => restaurant === index);
      if (own.length === 0) continue;
      await put(engine, of, 'orders', own.map(orderOf));
      await put(engine, of, 'shifts', own.map(entryOf));
    }
    return restaurants;
  }

  it('holds for items, groups, menus, modifiers, jobs and employees, alone and by date, weekday and restaurant', async () => {
    const round = [RENAMED, ...fc.sample(events, { seed: SEED, numRuns: Math.ceil(LAWS / 8) })];
    let renamed = 0;
    await forEach(round, async (events) => {
      const restaurants = await load(events);
      for (const [family, group, word, guid, names, figure] of SPLITS) {
        const { kind } = family;
        const [aggregate, groups] = ['DAY' as const, [group]];
        const file = join(engine.folder, 'reports', randomUUID());
        const span = { startDate: DATES[0] ?? 0, endDate: DATES[2] ?? 0 };
        const query = { kind, aggregate, groups, ...span, restaurants: restaurants.map(scopeOf) };
        const { totals } = await engine.facts.gather(query, `${file}.parquet`, BOUNDS);
        const form: Form = { format: 'json', kind, aggregate, groups, dialect: 'reference', names: false };
        await engine.facts.render(`${file}.parquet`, form, `${file}.json`, BOUNDS);
        const records: Json[] = JSON.parse(await readFile(`${file}.json`, 'utf8'));
        const report = { kind, plan: { groups, aggregate }, totals } as unknown as ReportRequest;

        const nameOf = (record: Json): string => JSON.stringify(names.map((name) => record[name]));
        for (const [other, field] of [['restaurant', 'restaurantGuid'], ['businessDate', 'businessDate'], []]) {
          const by = other ? [word, other] : [word];
          const ask = { by, from: undefined, to: undefined, weekday: undefined, figures: [figure] };
          const rows = await engine.facts.totals(`${file}.parquet`, totalsQuery(family, report, ask), BOUNDS);
          const shown = shownTotalsRows(family, report, { ...ask, dialect: 'reference', rows });

          const keyOf = (record: Json): string =>
            JSON.stringify([record[guid] ?? [nameOf(record)], field && String(record[field])]);
          const expected = Map.groupBy(records, keyOf);
          assert.deepEqual(new Set(shown.map(keyOf)), new Set(expected.keys()), `${by}`);
          assert.equal(shown.length, expected.size, `${by}`);
          for (const row of shown as Json[]) {
            const same = expected.get(keyOf(row)) ?? [];
            const sum = add(same.map((record) => textDigits(String(record[figure]), 6)));
            assert.equal(textDigits(String(row[figure]), 6), sum, `${by} ${figure}`);
            const last = same
              .map(({ businessDate }) => businessDate)
              .sort()
              .at(-1);
            const lastNames = same.filter(({ businessDate }) => businessDate === last).map(nameOf);
            assert.ok(lastNames.includes(nameOf(row)), `${by}: ${nameOf(row)} of ${lastNames}`);
            if (new Set(same.map(nameOf)).size > 1) renamed++;
          }
        }
      }
    });
    assert.ok(renamed > 0, 'no case had two names of one GUID');
  });
});
