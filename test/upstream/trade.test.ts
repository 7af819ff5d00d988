/** What the restaurants of the stand-in do: all that orders and time entries go through in a live system. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { businessDateOf, instantsOf } from '../../packages/service/src/contract/clock.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { DAY_MS, HOUR_MS } from '../../packages/service/src/contract/time.ts';
import { demoDay } from '../../packages/service/src/demo/day.ts';
import type { DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import { small } from './caller.ts';
import type { CheckDocument, Life, OrderDocument } from './documents.ts';
import { House } from './house.ts';
import { tradeOf } from './trade.ts';

const FIRST = 20260101;
const LATER = Date.UTC(2026, 5, 1);

const open = (restaurant: DemoRestaurant, seed = 'trade'): House =>
  new House({ restaurant, seed, firstBusinessDate: FIRST, cache: new Map() });
const dates = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => addDays(from, index));
const instant = (text: string): number => Date.parse(text.replace('+0000', 'Z'));
const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + cents(amount), 0);

/** A sample restaurant with so many orders that what is rare happens within days. */
const large = (index: number): DemoRestaurant => small(index, { ordersPerDay: 220 });

/** Everything that an order is, one after the other. */
const versionsOf = ({ moments, at }: Life<OrderDocument>): OrderDocument[] => moments.map(at);

describe('the orders of the stand-in', () => {
  const house = open(large(0));
  const orders = dates(20260105, 7).flatMap((date) => house.ofDate('orders', date, LATER));
  const lives = dates(20260105, 7).flatMap((date) => [
    ...tradeOf(house.restaurant, house.settings, 'trade', date).orders.values(),
  ]);

  it('are those of the sample restaurant in the end, with the properties of a live system', () => {
    const sample = dates(20260105, 7).flatMap((date) => demoDay(house.restaurant, date, { seed: 'trade' }).orders);
    const byCheck = new Map(orders.map((order) => [order.checks[0]?.guid, order]));
    assert.equal(orders.length, sample.length);
    for (const { checks, deleted, voided, businessDate } of sample) {
      const order = byCheck.get(checks[0]?.guid);
      assert.ok(order);
      assert.deepEqual([order.deleted, order.voided, order.businessDate], [deleted, voided, businessDate]);
      if (deleted || order.approvalStatus !== 'APPROVED') continue;
      const own = checks.map(({ totalAmount, taxAmount, paymentStatus }) => [totalAmount, taxAmount, paymentStatus]);
      const now = order.checks.map(({ totalAmount, taxAmount, paymentStatus }) => [
        totalAmount,
        taxAmount,
        paymentStatus,
      ]);
      assert.deepEqual(now.slice(0, own.length), own);
    }
  });

  it('add up at every moment: items and charges to the amount, with tax to the total, payments of a paid check to all of it', () => {
    const isLive = ({ voided }: { voided: boolean }): boolean => !voided;
    const assertSums = (check: CheckDocument): void => {
      const charges = check.appliedServiceCharges;
      const items = sum(check.selections.filter(isLive).map(({ price }) => price));
      const paid = sum(charges.filter(({ gratuity }) => !gratuity).map(({ chargeAmount }) => chargeAmount));
      const gratuity = sum(charges.filter((one) => one.gratuity).map(({ chargeAmount }) => chargeAmount));
      assert.equal(items + paid, cents(check.amount));
      assert.equal(cents(check.amount) + cents(check.taxAmount), cents(check.totalAmount));
      const payments = check.payments.filter(({ paymentStatus }) => paymentStatus !== 'VOIDED');
      if (payments.length > 0)
        assert.equal(sum(payments.map(({ amount }) => amount)), cents(check.totalAmount) + gratuity);
    };
    for (const life of lives) for (const version of versionsOf(life)) version.checks.forEach(assertSums);
  });

  it('are opened, added to, paid, and closed with their tips, with a later modifiedDate each time', () => {
    const order = orders.find(({ checks: [check], deleted }) => {
      const tipped = check?.payments.some(({ tipAmount, refund }) => tipAmount > 0 && !refund);
      return tipped && !deleted && (check?.selections.length ?? 0) > 1 && check?.appliedDiscounts.length === 0;
    });
    assert.ok(order);
    const life = lives.find(({ guid }) => guid === order.guid);
    assert.ok(life);
    const versions = versionsOf(life);
    const [check] = order.checks;
    const shown = versions.map(({ checks: [one] }) => one?.paymentStatus);
    assert.deepEqual([...new Set(shown)], ['OPEN', 'PAID', 'CLOSED']);
    assert.ok((versions[0]?.checks[0]?.selections.length ?? 0) < (check?.selections.length ?? 0));
    assert.equal(versions.find((one) => one.checks[0]?.paymentStatus === 'PAID')?.checks[0]?.payments[0]?.tipAmount, 0);
    const modified = versions.map(({ modifiedDate }) => modifiedDate);
    assert.deepEqual(modified, [...new Set(modified)].sort());
  });

  it('are the same when they are made again, and of another seed others', () => {
    const again = open(house.restaurant);
    assert.deepEqual(again.ofDate('orders', 20260107, LATER), house.ofDate('orders', 20260107, LATER));
    const other = open(house.restaurant, 'other');
    assert.notDeepEqual(
      other.ofDate('orders', 20260107, LATER)[0]?.guid,
      again.ofDate('orders', 20260107, LATER)[0]?.guid,
    );
  });
});

describe('what is rare in trade happens', () => {
  const houses = [0, 1, 4].map((index) => open(large(index)));
  const traded = houses.map((house) => ({
    house,
    orders: dates(20260105, 14).flatMap((date) => house.ofDate('orders', date, LATER)),
  }));
  const orders = traded.flatMap((one) => one.orders);
  const checks = orders.flatMap((order) => order.checks.map((check) => ({ order, check })));
  const daysLater = ({ modifiedDate, openedDate }: OrderDocument): number =>
    (instant(modifiedDate) - instant(openedDate)) / DAY_MS;
  const isRefunded = ({ checks: own }: OrderDocument): boolean =>
    own.some(({ payments }) => payments.some(({ refund }) => refund));
  /** Whether an instant is in the two minutes after the business date of an order that the houses have ended. */
  const isCloseout = (at: number, { businessDate }: OrderDocument): boolean =>
    houses.some(({ settings }) => {
      const late = at - instantsOf({ startDate: businessDate, endDate: businessDate }, settings).until;
      return late >= 0 && late < 120_000;
    });

  const SEEN: Record<string, () => number> = {
    'checks that are closed in a burst at closeout': () =>
      checks.filter(({ order, check }) => check.closedDate && isCloseout(instant(check.closedDate), order)).length /
      100,
    'voided orders': () => orders.filter(({ voided }) => voided).length,
    'deleted orders, with the date of it': () =>
      orders.filter(({ deleted, deletedDate, modifiedDate }) => deleted && deletedDate === modifiedDate).length,
    'refunds of more than a month ago': () => orders.filter((one) => daysLater(one) > 31 && isRefunded(one)).length,
    'tips that are entered the morning after': () =>
      orders.filter((one) => daysLater(one) > 0.4 && daysLater(one) < 1.5 && !isRefunded(one)).length,
    'orders in test mode': () => orders.filter(({ createdInTestMode }) => createdInTestMode).length,
    'orders that were refused': () => orders.filter(({ approvalStatus }) => approvalStatus === 'NOT_APPROVED').length,
    'orders that were scheduled the day before': () =>
      orders.filter(
        ({ promisedDate, createdDate, openedDate }) => promisedDate === openedDate && createdDate < openedDate,
      ).length,
    'deleted checks of orders that stay': () =>
      checks.filter(({ order, check }) => check.deleted && !order.deleted).length,
  };
  for (const [what, count] of Object.entries(SEEN))
    it(what, () => {
      assert.ok(count() >= 1);
    });

  it('an order that is merged into another: it is deleted, and its check is in the other', () => {
    let merged = 0;
    for (const { house, orders: own } of traded) {
      const holders = Map.groupBy(
        own.flatMap((order) => order.checks.map(({ guid }) => ({ guid, order }))),
        ({ guid }) => guid,
      );
      for (const [guid, pair] of holders) {
        if (pair.length === 1) continue;
        const [left, host] = pair
          .map(({ order }) => order)
          .sort((one, other) => Number(other.deleted) - Number(one.deleted));
        assert.ok(left && host);
        const deleted = [left, host].flatMap(({ checks: shown }) => shown.filter((one) => one.guid === guid));
        assert.deepEqual(
          [left.deleted, host.deleted, ...deleted.map((one) => one.deleted)],
          [true, false, true, false],
        );
        const before = house.find('orders', host.guid, instant(host.openedDate));
        assert.equal(before?.checks.length, host.checks.length - 1);
        merged++;
      }
    }
    assert.ok(merged > 0);
  });

  it('a scheduled order is there the day before, in the future, and approved when it is opened', () => {
    const [first] = traded;
    const order = first?.orders.find(({ promisedDate }) => promisedDate !== null);
    assert.ok(first && order);
    const { house } = first;
    const created = house.find('orders', order.guid, instant(order.createdDate));
    assert.deepEqual([created?.approvalStatus, created?.openedDate], ['FUTURE', order.promisedDate]);
    assert.equal(house.find('orders', order.guid, instant(order.openedDate))?.approvalStatus, 'APPROVED');
    assert.equal(house.find('orders', order.guid, instant(order.createdDate) - 1), undefined);
  });
});

for (const closeoutHour of [4, 0, 12])
  it(`everything comes in the windows of modification, one after the other, with closeout at ${closeoutHour}`, () => {
    const house = open(small(0, { closeoutHour }));
    const last: Record<'orders' | 'entries', Map<string, object>> = { orders: new Map(), entries: new Map() };
    const future = new Set<string>();
    const step = 2 * HOUR_MS;
    let now = Date.UTC(2026, 0, 1);
    const end = now + 70 * DAY_MS;
    for (; now < end; now += step) {
      const span = { from: now - step, until: now };
      for (const one of house.modified('entries', span, now)) last.entries.set(one.guid, one);
      for (const one of house.modified('orders', span, now)) {
        last.orders.set(one.guid, one);
        if (one.approvalStatus === 'FUTURE') future.add(one.guid);
      }
    }

    now -= step;
    for (const date of dates(20260103, 60)) {
      for (const one of house.ofDate('entries', date, now)) assert.deepEqual(last.entries.get(one.guid), one);
      for (const one of house.ofDate('orders', date, now)) {
        assert.deepEqual(last.orders.get(one.guid), one);
        assert.equal(future.has(one.guid), one.promisedDate !== null);
      }
    }
    assert.ok(last.orders.size > 1000 && last.entries.size > 600);
  });

describe('the time entries of the stand-in', () => {
  const house = open(large(0));
  const entries = dates(20260105, 28).flatMap((date) => house.ofDate('entries', date, LATER));

  it('are open until somebody clocks out', () => {
    const [entry] = entries;
    assert.ok(entry);
    const begun = house.find('entries', entry.guid, instant(entry.inDate));
    assert.deepEqual([begun?.outDate, begun?.regularHours, begun?.modifiedDate], [null, 0, entry.inDate]);
    assert.equal(house.find('entries', entry.guid, instant(entry.inDate) - 1), undefined);
  });

  it('are ended by the system at closeout where nobody did, and corrected by a manager later', () => {
    const [closed] = entries.flatMap((entry) => {
      const night = instant(entry.inDate) + DAY_MS;
      const then = house.find('entries', entry.guid, night);
      return then?.autoClockedOut ? [{ entry, then }] : [];
    });
    assert.ok(closed);
    assert.equal(closed.then.outDate?.slice(11, 19), '09:00:00');
    assert.deepEqual([closed.entry.autoClockedOut, closed.entry.outDate === closed.then.outDate], [false, false]);
  });

  it('are corrected for weeks, and some are deleted', () => {
    const daysLater = entries.map(({ inDate, modifiedDate }) => (instant(modifiedDate) - instant(inDate)) / DAY_MS);
    assert.ok(daysLater.some((days) => days > 10));
    assert.ok(entries.some(({ deleted, deletedDate, modifiedDate }) => deleted && deletedDate === modifiedDate));
  });
});

describe('business dates', () => {
  const ODD: Partial<DemoRestaurant>[] = [
    { closeoutHour: 0 },
    { closeoutHour: 12 },
    { timeZone: 'Pacific/Honolulu', closeoutHour: 4 },
    { timeZone: 'Pacific/Auckland', closeoutHour: 4 },
    // Both changes of summer time are in these dates.
    { timeZone: 'Europe/Dublin', closeoutHour: 1 },
  ];
  for (const changes of ODD)
    it(`are those of the closeout hour: ${JSON.stringify(changes)}`, () => {
      const house = open(small(4, changes));
      const { timeZone, closeoutHour } = house.settings;
      for (const date of [...dates(20260326, 4), ...dates(20260106, 2)]) {
        const orders = house.ofDate('orders', date, LATER);
        assert.ok(orders.length > 5);
        for (const { openedDate, businessDate } of orders)
          assert.deepEqual([businessDate, businessDateOf(instant(openedDate), timeZone, closeoutHour)], [date, date]);
      }
    });

  it('of a restaurant that moves stay as they were', () => {
    const house = open(small());
    const now = Date.UTC(2026, 0, 10, 18);
    const before = house.ofDate('orders', 20260108, now);
    house.set({ timeZone: 'America/Los_Angeles', closeoutHour: 3 }, now);
    assert.deepEqual(house.ofDate('orders', 20260108, now), before);
    assert.equal(house.settings.timeZone, 'America/Los_Angeles');
    const [order] = house.ofDate('orders', 20260120, LATER);
    assert.equal(businessDateOf(instant(order?.openedDate ?? ''), 'America/Los_Angeles', 3), 20260120);
  });
});
