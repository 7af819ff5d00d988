/** One business date of one demo restaurant: a pure function of seed, restaurant and date. */
import { demoOrders } from './orders.ts';
import { createRandom } from './random.ts';
import { establish } from './reference.ts';
import type { DemoRestaurant } from './restaurants.ts';
import type { SourceEntry, SourceOrder } from './shapes.ts';
import { demoEntries } from './shifts.ts';

export interface DemoDay {
  orders: SourceOrder[];
  timeEntries: SourceEntry[];
}

export interface DemoDayOptions {
  /** Another seed gives another demo. */
  seed?: string;
  /**
   * The day has only just ended: some checks are open or not closed yet, some staff have not clocked out. Without it
   * the same orders and entries are finished, with a later modifiedDate.
   */
  newest?: boolean;
}

/** The orders, time entries and settlements of a restaurant on a business date (YYYYMMDD). */
export function demoDay(restaurant: DemoRestaurant, date: number, options: DemoDayOptions = {}): DemoDay {
  const { seed = 'demo', newest = false } = options;
  const house = establish(restaurant);
  const stream = (what: string) => createRandom(`${what} ${seed} ${restaurant.guid} ${date}`);
  return {
    orders: demoOrders(stream('orders'), restaurant, house, date, newest),
    timeEntries: demoEntries(stream('entries'), restaurant, house, date, newest),
  };
}
