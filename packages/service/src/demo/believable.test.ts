/** The ranges within which a restaurateur finds the sample restaurants likely. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localTime } from '../contract/clock.ts';
import { addDays } from '../contract/dates.ts';
import { demoDay, demoDayInBrief } from './day.ts';
import type { BriefCheck, BriefOrder } from './history.ts';
import { isClosed, mishapOf } from './openings.ts';
import { demoReference } from './reference.ts';
import { DEMO_RESTAURANTS, type DemoRestaurant } from './restaurants.ts';
import type { DemoCheck, SourceEntry, SourceOrder, SourcePayment } from './shapes.ts';
import type { Trade } from './trades.ts';

const FIRST = 20260401;
const DATES = Array.from({ length: 28 }, (_, day) => addDays(FIRST, day));
const instantOf = (at: string): number => Date.parse(at.replace('+0000', 'Z'));
const sum = <T>(list: readonly T[], of: (item: T) => number): number => list.reduce((all, item) => all + of(item), 0);
const within = (what: string, value: number, [least, most]: readonly [number, number]): void =>
  assert.ok(value >= least && value <= most, `${what}: ${value}, not ${least} to ${most}`);

type Orders = readonly (SourceOrder | BriefOrder)[];

/** What is sold, in units: of counted orders, their live checks and items, as docs/metrics.md says. */
function salesOf(orders: Orders) {
  const counted = orders.filter(
    (order) => !order.voided && !('deleted' in order && (order.deleted || order.excessFood)),
  );
  const checks = counted
    .flatMap((order): readonly (DemoCheck | BriefCheck)[] => order.checks)
    .filter((check) => !('voided' in check && (check.voided || check.deleted)));
  const lines = checks.flatMap((check) => check.selections.filter((line) => !('voided' in line && line.voided)));
  const charges = checks.flatMap(({ appliedServiceCharges: all = [] }) => all.filter(({ gratuity }) => !gratuity));
  const fees = sum(charges, ({ chargeAmount }) => chargeAmount);
  const payments = checks.flatMap((check): readonly Pick<SourcePayment, 'refund'>[] => check.payments ?? []);
  const refunds = sum(payments, ({ refund }) => refund?.refundAmount ?? 0);
  const gross = sum(lines, ({ preDiscountPrice }) => preDiscountPrice) + fees;
  const net = sum(lines, ({ price }) => price) + fees;
  return { orders: counted.length, guests: sum(counted, (one) => one.numberOfGuests ?? 1), gross, net, refunds };
}

/** The voided items of voided orders, in units. */
const voidsOf = (orders: Orders): number[] =>
  orders
    .filter(({ voided }) => voided)
    .map(({ checks }) => sum(checks, ({ selections }) => sum<{ price: number }>(selections, ({ price }) => price)));

const payOf = ({ hourlyWage, regularHours, overtimeHours, deleted }: SourceEntry): number =>
  deleted || hourlyWage === null ? 0 : (regularHours + 1.5 * overtimeHours) * hourlyWage;

const month = new Map(
  DEMO_RESTAURANTS.map((restaurant) => [restaurant, DATES.map((date) => ({ date, ...demoDay(restaurant, date) }))]),
);
const daysOf = (restaurant: DemoRestaurant) => month.get(restaurant) ?? assert.fail(restaurant.name);

/** How many orders are opened in each local hour, of the calendar. */
function hoursOf(restaurant: DemoRestaurant): number[] {
  const hours = new Array<number>(24).fill(0);
  for (const { openedDate } of daysOf(restaurant).flatMap(({ orders }) => orders)) {
    const { hour } = localTime(instantOf(openedDate), restaurant.timeZone);
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return hours;
}

describe('the sample restaurants', () => {
  it('spend on hourly labor what their kind does', () => {
    const ranges: Record<Trade, readonly [number, number]> = {
      table: [28, 34],
      counter: [23, 31],
      breakfast: [23, 31],
      bar: [22, 31],
      pub: [22, 30],
    };
    for (const restaurant of DEMO_RESTAURANTS) {
      const days = daysOf(restaurant);
      const { net } = salesOf(days.flatMap(({ orders }) => orders));
      const pay = sum(
        days.flatMap(({ timeEntries }) => timeEntries),
        payOf,
      );
      within(`${restaurant.name}, labor in percent`, (pay / net) * 100, ranges[restaurant.trade]);
    }
  });

  it('sell what so many orders a day come to', () => {
    for (const restaurant of DEMO_RESTAURANTS) {
      const days = daysOf(restaurant);
      const { net, orders } = salesOf(days.flatMap((day) => day.orders));
      const open = days.filter(({ date }) => !isClosed(restaurant, date)).length;
      const seated = restaurant.trade !== 'counter' && restaurant.trade !== 'breakfast';
      within(`${restaurant.name}, a day`, net / open, [1500, 4500]);
      within(`${restaurant.name}, an order`, net / orders, seated ? [45, 105] : [22, 42]);
    }
  });

  it('have staff before they open and after they close, and managers with a salary', () => {
    for (const restaurant of DEMO_RESTAURANTS)
      for (const { date, orders, timeEntries } of daysOf(restaurant)) {
        if (isClosed(restaurant, date)) continue;
        const opened = orders.map(({ openedDate }) => instantOf(openedDate));
        const hourly = timeEntries.filter(({ hourlyWage }) => hourlyWage !== null);
        const begin = Math.min(...hourly.map(({ inDate }) => instantOf(inDate)));
        const end = Math.max(...hourly.map(({ outDate }) => instantOf(outDate ?? '')));
        assert.ok(begin < Math.min(...opened) && end > Math.max(...opened), `${restaurant.name} ${date}`);
        const people = timeEntries.map(({ employeeReference }) => employeeReference.guid);
        assert.equal(new Set(people).size, people.length, 'nobody works twice');
        assert.ok(timeEntries.some(({ hourlyWage }) => hourlyWage === null));
      }
  });

  it('serve breakfast in one place, and lunch is busier than the afternoon', () => {
    for (const restaurant of DEMO_RESTAURANTS) {
      const hours = hoursOf(restaurant);
      const between = (from: number, until: number): number => sum(hours.slice(from, until), (orders) => orders);
      assert.equal(between(5, 11) > 0, restaurant.trade === 'breakfast', restaurant.name);
      if (restaurant.trade === 'bar') continue;
      assert.ok(between(12, 14) > 2 * between(14, 16), `${restaurant.name} at noon`);
    }
  });

  it('are closed on some days, but for somebody in the kitchen', () => {
    const closed = [...month].flatMap(([restaurant, days]) => days.filter(({ date }) => isClosed(restaurant, date)));
    assert.equal(closed.length, 2 * 4);
    for (const { orders, timeEntries } of closed) assert.deepEqual([orders.length, timeEntries.length], [0, 1]);
    assert.equal(DEMO_RESTAURANTS.filter((restaurant) => isClosed(restaurant, 20251225)).length, 2);
  });

  it('have one refund and one void that stand out on a date, in different restaurants', () => {
    for (const date of DATES) {
      const mishaps = DEMO_RESTAURANTS.flatMap((restaurant) => mishapOf(restaurant, date) ?? []);
      assert.deepEqual(mishaps.sort(), ['refund', 'void']);
    }
    for (const [restaurant, days] of month)
      for (const { date, orders } of days.filter((day) => day.orders.length > 0)) {
        const { net, orders: count, refunds } = salesOf(orders);
        const mishap = mishapOf(restaurant, date);
        if (mishap === 'void') assert.ok(Math.max(...voidsOf(orders)) > (2 * net) / count, restaurant.name);
        if (mishap === 'refund') assert.ok(refunds > (net / count) * 1.2, `${restaurant.name} ${date} ${refunds}`);
      }
  });

  it('have people of many names, no name twice in a restaurant', () => {
    for (const restaurant of DEMO_RESTAURANTS) {
      const names = demoReference(restaurant).employees.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
      assert.equal(new Set(names).size, names.length);
    }
    const all = DEMO_RESTAURANTS.flatMap((one) => demoReference(one).employees);
    assert.ok(new Set(all.map(({ lastName }) => lastName)).size > 30);
    assert.ok(all.some(({ firstName = '', lastName = '' }) => /[^\p{ASCII}]/u.test(firstName + lastName)));
  });

  it('sell as much on dates in brief as on dates with all details', () => {
    for (const [restaurant, days] of month) {
      const whole = salesOf(days.flatMap(({ orders }) => orders));
      const brief = salesOf(DATES.flatMap((date) => demoDayInBrief(restaurant, date).orders));
      within(`${restaurant.name}, orders`, brief.orders / whole.orders, [0.95, 1.05]);
      within(`${restaurant.name}, guests`, brief.guests / whole.guests, [0.9, 1.1]);
      within(`${restaurant.name}, net sales`, brief.net / whole.net, [0.88, 1.12]);
      within(`${restaurant.name}, off`, (1 - brief.net / brief.gross) * 100, [1, 5]);
    }
  });
});
