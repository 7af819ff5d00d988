/** The orders of a restaurant on one business date. */
import { buildCheck, type Settled } from './check.ts';
import { instantAt, stamp } from './clock.ts';
import { MENUS } from './menu.ts';
import type { Random } from './random.ts';
import type { DemoDiningOption, Employee, Establishment } from './reference.ts';
import type { DemoRestaurant, Trade } from './restaurants.ts';
import type { DemoCheck, SourceOrder, SourceRef } from './shapes.ts';

const MINUTE = 60_000;

type Weights<T> = readonly (readonly [weight: number, value: T])[];

/** How often orders are opened in each local hour; 24 and more are after midnight, before the closeout hour. */
const HOURS: Readonly<Record<Trade, Weights<number>>> = {
  table: [
    [5, 11],
    [14, 12],
    [12, 13],
    [5, 14],
    [2, 15],
    [4, 16],
    [11, 17],
    [18, 18],
    [19, 19],
    [12, 20],
    [6, 21],
    [2, 22],
    [0.6, 23],
    [0.4, 24],
  ],
  counter: [
    [3, 7],
    [6, 8],
    [5, 9],
    [4, 10],
    [10, 11],
    [18, 12],
    [14, 13],
    [6, 14],
    [4, 15],
    [5, 16],
    [9, 17],
    [12, 18],
    [9, 19],
    [5, 20],
    [3, 21],
  ],
  bar: [
    [4, 12],
    [4, 13],
    [3, 15],
    [7, 16],
    [12, 17],
    [13, 18],
    [11, 19],
    [11, 20],
    [12, 21],
    [14, 22],
    [13, 23],
    [10, 24],
    [7, 25],
    [3, 26],
  ],
};

const DINING: Readonly<Record<Trade, Weights<DemoDiningOption>>> = {
  table: [
    [82, 'Dine In'],
    [11, 'Take Out'],
    [7, 'Delivery'],
  ],
  counter: [
    [34, 'Dine In'],
    [46, 'Take Out'],
    [20, 'Delivery'],
  ],
  bar: [
    [93, 'Dine In'],
    [7, 'Take Out'],
  ],
};

const SOURCES: Readonly<Record<DemoDiningOption, Weights<string>>> = {
  'Dine In': [
    [90, 'In Store'],
    [5, 'Order-and-Pay-at-Table'],
    [4, 'Kiosk'],
    [1, 'Toast Tables'],
  ],
  'Take Out': [
    [45, 'In Store'],
    [26, 'Online'],
    [12, 'Kiosk'],
    [6, 'Toast Pickup App'],
    [5, 'Branded Online Ordering'],
    [4, 'Google'],
    [2, 'Catering Online Ordering'],
  ],
  Delivery: [
    [60, 'API'],
    [25, 'Online'],
    [10, 'Branded Online Ordering'],
    [5, 'Grubhub'],
  ],
};

/** From Sunday: Monday is quiet, Friday and Saturday are busy; the mean is 1. */
const WEEKDAYS = [0.95, 0.78, 0.84, 0.91, 1.0, 1.24, 1.28];

const PARTY: Weights<number> = [
  [22, 1],
  [40, 2],
  [12, 3],
  [15, 4],
  [4, 5],
  [4, 6],
  [3, 8],
];

function weekday(date: number): number {
  return new Date(Date.UTC(Math.trunc(date / 10000), (Math.trunc(date / 100) % 100) - 1, date % 100)).getUTCDay();
}

/** Most references have only the GUID, as in the source; a few have the name too. */
function reference(random: Random, to: SourceRef): SourceRef {
  return random.chance(0.03) ? { guid: to.guid, name: to.name ?? '' } : { guid: to.guid };
}

interface Day {
  restaurant: DemoRestaurant;
  date: number;
  house: Establishment;
  waiters: Employee[];
  /** Whether some of its checks are still open. */
  newest: boolean;
}

/** Whether the order is a sale, and if not, why. */
type Fate = 'sold' | 'voided' | 'deleted' | 'waste';
const FATES: Weights<Fate> = [
  [982, 'sold'],
  [8, 'voided'],
  [6, 'deleted'],
  [4, 'waste'],
];
const SETTLED: Weights<Settled> = [
  [90, 'CLOSED'],
  [6, 'PAID'],
  [4, 'OPEN'],
];

function revenueCenter(random: Random, house: Establishment, dining: DemoDiningOption): SourceRef | null {
  const first = house.revenueCenters[0];
  if (!first || dining === 'Delivery' || random.chance(0.02)) return null;
  return dining === 'Take Out' || random.chance(0.6) ? first : random.pick(house.revenueCenters);
}

function buildOrder(random: Random, day: Day, openedAt: number, number: number): SourceOrder {
  const { restaurant, date, house } = day;
  const guid = random.guid();
  const dining = random.weighted(DINING[restaurant.trade]);
  const source = random.chance(0.003) ? null : random.weighted(SOURCES[dining]);
  const fate = random.weighted(FATES);
  const drawn = random.weighted(SETTLED);
  const settled = day.newest && fate === 'sold' ? drawn : 'CLOSED';
  const seated = dining === 'Dine In' && restaurant.trade !== 'counter';
  const guests = seated ? random.weighted(PARTY) : 1;
  const minutes = seated ? random.whole(20, 35) + guests * random.whole(5, 10) : random.whole(1, 6);
  const parts = seated && guests > 1 && random.chance(0.09) ? Math.min(guests, random.whole(2, 4)) : 1;
  const staffed = source === 'In Store' || source === 'Toast Tables';
  const waiter = random.pick(day.waiters);
  const center = revenueCenter(random, house, dining);
  const option = house.diningOptions.find(({ name }) => name === dining);
  const merged = parts > 1 && random.chance(0.05);

  const checks: DemoCheck[] = [];
  for (let part = 0; part < parts; part++) {
    checks.push(
      buildCheck(random, {
        displayNumber: number * 4 + part,
        menuName: restaurant.menu,
        menu: MENUS[restaurant.menu],
        taxPoints: restaurant.taxPoints,
        guests: parts === 1 ? guests : Math.ceil((guests - part) / parts),
        delivery: dining === 'Delivery',
        openedAt,
        paidAt: openedAt + minutes * MINUTE + part * 40_000,
        // At a table that is still open, the first guests to leave have paid.
        settled: settled === 'OPEN' && part === 0 && parts > 1 ? 'PAID' : settled,
        voided: fate === 'voided' || random.chance(0.004),
        deleted: fate === 'deleted' || (merged && part === parts - 1),
        waste: fate === 'waste',
      }),
    );
  }
  const last = (dates: (string | null)[]): string | null =>
    dates.includes(null) ? null : (dates.sort().at(-1) ?? null);
  return {
    guid,
    openedDate: stamp(openedAt),
    modifiedDate: last(checks.map(({ modifiedDate }) => modifiedDate)) ?? stamp(openedAt),
    paidDate: last(checks.map(({ paidDate }) => paidDate)),
    closedDate: last(checks.map(({ closedDate }) => closedDate)),
    businessDate: date,
    numberOfGuests: source === 'Kiosk' ? null : guests,
    voided: fate === 'voided',
    deleted: fate === 'deleted',
    excessFood: fate === 'waste',
    source,
    // A delivery service's display number is not a number.
    displayNumber: source === 'API' ? `D-${number}` : String(number),
    diningOption: option && !random.chance(0.01) ? reference(random, option) : null,
    revenueCenter: center ? reference(random, center) : null,
    server: staffed
      ? random.chance(0.03)
        ? { guid: waiter.guid, firstName: waiter.firstName, lastName: waiter.lastName }
        : { guid: waiter.guid }
      : null,
    checks,
  };
}

/**
 * The orders of one business date (YYYYMMDD), by opening time. With `newest` some of their checks are not closed yet.
 */
export function demoOrders(
  random: Random,
  restaurant: DemoRestaurant,
  house: Establishment,
  date: number,
  newest: boolean,
): SourceOrder[] {
  const usual = restaurant.ordersPerDay * (WEEKDAYS[weekday(date)] ?? 1);
  const count = Math.round(usual * (1 + 0.07 * random.bell()));
  const opened = Array.from({ length: count }, () => {
    const seconds = random.weighted(HOURS[restaurant.trade]) * 3600 + random.whole(0, 3599);
    return instantAt(restaurant.timeZone, date, seconds);
  }).sort((a, b) => a - b);
  const waiters = house.staff.filter(({ job }) => job.title === 'Server' || job.title === 'Bartender');
  const day: Day = { restaurant, date, house, waiters, newest };
  return opened.map((at, index) => buildOrder(random, day, at, index + 1));
}
