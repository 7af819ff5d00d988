/** The service's own loading and engine, for the laws: many restaurants are loaded one by one and gathered at once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Daypart, DEFAULT_DAYPARTS } from '../../packages/service/src/contract/dayparts.ts';
import { type DuckdbFacts, openDuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import type { Facts } from '../../packages/service/src/facts/facts.ts';
import type { Form } from '../../packages/service/src/facts/form.ts';
import type { Spool } from '../../packages/service/src/facts/load.ts';
import type { GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { type LoadDeps, load } from '../../packages/service/src/ingest/load.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import type { Json, NaiveRestaurant } from './naive.ts';

const SPAN = { startDate: 20260101, endDate: 20261231 };
const BOUNDS = { deadlineMs: 120_000 };

/** Facts of any form, with a folder that they read and write. */
export interface Loader {
  facts: Facts;
  folder: string;
}

export interface Engine extends Loader {
  facts: DuckdbFacts;
  close(): Promise<void>;
}

export async function openEngine(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-laws-'));
  const facts = await openDuckdbFacts({ folder: join(folder, 'facts'), memoryMb: 1024, readable: [folder] });
  await Promise.all(['spool', 'reports'].map((name) => mkdir(join(folder, name))));
  return {
    facts,
    folder,
    async close() {
      await facts.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let lastId = 0;
/** Each restaurant has the next of them. */
const CURRENCIES = ['USD', null, 'EUR', 'USD', 'JPY'];

/** Likewise: the default, one that is all of the day, twelve that begin at 1, and two of which one is an hour. */
const DAYPARTS: readonly (readonly Daypart[])[] = [
  DEFAULT_DAYPARTS,
  [{ name: 'Day', from: 7, to: 7 }],
  Array.from({ length: 12 }, (_, index) => ({ name: `Part ${index}`, from: 2 * index + 1, to: (2 * index + 3) % 24 })),
  [
    { name: 'Rest', from: 3, to: 2 },
    { name: '=Witching', from: 2, to: 3 },
  ],
];
export const daypartsOf = (id: number): readonly Daypart[] => DAYPARTS[id % DAYPARTS.length] ?? DEFAULT_DAYPARTS;

/** A restaurant with an id and a GUID of its own, nothing loaded. */
export function newRestaurant({
  name,
  timeZone,
  closeoutHour,
  overtimeMultiplier,
  refundsOn = 'refund',
}: NaiveRestaurant): Restaurant {
  const id = ++lastId;
  const guid = `b1500000-0000-4000-8000-${String(id).padStart(12, '0')}`;
  return {
    id,
    guid,
    name,
    timeZone,
    closeoutHour,
    overtimeMultiplier,
    refundsOn,
    group: 'g',
    locationName: null,
    locationCode: null,
    currencyCode: CURRENCIES[id % CURRENCIES.length] ?? null,
    active: true,
    testMode: false,
    archived: false,
  };
}

/** What a gather needs to know of it. */
export const scopeOf = ({ id, guid, name, timeZone, closeoutHour, currencyCode }: Restaurant): RestaurantScope => ({
  id,
  guid,
  name,
  timeZone,
  closeoutHour,
  currencyCode,
  dayparts: daypartsOf(id),
});

/** Lists without names are left out. */
export async function putReference({ facts }: Loader, { id }: Restaurant, naive: NaiveRestaurant): Promise<void> {
  const named = (names: Record<string, string>) => Object.entries(names).map(([guid, name]) => ({ guid, name }));
  const lists = {
    diningOptions: named(naive.diningOptions),
    revenueCenters: named(naive.revenueCenters),
    employees: Object.entries(naive.employees).map(([guid, name]) => {
      const [firstName = '', lastName = ''] = name.split(' ');
      return { guid, firstName, lastName, chosenName: '' };
    }),
    jobs: Object.entries(naive.jobs).map(([guid, job]) => ({ guid, title: guid, code: '', ...job })),
  };
  await facts.putReference(id, Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)));
}

/** Loads a JSON array of records, none of which may be rejected. */
export async function put(
  engine: Loader,
  of: Restaurant,
  kind: Spool['kind'],
  records: Json[],
  more: Pick<LoadDeps, 'fingerprintKey'> = {},
): Promise<void> {
  const body = (async function* () {
    yield Buffer.from(JSON.stringify(records));
  })();
  const deps = { facts: engine.facts, spoolFolder: join(engine.folder, 'spool'), ...more };
  const { rejected } = await load(deps, of, { kind, body, format: 'array' });
  assert.deepEqual(rejected, []);
}

export type Query = Partial<Omit<GatherQuery, 'restaurants'>>;

/**
 * Runs for each value, many at a time: loads that wait at the same time are merged in one transaction, a quarter less
 * work than with 4.
 */
export async function forEach<T, R>(values: T[], run: (value: T) => Promise<R>, atOnce = 128): Promise<R[]> {
  const results: R[] = [];
  const waiting = values.entries();
  const work = async (): Promise<void> => {
    for (const [index, value] of waiting) results[index] = await run(value);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Runs for each value, which loads several times in turn: a third less work with more at once. */
export const inTurns = <T, R>(values: T[], run: (value: T) => Promise<R>): Promise<R[]> => forEach(values, run, 512);

/**
 * A restaurant of each case with its names, orders and time entries. The names come first: of loads that come between
 * them few are merged together.
 */
export async function loadCases(
  engine: Loader,
  cases: readonly { restaurant: NaiveRestaurant; orders: Json[]; entries: Json[] }[],
): Promise<Restaurant[]> {
  const restaurants = await forEach([...cases], async ({ restaurant }) => {
    const of = newRestaurant(restaurant);
    await putReference(engine, of, restaurant);
    return of;
  });
  await inTurns([...cases.entries()], async ([index, { orders, entries }]) => {
    const of = restaurants[index] as Restaurant;
    await put(engine, of, 'orders', orders);
    await put(engine, of, 'shifts', entries);
  });
  return restaurants;
}

/** The records of one restaurant. */
export type Report = (query?: Query) => Promise<Json[]>;

/** A report of each restaurant. Every query is gathered once, for all of them, when it is first asked. */
export function reportsOf({ facts, folder }: Loader, restaurants: Restaurant[]): Report[] {
  const scopes = restaurants.map(scopeOf);
  const request = new Map<string, Promise<Map<string, Json[]>>>();

  async function gather(whole: GatherQuery): Promise<Map<string, Json[]>> {
    const { kind, aggregate, groups } = whole;
    const file = join(folder, 'reports', randomUUID());
    await facts.gather(whole, `${file}.parquet`, BOUNDS);
    const form: Form = { format: 'json', kind, aggregate, groups, dialect: 'reference', names: false };
    await facts.render(`${file}.parquet`, form, `${file}.json`, BOUNDS);
    const records: Json[] = JSON.parse(await readFile(`${file}.json`, 'utf8'));
    await Promise.all([rm(`${file}.parquet`), rm(`${file}.json`)]);
    return Map.groupBy(records, (record) => record.restaurantGuid);
  }

  return restaurants.map(({ guid }) => async (query = {}) => {
    const plain: Omit<GatherQuery, 'restaurants'> = { kind: 'metrics', ...SPAN, aggregate: 'DAY', groups: [] };
    const key = JSON.stringify({ ...plain, ...query });
    const records = request.get(key) ?? gather({ ...plain, ...query, restaurants: scopes });
    request.set(key, records);
    return (await records).get(guid) ?? [];
  });
}
