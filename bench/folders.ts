/** Data folders for measurements. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { addDays } from '../packages/service/src/contract/dates.ts';
import { demoDay } from '../packages/service/src/demo/day.ts';
import { createRandom } from '../packages/service/src/demo/random.ts';
import { DEMO_RESTAURANTS, type DemoRestaurant } from '../packages/service/src/demo/restaurants.ts';
import { openDuckdbFacts } from '../packages/service/src/facts/duckdb/duckdb.ts';
import type { RestaurantScope } from '../packages/service/src/facts/report.ts';
import { forgetSums } from '../packages/service/src/ledger/sqlite/page-sums.ts';
import { ndjson, postRecords, putRestaurant, startService } from './service.ts';

const first = DEMO_RESTAURANTS[0];
if (!first) throw new Error('there are no demo restaurants');
/**
 * The restaurant whose data goes over the wire; the others of the large folder are made from it. Busy even on a Monday.
 */
export const TEMPLATE: DemoRestaurant = { ...first, ordersPerDay: 400 };

const toDate = (instant: number): number => Number(new Date(instant).toISOString().slice(0, 10).replaceAll('-', ''));
/** The last business date with data, YYYYMMDD: two days back, so that it has ended everywhere. */
export const LAST_DATE = addDays(toDate(Date.now()), -2);
export const RESTAURANTS = 1000;
export const CHECKS_PER_DAY = 250;
const REBUILD_MB = 4096;
const REBUILD_MS = 600_000;
/** The year: so many restaurants have this many orders on each of its dates. */
const YEAR = { restaurants: 200, days: 365, ordersPerDay: 100 };

export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loads one restaurant with the last `days` business dates, over HTTP. */
export async function fillSmall(data: string, days: number): Promise<void> {
  const service = await startService(data);
  try {
    await putRestaurant(service, TEMPLATE);
    for (let back = days - 1; back >= 0; back--) {
      const { orders, timeEntries } = demoDay(TEMPLATE, addDays(LAST_DATE, -back));
      await postRecords(service, TEMPLATE.guid, 'orders', ndjson(orders));
      await postRecords(service, TEMPLATE.guid, 'time-entries', ndjson(timeEntries));
    }
  } finally {
    await service.stop();
  }
}

/**
 * Adds restaurants to the ledger of a service that has stopped, up to `count` of them; they are as the template but for
 * GUID, name and, in turn, time zone.
 */
export function addRestaurants(data: string, count: number, zones: readonly string[] = [TEMPLATE.timeZone]): void {
  const file = join(data, 'ledger.sqlite');
  // What is written here has no sums.
  forgetSums(file);
  const ledger = new DatabaseSync(file);
  const random = createRandom('bench');
  const insert = ledger.prepare(
    `insert into restaurant (id, guid, management_group, name, time_zone, closeout_hour, overtime_multiplier, active, test_mode, archived)
     select :id, :guid, management_group, :name, :zone, closeout_hour, overtime_multiplier, active, test_mode, archived
       from restaurant where guid = :template`,
  );
  ledger.exec('begin');
  for (let id = 2; id <= count; id++) {
    const zone = zones[id % zones.length] ?? TEMPLATE.timeZone;
    insert.run({ id, guid: random.guid(), name: `Restaurant ${id}`, zone, template: TEMPLATE.guid });
  }
  ledger.exec('commit');
  ledger.close();
}

/**
 * Multiplies the template's last day: 250 checks for each of 1000 restaurants, which is 250,000, and a year of orders
 * for 200 of them, laid down date by date as a service would have got them.
 */
async function multiply(data: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(data, 'facts', 'facts.duckdb'), { threads: '2' });
  const connection = await instance.connect();
  const sample = (name: string, table: string, count: number): Promise<unknown> =>
    connection.run(
      `create temp table ${name} as
       select * from ${table} where restaurant_id = 1 and business_date = ${LAST_DATE} order by opened_at limit ${count}`,
    );
  await sample('day_orders', 'orders', CHECKS_PER_DAY);
  await sample('day_checks', 'checks', CHECKS_PER_DAY);
  await sample('year_orders', 'orders', YEAR.ordersPerDay);
  const guid = (column: string, salt: string): string => `md5(concat_ws(' ', t.${column}, ${salt}))::uuid as ${column}`;
  const copy = (from: string, to: string, restaurants: string, replaced: string): Promise<unknown> =>
    connection.run(
      `insert into ${to} by name
       select t.* replace (r.id::integer as restaurant_id, ${replaced}) from range(${restaurants}) r(id), ${from} t`,
    );
  await connection.run('begin');
  for (let back = YEAR.days - 1; back >= 1; back--) {
    const earlier = ['opened_at', 'modified_at'].map((column) => `${column} - ${back * 86_400_000} as ${column}`);
    const replaced = [guid('order_guid', `r.id, ${back}`), `${addDays(LAST_DATE, -back)} as business_date`, ...earlier];
    await copy('year_orders', 'orders', `2, ${YEAR.restaurants + 2}`, replaced.join(', '));
  }
  const others = `2, ${RESTAURANTS + 1}`;
  await copy('day_orders', 'orders', others, guid('order_guid', 'r.id'));
  await copy('day_checks', 'checks', others, `${guid('order_guid', 'r.id')}, ${guid('check_guid', 'r.id')}`);
  await connection.run(
    `insert into names by name select n.* replace (r.id::integer as restaurant_id)
       from range(2, ${RESTAURANTS + 1}) r(id), (select * from names where restaurant_id = 1) n`,
  );
  await connection.run('commit');
  await connection.run('checkpoint');
  connection.closeSync();
  instance.closeSync();
}

export interface Large {
  /** The service's data folder. */
  data: string;
  /** A copy of its facts, for the engine alone: a running service holds its own. */
  factsCopy: string;
  /** For what a measurement writes; removed after it. */
  folder: string;
}

let large: { root: string; data: string; factsCopy: string } | undefined;

async function fillLarge(): Promise<{ root: string; data: string; factsCopy: string }> {
  const root = await mkdtemp(join(tmpdir(), 'daypart-bench-large-'));
  large = { root, data: join(root, 'data'), factsCopy: join(root, 'facts-copy') };
  await fillSmall(large.data, 2);
  addRestaurants(large.data, RESTAURANTS);
  await multiply(large.data);
  // The service computes what it keeps besides the facts.
  const facts = await openDuckdbFacts({ folder: join(large.data, 'facts'), memoryMb: REBUILD_MB });
  await facts.rebuild({ deadlineMs: REBUILD_MS });
  await facts.close();
  await cp(join(large.data, 'facts'), large.factsCopy, { recursive: true });
  return large;
}

/** Measures on the large folder, which is filled for the first that asks and kept for the others. */
export async function withLarge<T>(use: (large: Large) => Promise<T>): Promise<T> {
  const { data, factsCopy } = large ?? (await fillLarge());
  return await withFolder((folder) => use({ data, factsCopy, folder }));
}

export async function removeLarge(): Promise<void> {
  if (large) await rm(large.root, { recursive: true, force: true });
}

/** What a gather needs to know of every restaurant of a data folder, by GUID. */
export function readRestaurants(data: string): RestaurantScope[] {
  const ledger = new DatabaseSync(join(data, 'ledger.sqlite'), { readOnly: true });
  const rows = ledger
    .prepare('select id, guid, name, time_zone, closeout_hour, currency_code from restaurant order by guid')
    .all();
  ledger.close();
  return rows.map(({ id, guid, name, time_zone, closeout_hour, currency_code }) => ({
    id: Number(id),
    guid: String(guid),
    name: String(name),
    timeZone: String(time_zone),
    closeoutHour: Number(closeout_hour),
    currencyCode: currency_code === null ? null : String(currency_code),
  }));
}
