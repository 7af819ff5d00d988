/** How busy a restaurant of the demo is on a business date, and when its orders are opened. */
import { toUtc } from '../contract/dates.ts';
import { DAY_MS, HOUR_MS } from '../contract/time.ts';
import { instantAt } from './clock.ts';
import type { Random } from './random.ts';
import { DEMO_RESTAURANTS, type DemoRestaurant } from './restaurants.ts';
import { type DemoDiningOption, TRADES } from './trades.ts';

const YEAR_DAYS = 365.25;
const TURN = 2 * Math.PI;
const CHRISTMAS = 1225;

/** Days since 1970 of a date (YYYYMMDD). */
export const dayNumberOf = (date: number): number => toUtc(date) / DAY_MS;

/** The weekday of a date (YYYYMMDD), 0 is Sunday; 1 January 1970 was a Thursday. */
export const weekdayOf = (date: number): number => (dayNumberOf(date) + 4) % 7;

/** Whether it sells nothing on the date (YYYYMMDD). */
export const isClosed = ({ closedOn }: DemoRestaurant, date: number): boolean =>
  closedOn !== undefined && (weekdayOf(date) === closedOn || date % 10000 === CHRISTMAS);

/** Summers are busier; and each restaurant has good and bad years, so that none is as the year before. */
function seasonOf({ guid }: DemoRestaurant, date: number): number {
  const years = dayNumberOf(date) / YEAR_DAYS;
  const phase = Number.parseInt(guid.slice(0, 4), 16) / 0x10000;
  return 1 + 0.04 * Math.sin(TURN * (years - 0.3)) + 0.05 * Math.sin(TURN * (years / 3 + phase));
}

/** When the orders of the date are opened, in ms since 1970 UTC, ascending. */
function instantsOf(random: Random, restaurant: DemoRestaurant, date: number): number[] {
  if (isClosed(restaurant, date)) return [];
  const { timeZone, ordersPerDay, trade } = restaurant;
  const { hours, weekdays } = TRADES[trade];
  const usual = ordersPerDay * (weekdays[weekdayOf(date)] ?? 1) * seasonOf(restaurant, date);
  const count = Math.round(usual * (1 + 0.07 * random.bell()));
  const midnight = instantAt(timeZone, date, 0);
  const steady = instantAt(timeZone, date, 36 * 3600) - midnight === 36 * HOUR_MS;
  return Array.from({ length: count }, () => {
    const seconds = random.weighted(hours) * 3600 + random.whole(0, 3599);
    // Converting each time to the zone takes a third of what an order takes; only a clock change requires it.
    return steady ? midnight + seconds * 1000 : instantAt(timeZone, date, seconds);
  }).sort((a, b) => a - b);
}

/** What goes wrong for a large party, so that one void and one refund stand out on nearly every date. */
type Mishap = 'void' | 'refund';
/** The guests of that party. */
const MISHAP_GUESTS = 10;

/** The mishap of a restaurant on a date (YYYYMMDD): each has one of either kind every eight days. */
export function mishapOf({ guid }: DemoRestaurant, date: number): Mishap | undefined {
  const index = DEMO_RESTAURANTS.findIndex((one) => one.guid === guid);
  const day = dayNumberOf(date);
  if (day % DEMO_RESTAURANTS.length === index) return 'refund';
  return (day + 3) % DEMO_RESTAURANTS.length === index ? 'void' : undefined;
}

/** The place, among the orders of a date, of the one with the mishap: a party of the evening, or of noon. */
const mishapPlace = (orders: number): number => Math.floor(orders * 0.7);

/** An order that is opened. */
export interface Opening {
  /** Milliseconds since 1970 UTC. */
  openedAt: number;
  /** Its number among the orders of the date, from 1. */
  number: number;
  mishap: Mishap | undefined;
}

/** The orders that are opened on a date (YYYYMMDD), in their order. */
export function openingsOf(random: Random, restaurant: DemoRestaurant, date: number): Opening[] {
  const opened = instantsOf(random, restaurant, date);
  const [mishap, index] = [mishapOf(restaurant, date), mishapPlace(opened.length)];
  return opened.map((openedAt, at) => ({ openedAt, number: at + 1, mishap: at === index ? mishap : undefined }));
}

/** How many guests an order has; without tables they are those of its meal. */
export function guestsOf(
  random: Random,
  { trade }: DemoRestaurant,
  { mishap, dining, isSeated }: { mishap: Mishap | undefined; dining: DemoDiningOption; isSeated: boolean },
): number {
  if (mishap) return MISHAP_GUESTS;
  return dining === 'Dine In' || !isSeated ? random.weighted(TRADES[trade].party) : random.whole(1, 3);
}
