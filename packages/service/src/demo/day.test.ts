import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../contract/dates.ts';
import { readGuid } from '../contract/words.ts';
import type { MenuGroup } from '../facts/reference.ts';
import { demoDay } from './day.ts';
import { demoMenus } from './menus.ts';
import { DEMO_RESTAURANTS, type DemoRestaurant } from './restaurants.ts';
import type { DemoCheck, SourceDiscount, SourceOrder } from './shapes.ts';

const restaurantAt = (index: number): DemoRestaurant => {
  const restaurant = DEMO_RESTAURANTS[index];
  assert.ok(restaurant);
  return restaurant;
};
const OYSTERS = restaurantAt(0);
const NIGHT_OWL = restaurantAt(4);

const instantOf = (at: string): number => Date.parse(at.replace('+0000', 'Z'));
const cents = (amount: number): number => Math.round(amount * 100);
const sum = <T>(list: readonly T[], of: (item: T) => number): number => list.reduce((all, item) => all + of(item), 0);
const counting = ({ processingState }: SourceDiscount): boolean =>
  processingState !== 'VOID' && processingState !== 'PENDING_VOID';
const discounted = (list: SourceDiscount[]): number =>
  sum(list.filter(counting), ({ discountAmount }) => cents(discountAmount));

/** All restaurants over some weeks; the last date as it was in the middle of the trade of all of them. */
const LAST = 20260330;
const NOW = Date.UTC(2026, 2, 30, 20, 10);
const sample = DEMO_RESTAURANTS.flatMap((restaurant) =>
  Array.from({ length: 28 }, (_, back) => addDays(LAST, back - 27)).map((date) => ({
    restaurant,
    date,
    ...demoDay(restaurant, date, { now: NOW }),
  })),
);
const orders: SourceOrder[] = sample.flatMap((day) => day.orders);
const checks: DemoCheck[] = orders.flatMap((order) => order.checks);
const entries = sample.flatMap((day) => day.timeEntries);

const formats = new Map(
  DEMO_RESTAURANTS.map(({ timeZone }) => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' }),
  ]),
);

/** Business date by the closeout rule (docs/metrics.md#sales-metrics), computed with the calendar of the platform. */
function businessDateOf(restaurant: DemoRestaurant, instant: string): number {
  const local = formats.get(restaurant.timeZone)?.format(new Date(instant.replace('+0000', 'Z')));
  const match = /(\d{4})-(\d\d)-(\d\d), (\d\d)/.exec(local ?? '');
  assert.ok(match);
  const date = Number(`${match[1]}${match[2]}${match[3]}`);
  return Number(match[4]) < restaurant.closeoutHour ? addDays(date, -1) : date;
}

test('a day is the same on every call, and another by seed, restaurant and date', () => {
  const once = JSON.stringify(demoDay(OYSTERS, 20260314));
  assert.equal(JSON.stringify(demoDay(OYSTERS, 20260314)), once);
  assert.notEqual(JSON.stringify(demoDay(OYSTERS, 20260315)), once);
  assert.notEqual(JSON.stringify(demoDay(OYSTERS, 20260314, { seed: 'other' })), once);
  assert.notEqual(JSON.stringify(demoDay(NIGHT_OWL, 20260314)), once);
});

test('no GUID comes twice', () => {
  const guids = [
    ...orders.map(({ guid }) => guid),
    ...checks.map(({ guid }) => guid),
    ...checks.flatMap(({ selections, payments }) => [...selections, ...payments].map(({ guid }) => guid)),
    ...entries.map(({ guid }) => guid),
  ];
  assert.equal(new Set(guids).size, guids.length);
  assert.ok(guids.every((guid) => readGuid(guid) === guid && guid[14] === '4' && /[89ab]/.test(guid[19] ?? '')));
});

test('prices are what was listed less the discounts, the check’s own spread over them', () => {
  for (const check of checks.filter(({ voided }) => !voided)) {
    const live = check.selections.filter(({ voided }) => !voided);
    const listed = sum(live, ({ preDiscountPrice }) => cents(preDiscountPrice));
    const off = discounted(check.appliedDiscounts) + sum(live, ({ appliedDiscounts }) => discounted(appliedDiscounts));
    assert.equal(
      sum(live, ({ price }) => cents(price)),
      listed - off,
    );
    assert.ok(live.every(({ price }) => price >= 0));
  }
});

test('the amounts of a check add up to the cent, and what was paid covers them', () => {
  for (const check of checks) {
    const live = check.selections.filter(({ voided }) => !voided);
    const charges = check.appliedServiceCharges;
    const plain = sum(charges, ({ gratuity, chargeAmount }) => (gratuity ? 0 : cents(chargeAmount)));
    const gratuity = sum(charges, (charge) => (charge.gratuity ? cents(charge.chargeAmount) : 0));
    const items = sum(live, ({ price }) => cents(price));
    assert.equal(cents(check.amount), items + plain);
    const itemTax = sum(live, ({ tax }) => cents(tax));
    assert.ok(cents(check.taxAmount) >= itemTax && (charges.length > 0 || cents(check.taxAmount) === itemTax));
    assert.equal(cents(check.totalAmount), cents(check.amount) + cents(check.taxAmount));
    const valid = check.payments.filter(({ paymentStatus }) => paymentStatus !== 'VOIDED');
    const due = check.paymentStatus === 'OPEN' || check.voided ? 0 : cents(check.totalAmount) + gratuity;
    assert.equal(
      sum(valid, ({ amount }) => cents(amount)),
      due,
    );
    for (const { refund, amount } of valid) assert.ok((refund?.refundAmount ?? 0) <= amount);
  }
});

test('every item is in a group of the menus, and has the GUID that they give it', () => {
  for (const { restaurant, orders: ofDay } of sample) {
    const groups = new Map<string, Set<string>>();
    const walk = (group: MenuGroup): void => {
      groups.set(group.guid, new Set(group.menuItems.map(({ guid }) => guid)));
      for (const inner of group.menuGroups) walk(inner);
    };
    for (const menu of demoMenus(restaurant)) for (const group of menu.menuGroups) walk(group);
    const selections = ofDay.flatMap(({ checks: all }) => all.flatMap((check) => check.selections));
    for (const { item, itemGroup, deferred } of selections) {
      assert.equal(item === null, deferred);
      assert.ok(item === null || groups.get(itemGroup?.guid ?? '')?.has(item.guid));
    }
  }
});

test('the shapes of real trade are there', () => {
  const some = (what: string, list: unknown[]): void => assert.ok(list.length > 0, what);
  const selections = checks.flatMap((check) => check.selections);
  const discounts = [...checks, ...selections].flatMap(({ appliedDiscounts }) => appliedDiscounts);
  const charges = checks.flatMap((check) => check.appliedServiceCharges);
  const payments = checks.flatMap((check) => check.payments);
  some(
    'voided orders',
    orders.filter(({ voided }) => voided),
  );
  some(
    'deleted orders',
    orders.filter(({ deleted }) => deleted),
  );
  some(
    'waste',
    orders.filter(({ excessFood }) => excessFood),
  );
  some(
    'orders without a dining option',
    orders.filter(({ diningOption }) => !diningOption),
  );
  some(
    'orders without a revenue center',
    orders.filter(({ revenueCenter }) => !revenueCenter),
  );
  some(
    'orders without a source',
    orders.filter(({ source }) => source === null),
  );
  some(
    'inline names',
    orders.filter(({ diningOption }) => diningOption?.name),
  );
  some(
    'references without a name',
    orders.filter(({ server }) => server && !server.firstName),
  );
  some(
    'split checks',
    orders.filter((order) => order.checks.length > 1),
  );
  some(
    'voided checks of live orders',
    orders.filter((o) => !o.voided && o.checks.some(({ voided }) => voided)),
  );
  some(
    'deleted checks of live orders',
    orders.filter((o) => !o.deleted && o.checks.some(({ deleted }) => deleted)),
  );
  some(
    'voided items of live checks',
    checks.filter((c) => !c.voided && c.selections.some(({ voided }) => voided)),
  );
  some(
    'gift cards',
    selections.filter(({ deferred, selectionType }) => deferred && selectionType === 'TOAST_CARD_SELL'),
  );
  some(
    'itemised refunds',
    selections.filter(({ refundDetails }) => refundDetails),
  );
  some(
    'modifiers',
    selections.filter(({ modifiers }) => modifiers.length > 0),
  );
  some(
    'requests in words',
    selections.flatMap(({ modifiers }) => modifiers).filter(({ selectionType }) => selectionType === 'SPECIAL_REQUEST'),
  );
  some(
    'comps',
    selections.filter(({ price, preDiscountPrice }) => price === 0 && preDiscountPrice > 0),
  );
  some(
    'check discounts',
    checks.filter(({ appliedDiscounts }) => appliedDiscounts.some(counting)),
  );
  for (const state of ['VOID', 'PENDING_VOID', 'APPLIED', null])
    some(
      `discounts ${state}`,
      discounts.filter(({ processingState }) => processingState === state),
    );
  some(
    'gratuity',
    charges.filter(({ gratuity }) => gratuity),
  );
  some(
    'plain charges',
    charges.filter(({ gratuity }) => !gratuity),
  );
  some(
    'fundraising',
    charges.filter(({ serviceChargeCategory }) => serviceChargeCategory === 'FUNDRAISING_CAMPAIGN'),
  );
  some(
    'refunds of a custom amount',
    checks.filter(
      (check) =>
        check.payments.some(({ refund }) => refund) && !check.selections.some(({ refundDetails }) => refundDetails),
    ),
  );
  some(
    'refunded tips',
    payments.filter(({ refund }) => (refund?.tipRefundAmount ?? 0) > 0),
  );
  for (const type of ['CASH', 'CREDIT', 'GIFTCARD', 'OTHER'])
    some(
      type,
      payments.filter((payment) => payment.type === type),
    );
  for (const source of ['In Store', 'Online', 'Kiosk', 'API', 'Order-and-Pay-at-Table'])
    some(
      source,
      orders.filter((order) => order.source === source),
    );
  some(
    'salaried',
    entries.filter(({ hourlyWage }) => hourlyWage === null),
  );
  some(
    'overtime',
    entries.filter(({ overtimeHours }) => overtimeHours > 0),
  );
  some(
    'deleted entries',
    entries.filter(({ deleted }) => deleted),
  );
  some(
    'entries with pay',
    entries.filter(({ regularPay }) => regularPay !== undefined),
  );
});

test('every order is on the business date that its opened time says, also over a clock change and after midnight', () => {
  let late = 0;
  // The sample holds 8 March 2026 (United States) and 29 March (Ireland); the clocks go back on these two.
  const autumn = [20261025, 20261101].flatMap((date) =>
    DEMO_RESTAURANTS.map((restaurant) => ({ restaurant, date, ...demoDay(restaurant, date) })),
  );
  for (const { restaurant, date, orders, timeEntries } of [...sample, ...autumn]) {
    for (const { businessDate, openedDate } of orders) {
      assert.equal(businessDate, date);
      assert.equal(businessDateOf(restaurant, openedDate), date, `${restaurant.name} ${openedDate}`);
    }
    for (const { businessDate, inDate, outDate } of timeEntries) {
      assert.equal(businessDate, String(date));
      assert.equal(businessDateOf(restaurant, inDate), date);
      if (outDate && restaurant === NIGHT_OWL && outDate.slice(11, 13) > '06' && outDate.slice(11, 13) < '10') late++;
    }
  }
  assert.ok(late > 0, 'some bartenders work past midnight');
});

test('checks are open and staff at work only today, and nothing is dated later than now', () => {
  for (const { date, orders, timeEntries } of sample) {
    const open = orders.some(({ checks }) => checks.some(({ paymentStatus }) => paymentStatus === 'OPEN'));
    const working = timeEntries.some(({ outDate }) => outDate === null);
    assert.ok(date === LAST || (!open && !working), String(date));
    const dates = orders.flatMap(({ openedDate, checks }) => [openedDate, ...checks.map((check) => check.openedDate)]);
    assert.ok([...dates, ...timeEntries.map(({ inDate }) => inDate)].every((at) => instantOf(at) <= NOW));
  }
  const today = sample.filter(({ date }) => date === LAST);
  assert.ok(today.some(({ orders }) => orders.some(({ checks }) => checks.some((c) => c.paymentStatus === 'OPEN'))));
  assert.ok(today.some(({ timeEntries }) => timeEntries.some(({ outDate }) => outDate === null)));
});

test('what was open is closed later in the same orders, and what was not begun is added', () => {
  for (const restaurant of DEMO_RESTAURANTS) {
    const before = demoDay(restaurant, LAST, { now: NOW });
    const after = demoDay(restaurant, LAST);
    assert.ok(before.orders.length <= after.orders.length);
    before.orders.forEach((order, index) => {
      const later = after.orders[index];
      assert.equal(later?.guid, order.guid);
      if (JSON.stringify(order) !== JSON.stringify(later))
        assert.ok(order.modifiedDate < later.modifiedDate, order.guid);
    });
    const entries = new Map(after.timeEntries.map((entry) => [entry.guid, entry]));
    for (const { guid, modifiedDate } of before.timeEntries)
      assert.ok(modifiedDate <= (entries.get(guid)?.modifiedDate ?? ''));
  }
  const [before, after] = [demoDay(NIGHT_OWL, LAST, { now: NOW }), demoDay(NIGHT_OWL, LAST)];
  assert.ok(before.orders.length < after.orders.length && before.timeEntries.length < after.timeEntries.length);
});
