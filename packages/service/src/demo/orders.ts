/** The orders of a restaurant on one business date. */
import { MINUTE_MS } from '../contract/time.ts';
import { buildCheck, type Settled } from './check.ts';
import { stamp } from './clock.ts';
import { MENUS } from './menu.ts';
import { guestsOf, type Opening, openingsOf } from './openings.ts';
import type { Random } from './random.ts';
import type { Establishment } from './reference.ts';
import type { DemoRestaurant } from './restaurants.ts';
import type { DemoCheck, SourceOrder, SourceRef } from './shapes.ts';
import { type DemoDiningOption, TRADES, type Weights } from './trades.ts';

/** A check is closed at most so long after it was paid. */
const CLOSING_MS = 10 * MINUTE_MS;

export const SOURCES: Readonly<Record<DemoDiningOption, Weights<string>>> = {
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

/** Most references have only the GUID, as in the source; a few have the name too. */
function reference(random: Random, to: SourceRef): SourceRef {
  return random.chance(0.03) ? { guid: to.guid, name: to.name ?? '' } : { guid: to.guid };
}

interface Day {
  restaurant: DemoRestaurant;
  date: number;
  house: Establishment;
  /** Orders are as they are at this instant, in ms since 1970 UTC. */
  now: number;
}

/** Whether the order is a sale, and if not, why. */
type Fate = 'sold' | 'voided' | 'deleted' | 'waste';
const FATES: Weights<Fate> = [
  [982, 'sold'],
  [8, 'voided'],
  [6, 'deleted'],
  [4, 'waste'],
];

/** How far a check has come at an instant. */
function settledAt(now: number, paidAt: number): Settled {
  if (paidAt > now) return 'OPEN';
  return paidAt + CLOSING_MS > now ? 'PAID' : 'CLOSED';
}

function revenueCenter(random: Random, house: Establishment, dining: DemoDiningOption): SourceRef | null {
  const first = house.revenueCenters[0];
  if (!first || dining === 'Delivery' || random.chance(0.02)) return null;
  return dining === 'Take Out' || random.chance(0.6) ? first : random.pick(house.revenueCenters);
}

function buildOrder(random: Random, day: Day, { openedAt, number, mishap }: Opening): SourceOrder {
  const { restaurant, date, house, now } = day;
  const guid = random.guid();
  const dining = random.weighted(TRADES[restaurant.trade].dining);
  const source = random.chance(0.003) ? null : random.weighted(SOURCES[dining]);
  const drawn = random.weighted(FATES);
  const fate = mishap ? (mishap === 'void' ? 'voided' : 'sold') : drawn;
  const seated = dining === 'Dine In' && house.isSeated;
  const guests = guestsOf(random, restaurant, { mishap, dining, isSeated: house.isSeated });
  const minutes = seated ? random.whole(20, 35) + guests * random.whole(5, 10) : random.whole(1, 6);
  const parts = seated && guests > 1 && !mishap && random.chance(0.09) ? Math.min(guests, random.whole(2, 4)) : 1;
  const staffed = source === 'In Store' || source === 'Toast Tables';
  const waiter = random.pick(house.waiters);
  const center = revenueCenter(random, house, dining);
  const option = house.diningOptions.find(({ name }) => name === dining);
  const merged = parts > 1 && random.chance(0.05);

  const checks: DemoCheck[] = [];
  for (let part = 0; part < parts; part++) {
    const paidAt = openedAt + minutes * MINUTE_MS + part * 40_000;
    checks.push(
      buildCheck(random, {
        displayNumber: number * 4 + part,
        menuName: restaurant.menu,
        menu: MENUS[restaurant.menu],
        taxPoints: restaurant.taxPoints,
        guests: parts === 1 ? guests : Math.ceil((guests - part) / parts),
        delivery: dining === 'Delivery',
        openedAt,
        paidAt,
        settled: settledAt(now, paidAt),
        now,
        refunded: mishap === 'refund',
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
 * The orders of one business date (YYYYMMDD), by opening time: those that are opened by `now` (ms since 1970 UTC), some
 * of them with checks that are not closed yet.
 */
export function demoOrders(
  random: Random,
  restaurant: DemoRestaurant,
  house: Establishment,
  date: number,
  now: number,
): SourceOrder[] {
  const day: Day = { restaurant, date, house, now };
  return openingsOf(random, restaurant, date)
    .map((opening) => ({ at: opening.openedAt, order: buildOrder(random, day, opening) }))
    .filter(({ at }) => at <= now)
    .map(({ order }) => order);
}
