/** One business date of one demo restaurant: a pure function of seed, restaurant and date. */
import { ordersInBrief } from './history.ts';
import { demoOrders } from './orders.ts';
import { createRandom, type Random } from './random.ts';
import { establish } from './reference.ts';
import type { DemoRestaurant } from './restaurants.ts';
import type { SourceEntry, SourceOrder } from './shapes.ts';
import { demoEntries } from './shifts.ts';

const SEED = 'demo';

/** The randomness of each part of a date, which is that of no other part. */
const streamsOf =
  ({ guid }: DemoRestaurant, date: number, seed: string) =>
  (what: string): Random =>
    createRandom(`${what} ${seed} ${guid} ${date}`);

export interface DemoDay {
  orders: SourceOrder[];
  timeEntries: SourceEntry[];
}

interface DemoDayOptions {
  /** Another seed gives another demo. */
  seed?: string;
  /**
   * Milliseconds since 1970 UTC; by default all is over. During the date some checks are open or not closed yet and
   * some staff have not clocked out; later the same orders and entries are finished, with a later modifiedDate.
   */
  now?: number;
}

/** The orders and time entries of a restaurant on a business date (YYYYMMDD). */
export function demoDay(restaurant: DemoRestaurant, date: number, options: DemoDayOptions = {}): DemoDay {
  const { seed = SEED, now = Number.POSITIVE_INFINITY } = options;
  const house = establish(restaurant);
  const stream = streamsOf(restaurant, date, seed);
  return {
    orders: demoOrders(stream('orders'), restaurant, house, date, now),
    timeEntries: demoEntries(stream('entries'), restaurant, house, date, now),
  };
}

/** The same of a date long ago, in less detail: see history.ts. */
export function demoDayInBrief(restaurant: DemoRestaurant, date: number) {
  const house = establish(restaurant);
  const stream = streamsOf(restaurant, date, SEED);
  return {
    orders: ordersInBrief(stream('orders'), restaurant, house, date),
    // A salary is in no figure.
    timeEntries: demoEntries(stream('entries'), restaurant, house, date, Number.POSITIVE_INFINITY).filter(
      ({ hourlyWage }) => hourlyWage !== null,
    ),
  };
}
