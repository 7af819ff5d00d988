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
import { checkLaws } from './laws.ts';
import type { Json, NaiveRestaurant } from './naive.ts';
import { add, textDigits } from './naive-decimal.ts';

const BOUNDS = { deadlineMs: 120_000 };
const DATES = [20260313, 20260314, 20260315];

/** Something sold or worked: under a name, in one of two restaurants, on one of the dates. */
const events = fc.array(
  fc.record({
    restaurant: fc.nat({ max: 1 }),
    date: fc.constantFrom(...DATES),
    guid: fc.constantFrom<string | null>(null, 'one', 'two'),
    name: fc.constantFrom<string>('Ada', 'Bo', 'Čeněk'),
    units: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 12 },
);
type Event = typeof events extends fc.Arbitrary<(infer One)[]> ? One : never;

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

/** By what a figure is added up besides: the word of a request, and the field of a record. */
const OTHERS = [['restaurant', 'restaurantGuid'], ['businessDate', 'businessDate'], []] as const;

/** The same under GUIDs and names that no other case of its round has, which end with its place there. */
const placed = (events: readonly Event[], place: number): Event[] =>
  events.map((event) => ({ ...event, guid: event.guid && `${event.guid} ${place}`, name: `${event.name} ${place}` }));

/**
 * What a case of a round has of one of SPLITS: the records of a report, and the rows of its totals for each of OTHERS.
 */
interface Split {
  records: Json[];
  shown: Json[][];
}

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

  /** What all cases of a round have of one of SPLITS, in one report. */
  async function gather(
    restaurants: readonly Restaurant[],
    [family, group, word, , names, figure]: (typeof SPLITS)[number],
  ): Promise<(place: number) => Split> {
    const { kind } = family;
    const [aggregate, groups] = ['DAY' as const, [group]];
    const file = join(engine.folder, 'reports', randomUUID());
    const span = { startDate: DATES[0] ?? 0, endDate: DATES[2] ?? 0 };
    const query = { kind, aggregate, groups, ...span, restaurants: restaurants.map(scopeOf) };
    const { totals } = await engine.facts.gather(query, `${file}.parquet`, BOUNDS);
    const form: Form = { format: 'json', kind, aggregate, groups, dialect: 'reference', names: false };
    await engine.facts.render(`${file}.parquet`, form, `${file}.json`, BOUNDS);
    const report = { kind, plan: { groups, aggregate }, totals } as unknown as ReportRequest;
    // What has no name, as work in a job without a GUID, is taken for that of the first.
    const placeOf = (record: Json): number => Number(record[names[0]]?.split(' ')[1] ?? 0);

    const records = Map.groupBy<number, Json>(JSON.parse(await readFile(`${file}.json`, 'utf8')), placeOf);
    const shown: Map<number, Json[]>[] = [];
    for (const [other] of OTHERS) {
      const by = other ? [word, other] : [word];
      const ask = { by, from: undefined, to: undefined, weekday: undefined, figures: [figure] };
      const rows = await engine.facts.totals(`${file}.parquet`, totalsQuery(family, report, ask), BOUNDS);
      shown.push(Map.groupBy(shownTotalsRows(family, report, { ...ask, dialect: 'reference', rows }), placeOf));
    }
    return (place) => ({ records: records.get(place) ?? [], shown: shown.map((rows) => rows.get(place) ?? []) });
  }

  async function prepare(cases: Event[][]): Promise<Split[][]> {
    const restaurants = (await forEach([...cases.entries()], ([place, of]) => load(placed(of, place)))).flat();
    const splits: ((place: number) => Split)[] = [];
    for (const split of SPLITS) splits.push(await gather(restaurants, split));
    return cases.map((_, place) => splits.map((of) => of(place)));
  }

  /** What has had several names of one GUID. */
  const renamed = new Set<(typeof SPLITS)[number][2]>();
  checkLaws(events, prepare, {
    'holds for items, groups, menus, modifiers, jobs and employees, alone and by date and restaurant': (_, splits) => {
      for (const [index, [, , word, guid, names, figure]] of SPLITS.entries()) {
        const { records, shown } = splits[index] as Split;
        const nameOf = (record: Json): string => JSON.stringify(names.map((name) => record[name]));
        for (const [at, [other, field]] of OTHERS.entries()) {
          const what = `${word} by ${other}`;
          const rows = shown[at] as Json[];
          const keyOf = (record: Json): string =>
            JSON.stringify([record[guid] ?? [nameOf(record)], field && String(record[field])]);
          const expected = Map.groupBy(records, keyOf);
          assert.deepEqual(new Set(rows.map(keyOf)), new Set(expected.keys()), what);
          assert.equal(rows.length, expected.size, what);
          for (const row of rows) {
            const same = expected.get(keyOf(row)) ?? [];
            const sum = add(same.map((record) => textDigits(String(record[figure]), 6)));
            assert.equal(textDigits(String(row[figure]), 6), sum, `${what} ${figure}`);
            const last = same
              .map(({ businessDate }) => businessDate)
              .sort()
              .at(-1);
            const lastNames = same.filter(({ businessDate }) => businessDate === last).map(nameOf);
            assert.ok(lastNames.includes(nameOf(row)), `${what}: ${nameOf(row)} of ${lastNames}`);
            if (new Set(same.map(nameOf)).size > 1) renamed.add(word);
          }
        }
      }
    },
  });

  it('is drawn with several names of one GUID', () =>
    assert.deepEqual(renamed, new Set(SPLITS.map(([, , word]) => word))));
});
