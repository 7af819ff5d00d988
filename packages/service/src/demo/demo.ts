/** The sample restaurants and their trade, loaded through the same code as the data of clients. */
import { addDays } from '../contract/dates.ts';
import type { Facts } from '../facts/facts.ts';
import { type LoadBody, load } from '../ingest/load.ts';
import { ndjson } from '../ingest/ndjson.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import { demoDay } from './day.ts';
import { demoMenus } from './menus.ts';
import { demoReference } from './reference.ts';
import { DEMO_RESTAURANTS, type DemoRestaurant } from './restaurants.ts';
import { demoSettlement } from './settlements.ts';

export interface DemoStores {
  ledger: ClientLedger & RestaurantLedger;
  facts: Facts;
  spoolFolder: string;
}

export interface DemoOptions {
  /** The management group of the restaurants. */
  group: string;
  /** YYYYMMDD; the last date that is loaded is the day before. */
  today: number;
  /** The last business date of an earlier load (YYYYMMDD): this date and later ones are loaded. */
  since?: number;
  /** Called after each batch with numbers of orders; the total is an estimate. */
  progress: (done: number, total: number) => void;
  /** Milliseconds since 1970 UTC. */
  now?: number;
}

export interface DemoCounts {
  orders: number;
  timeEntries: number;
  /** The last business date that is loaded now, YYYYMMDD. */
  lastDate: number;
}

const DAYS = 90;
/** Business dates in one batch: 4,000 to 10,000 orders, so that the fixed cost of a transaction hardly matters. */
const BATCH_DAYS = 30;

/** The business dates to load, oldest first: those that an earlier load left unfinished, at most the last 90. */
function datesToLoad(lastDate: number, since: number | undefined): number[] {
  const dates: number[] = [];
  const first = addDays(lastDate, 1 - DAYS);
  if (since !== undefined && since >= lastDate) return [];
  if (since !== undefined && since < first) dates.push(since);
  for (let date = Math.max(first, since ?? first); date <= lastDate; date = addDays(date, 1)) dates.push(date);
  return dates;
}

type Day = ReturnType<typeof demoDay>;
/** Returns the day of a business date. */
type Days = (date: number) => Day;

/** Generates each day of a restaurant once, for its orders, time entries and settlements: 4,000 orders take 0.15 s. */
function daysOf(restaurant: DemoRestaurant, lastDate: number): Days {
  const made = new Map<number, Day>();
  return (date) => {
    const day = made.get(date) ?? demoDay(restaurant, date, { newest: date === lastDate });
    made.set(date, day);
    return day;
  };
}

async function* ordersOf(days: Days, dates: number[]): AsyncGenerator<Buffer> {
  for (const date of dates) yield* ndjson(days(date).orders);
}

async function* entriesOf(days: Days, dates: number[]): AsyncGenerator<Buffer> {
  for (const date of dates) yield* ndjson(days(date).timeEntries);
}

/** Earlier dates whose deposits may have been made since they were loaded: over a weekend. */
const datesBefore = ([first = 0]: readonly number[]): number[] => [4, 3, 2, 1].map((days) => addDays(first, -days));

async function* settlementsOf(guid: string, days: Days, dates: number[], lastDate: number): AsyncGenerator<Buffer> {
  for (const date of dates) {
    const settlement = demoSettlement(guid, date, days(date).orders, lastDate);
    if (settlement) yield* ndjson([settlement]);
  }
}

async function putDemoRestaurant(stores: DemoStores, group: string, demo: DemoRestaurant): Promise<Restaurant> {
  const { guid, name, timeZone, closeoutHour, locationName, locationCode, currencyCode } = demo;
  const put = await stores.ledger.putRestaurant({
    guid,
    group,
    name,
    timeZone,
    closeoutHour,
    locationName,
    locationCode,
    currencyCode,
    overtimeMultiplier: 1.5,
    refundsOn: 'refund',
    active: true,
    testMode: false,
    archived: false,
  });
  if (!put) throw new Error(`the demo restaurant ${guid} belongs to another management group`);
  await stores.facts.putReference(put.restaurant.id, demoReference(demo));
  await stores.facts.putMenus(put.restaurant.id, demoMenus(demo));
  return put.restaurant;
}

/**
 * Loads the eight restaurants and their last 90 business dates up to yesterday. Loading again changes nothing; with
 * `since`, that date, whose checks are closed now, and the later ones are loaded again.
 */
export async function loadDemo(stores: DemoStores, options: DemoOptions): Promise<DemoCounts> {
  const { group, today, since, progress, now = Date.now() } = options;
  const lastDate = addDays(today, -1);
  const dates = datesToLoad(lastDate, since);
  const perDay = DEMO_RESTAURANTS.reduce((sum, { ordersPerDay }) => sum + ordersPerDay, 0);
  const counts: DemoCounts = { orders: 0, timeEntries: 0, lastDate };
  await stores.ledger.ensureGroup(group, now);
  for (const demo of DEMO_RESTAURANTS) {
    const restaurant = await putDemoRestaurant(stores, group, demo);
    for (let from = 0; from < dates.length; from += BATCH_DAYS) {
      const batch = dates.slice(from, from + BATCH_DAYS);
      const days = daysOf(demo, lastDate);
      const put = (kind: LoadBody['kind'], body: LoadBody['body']) =>
        load(stores, restaurant, { kind, body, format: 'ndjson' });
      const orders = await put('orders', ordersOf(days, batch));
      const entries = await put('shifts', entriesOf(days, batch));
      const settled = [...(from === 0 && since !== undefined ? datesBefore(batch) : []), ...batch];
      const settlements = settlementsOf(demo.guid, days, settled, lastDate);
      const deposits = await put('settlements', settlements);
      const [refused] = [...orders.rejected, ...entries.rejected, ...deposits.rejected];
      if (refused) throw new Error(`the demo made a record that is not taken: ${refused.pointer} ${refused.message}`);
      counts.orders += orders.accepted + orders.unchanged;
      counts.timeEntries += entries.accepted + entries.unchanged;
      progress(counts.orders, Math.max(counts.orders, perDay * dates.length));
    }
  }
  progress(counts.orders, counts.orders);
  return counts;
}
