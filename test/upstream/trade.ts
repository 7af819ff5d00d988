/**
 * What a restaurant of the stand-in trades: a pure function of seed, restaurant and date, so years of it cost nothing
 * until they are read.
 */
import { businessDateOf, instantsOf } from '../../packages/service/src/contract/clock.ts';
import { readBusinessDate } from '../../packages/service/src/contract/dates.ts';
import { DAY_MS, HOUR_MS } from '../../packages/service/src/contract/time.ts';
import { instantAt } from '../../packages/service/src/demo/clock.ts';
import { demoDay } from '../../packages/service/src/demo/day.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import type { DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import type { SourceOrder } from '../../packages/service/src/demo/shapes.ts';
import type { EntryDocument, Life, OrderDocument } from './documents.ts';
import { entryLife } from './entry-life.ts';
import { hash } from './hash.ts';
import { type Days, type Moved, orderLife } from './order-life.ts';

/** From (inclusive) until (exclusive), ms since 1970 UTC. */
export interface Span {
  from: number;
  until: number;
}

export interface Documents {
  orders: OrderDocument;
  entries: EntryDocument;
}
export type Kind = keyof Documents;

/** The lives of what was traded on a date, by GUID. */
export type Day = { [K in Kind]: Map<string, Life<Documents[K]>> };
/** What is known of a document without making it. */
export type Known = Pick<Life<unknown>, 'guid' | 'businessDate' | 'moments'>;

/** The documents of dates that were read lately, for all restaurants together; some 12,000 orders of the sample. */
const DAYS_KEPT = 60;
export type DayCache = Map<string, Day>;

const instant = (text: string): number => Date.parse(text.replace('+0000', 'Z'));

/**
 * Which order another one was merged into: one of the next three that is sold and not yet paid a minute after both were
 * opened.
 */
function mergesOf(orders: SourceOrder[]): { into: Map<string, Moved>; from: Map<string, number> } {
  const [into, from] = [new Map<string, Moved>(), new Map<string, number>()];
  orders.forEach((order, index) => {
    const [check] = order.checks;
    if (!order.deleted || !check || order.checks.length !== 1) return;
    const host = orders
      .slice(index + 1, index + 4)
      .find(({ guid, voided, deleted, excessFood, openedDate, checks }) => {
        const paid = instant(checks[0]?.paidDate ?? openedDate);
        const sold = !voided && !deleted && !excessFood && checks.every((one) => !one.voided && !one.deleted);
        return sold && !into.has(guid) && paid > instant(openedDate) + 120_000;
      });
    if (!host) return;
    const at = instant(host.openedDate) + 60_000;
    into.set(host.guid, { check, at });
    from.set(order.guid, at);
  });
  return { into, from };
}

/** The first part of a GUID. */
const FIRST_DIGITS = 8;

/**
 * A GUID from which the date of its trade can be computed again, so that one document is found without reading all
 * dates.
 */
function dated(guid: string, date: number): string {
  const rest = guid.slice(FIRST_DIGITS);
  return ((date ^ hash(rest)) >>> 0).toString(16).padStart(FIRST_DIGITS, '0') + rest;
}

/** The date (YYYYMMDD) that a GUID was given; 0, or any date, for a GUID that is not of trade. */
export const tradeDateOf = (guid: string): number =>
  readBusinessDate((Number.parseInt(guid.slice(0, FIRST_DIGITS), 16) ^ hash(guid.slice(FIRST_DIGITS))) >>> 0) ?? 0;

/**
 * After how many days what is late of a date happens. It is one number for all of the date, so that only few dates have
 * to be made to know what was modified in an hour.
 */
interface Lateness {
  refundDays: number;
  correctionDays: number;
  deletionDays: number;
}

function latenessOf({ guid }: DemoRestaurant, seed: string, date: number): Lateness {
  const random = createRandom(`late ${seed} ${guid} ${date}`);
  return { refundDays: random.whole(1, 45), correctionDays: random.whole(1, 20), deletionDays: random.whole(1, 10) };
}

/** Nothing of a date changes more than this after it began, or before. */
export const LATEST_CHANGE_MS = 48 * DAY_MS;
/** Scheduled orders are created at most this long before the date on which they are opened. */
export const EARLIEST_MS = DAY_MS;

/**
 * In which hours after the local midnight that begins a date something of it can change: while it is traded (opened
 * from 7 to 27 o'clock, closed until 37, tips until 46, an order of the future a day before), and so long after that as
 * its lateness says.
 */
function hoursOf({ refundDays, correctionDays, deletionDays }: Lateness): [from: number, until: number][] {
  const after = (days: number, from: number, until: number): [number, number] => [days * 24 + from, days * 24 + until];
  return [
    [-24, 47],
    after(refundDays, 6, 39),
    after(correctionDays, 11, 51),
    after(deletionDays, 8, 34),
    after(correctionDays + deletionDays, 11, 51),
  ];
}

/** The lives of everything that a restaurant does on a date (YYYYMMDD): the same on every call. */
export function tradeOf(restaurant: DemoRestaurant, days: Days, seed: string, date: number): Day {
  const sample = demoDay({ ...restaurant, ...days }, date, { seed });
  const orders = sample.orders.map((one) => ({ ...one, guid: dated(one.guid, date) }));
  const timeEntries = sample.timeEntries.map((one) => ({ ...one, guid: dated(one.guid, date) }));
  const merges = mergesOf(orders);
  const { refundDays, correctionDays, deletionDays } = latenessOf(restaurant, seed, date);
  const closeoutOf = (opened: string): number => {
    const own = businessDateOf(instant(opened), days.timeZone, days.closeoutHour);
    return instantsOf({ startDate: own, endDate: own }, days).until;
  };
  const lives = orders.map((order) =>
    orderLife({
      order,
      days,
      closeout: closeoutOf(order.openedDate),
      refundDays,
      moved: merges.into.get(order.guid),
      mergedAt: merges.from.get(order.guid),
    }),
  );
  return {
    orders: new Map(lives.map((life) => [life.guid, life])),
    entries: new Map(
      timeEntries.map((entry) => {
        const closeout = closeoutOf(entry.inDate);
        return [entry.guid, entryLife({ entry, days, closeout, correctionDays, deletionDays })];
      }),
    ),
  };
}

/** The trade of one restaurant, as far as it was read. */
export interface Trade {
  /** What was traded on a date (YYYYMMDD), from the cache or made again. */
  dayOf(date: number): Day;
  /** Whether something of a date may change in the span. */
  mayChange(date: number, span: Span): boolean;
  /** What is known of the documents of a date, also after they were forgotten. */
  knownOf(kind: Kind, date: number): Known[];
  /** Forgets the dates from one on, because the days are others. */
  forget(from: number): void;
}

export interface TradeOptions {
  restaurant: DemoRestaurant;
  seed: string;
  /** Shared by the restaurants of one stand-in. */
  cache: DayCache;
  /** The zone and closeout hour of a date. */
  daysOn(date: number): Days;
}

/** Opens the trade of a restaurant. */
export function createTrade({ restaurant, seed, cache, daysOn }: TradeOptions): Trade {
  const known = new Map<number, Record<Kind, Known[]>>();
  const keyOf = (date: number): string => `${restaurant.guid} ${date}`;

  function dayOf(date: number): Day {
    const key = keyOf(date);
    const day = cache.get(key) ?? tradeOf(restaurant, daysOn(date), seed, date);
    cache.delete(key);
    cache.set(key, day);
    const [oldest] = cache.keys();
    if (cache.size > DAYS_KEPT && oldest !== undefined) cache.delete(oldest);
    if (!known.has(date)) {
      const of = (kind: Kind): Known[] =>
        [...day[kind].values()].map(({ guid, businessDate, moments }) => ({ guid, businessDate, moments }));
      known.set(date, { orders: of('orders'), entries: of('entries') });
    }
    return day;
  }
  return {
    dayOf,
    mayChange(date, { from, until }) {
      const midnight = instantAt(daysOn(date).timeZone, date, 0);
      const hours = hoursOf(latenessOf(restaurant, seed, date));
      return hours.some(([first, end]) => midnight + end * HOUR_MS >= from && midnight + first * HOUR_MS < until);
    },
    knownOf(kind, date) {
      if (!known.has(date)) dayOf(date);
      return known.get(date)?.[kind] ?? [];
    },
    forget(from) {
      for (const date of [...known.keys()].filter((one) => one >= from)) {
        known.delete(date);
        cache.delete(keyOf(date));
      }
    },
  };
}
