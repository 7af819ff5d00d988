/** The sample restaurants and their trade, loaded through the same code as the data of clients. */
import { businessDateOf } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import type { Facts } from '../facts/facts.ts';
import { type LoadBody, load } from '../ingest/load.ts';
import { ndjson } from '../ingest/records.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import { type DemoDay, demoDay, demoDayInBrief } from './day.ts';
import { demoMenus } from './menus.ts';
import { demoReference } from './reference.ts';
import { DEMO_RESTAURANTS, type DemoRestaurant } from './restaurants.ts';
import { demoSettlement } from './settlements.ts';

interface DemoStores {
  ledger: ClientLedger & RestaurantLedger;
  facts: Facts;
  spoolFolder: string;
}

interface DemoOptions {
  /** The management group of the restaurants. */
  group: string;
  /** YYYYMMDD; the last whole date that is loaded is the day before. */
  today: number;
  /** The last business date of an earlier load (YYYYMMDD): this date and later ones are loaded. */
  since?: number;
  /**
   * Milliseconds since 1970 UTC: the restaurants are loaded as they report at this instant, with what has been sold of
   * the dates that are not over, and without the last date of the one that reports late. By default all have reported
   * the last date, and nothing of later ones.
   */
  until?: number;
  /** Called after each batch with numbers of orders; the total is an estimate. */
  progress: (done: number, total: number) => void;
  /** Milliseconds since 1970 UTC. */
  now?: number;
}

/** Two years: the last date can be compared with the one 364 days before, and a year with the one before. */
const DEMO_DAYS = 731;
/** The last dates have all details: two periods of 28 days, and the eight weekdays before one. */
const DETAILED_DAYS = 63;
/** With all details, or in brief (history.ts). */
type Detail = 'whole' | 'brief';

interface DemoCounts {
  orders: number;
  timeEntries: number;
  /** The last business date that is loaded now, YYYYMMDD. */
  lastDate: number;
}

/** The first business date (YYYYMMDD) that is not over at every sample restaurant (`now` in ms since 1970 UTC). */
export const demoToday = (now: number): number =>
  Math.min(...DEMO_RESTAURANTS.map(({ timeZone, closeoutHour }) => businessDateOf(now, timeZone, closeoutHour)));

/** The orders of so many dates are generated and loaded at a time; those in brief are not remembered meanwhile. */
const BATCH_DAYS: Record<Detail, number> = { whole: 63, brief: 668 };
/** The partial dates of an earlier load: the zones of the restaurants are at most so many dates apart. */
const PARTIAL_DAYS = 2;

/** Business dates (YYYYMMDD) that are loaded together. */
interface Batch {
  dates: number[];
  detail: Detail;
}

/** The dates to load, oldest first: those that an earlier load left unfinished, at most the last two years. */
function batchesToLoad(lastDate: number, since: number | undefined): Batch[] {
  if (since !== undefined && since >= lastDate) return [];
  const begun = since === undefined ? 0 : addDays(since, PARTIAL_DAYS);
  const detailed = addDays(lastDate, 1 - DETAILED_DAYS);
  const batches: Batch[] = [];
  for (let date = Math.max(addDays(lastDate, 1 - DEMO_DAYS), since ?? 0); date <= lastDate; date = addDays(date, 1)) {
    // What was loaded in part has the GUIDs of a whole date, and is replaced by them.
    const detail = date <= begun || date >= detailed ? 'whole' : 'brief';
    const batch = batches.at(-1);
    if (batch?.detail === detail && batch.dates.length < BATCH_DAYS[detail]) batch.dates.push(date);
    else batches.push({ dates: [date], detail });
  }
  return batches;
}

/** Returns the day of a business date. */
type Days = (date: number) => DemoDay;

/** Generates each day of a restaurant once, for its orders, time entries and settlements: 4,000 orders take 0.15 s. */
function daysOf(restaurant: DemoRestaurant, now: number | undefined): Days {
  const made = new Map<number, DemoDay>();
  return (date) => {
    const day = made.get(date) ?? demoDay(restaurant, date, now === undefined ? {} : { now });
    made.set(date, day);
    return day;
  };
}

/** A body with what each date has. */
async function* bodyOf(dates: number[], recordsOf: (date: number) => readonly object[]): AsyncGenerator<Buffer> {
  for (const date of dates) yield* ndjson(recordsOf(date));
}

/** Earlier dates whose deposits may have been made since they were loaded: over a weekend. */
const datesBefore = ([first = 0]: readonly number[]): number[] => [4, 3, 2, 1].map((days) => addDays(first, -days));

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

/** Loads batches of one restaurant, and counts what they have. */
class Loading {
  readonly #stores: DemoStores;
  readonly #restaurant: Restaurant;
  readonly #demo: DemoRestaurant;
  readonly #counts: DemoCounts;

  constructor(stores: DemoStores, restaurant: Restaurant, demo: DemoRestaurant, counts: DemoCounts) {
    this.#stores = stores;
    this.#restaurant = restaurant;
    this.#demo = demo;
    this.#counts = counts;
  }

  /** Dates with all details, as they are at `now` (ms since 1970 UTC), and the deposits of `settled`. */
  async whole(dates: number[], settled: number[], now?: number): Promise<void> {
    const days = daysOf(this.#demo, now);
    await this.#sales(dates, days);
    const { lastDate } = this.#counts;
    await this.#put('settlements', settled, (date) => {
      const settlement = demoSettlement(this.#demo.guid, date, days(date).orders, lastDate);
      return settlement ? [settlement] : [];
    });
  }

  /** Dates long ago. */
  async brief(dates: number[]): Promise<void> {
    await this.#sales(dates, (date) => demoDayInBrief(this.#demo, date));
  }

  async #sales(dates: number[], dayOf: (date: number) => Record<keyof DemoDay, readonly object[]>): Promise<void> {
    this.#counts.orders += await this.#put('orders', dates, (date) => dayOf(date).orders);
    this.#counts.timeEntries += await this.#put('shifts', dates, (date) => dayOf(date).timeEntries);
  }

  async #put(kind: LoadBody['kind'], dates: number[], recordsOf: (date: number) => readonly object[]): Promise<number> {
    const body = bodyOf(dates, recordsOf);
    const { accepted, unchanged, rejected } = await load(this.#stores, this.#restaurant, {
      kind,
      body,
      format: 'ndjson',
    });
    const [refused] = rejected;
    if (refused) throw new Error(`the demo made a record that is not taken: ${refused.pointer} ${refused.message}`);
    return accepted + unchanged;
  }
}

/** The dates after the last whole one that have begun at a restaurant. */
function begunDates({ timeZone, closeoutHour }: DemoRestaurant, lastDate: number, until: number): number[] {
  const current = businessDateOf(until, timeZone, closeoutHour);
  const dates: number[] = [];
  for (let date = addDays(lastDate, 1); date <= current; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/**
 * Loads the eight restaurants and their last two years up to yesterday, and with `until` what they have sold since.
 * Loading again changes nothing; with `since`, that date and the later ones are loaded again, so that the checks of
 * dates that were not over are closed.
 */
export async function loadDemo(stores: DemoStores, options: DemoOptions): Promise<DemoCounts> {
  const { group, today, since, until, progress, now = Date.now() } = options;
  const lastDate = addDays(today, -1);
  const batches = batchesToLoad(lastDate, since);
  const dates = batches.reduce((sum, batch) => sum + batch.dates.length, 0);
  const perDay = DEMO_RESTAURANTS.reduce((sum, { ordersPerDay }) => sum + ordersPerDay, 0);
  const counts: DemoCounts = { orders: 0, timeEntries: 0, lastDate };
  const report = (): void => progress(counts.orders, Math.max(counts.orders, perDay * dates));
  await stores.ledger.ensureGroup(group, now);
  for (const demo of DEMO_RESTAURANTS) {
    const restaurant = await putDemoRestaurant(stores, group, demo);
    const loading = new Loading(stores, restaurant, demo, counts);
    const late = until !== undefined && demo.reportsLate;
    for (const [index, { dates: all, detail }] of batches.entries()) {
      const reported = late ? all.filter((date) => date < lastDate) : all;
      const before = index === 0 && since !== undefined ? datesBefore(all) : [];
      if (detail === 'brief') await loading.brief(reported);
      else await loading.whole(reported, [...before, ...reported]);
      report();
    }
    if (until !== undefined && !late) await loading.whole(begunDates(demo, lastDate, until), [], until);
  }
  progress(counts.orders, counts.orders);
  return counts;
}
