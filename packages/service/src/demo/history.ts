/**
 * The orders of a date long ago, in less detail: one check with one line of food and one of drinks, no modifiers, and a
 * payment only where it is refunded. Sales, guests, discounts, voids and refunds are about those of `demoOrders`, for
 * less than half of the processor time, which is what lets the demo have two years of trade.
 */

import { units } from '../contract/currencies.ts';
import { MINUTE_MS } from '../contract/time.ts';
import { stamp } from './clock.ts';
import { MENUS, type MenuItem, type MenuName } from './menu.ts';
import { menuGuid } from './menus.ts';
import { guestsOf, type Opening, openingsOf } from './openings.ts';
import { SOURCES } from './orders.ts';
import type { Random } from './random.ts';
import type { Establishment } from './reference.ts';
import type { DemoRestaurant } from './restaurants.ts';
import {
  type DemoCheck,
  percentOf,
  type SourceCharge,
  type SourceDiscount,
  type SourceOrder,
  type SourcePayment,
  type SourceSelection,
} from './shapes.ts';
import { TRADES } from './trades.ts';

type BriefLine = Pick<SourceSelection, 'item' | 'itemGroup' | 'quantity' | 'preDiscountPrice' | 'price'>;
type BriefCharge = Pick<SourceCharge, 'chargeAmount' | 'gratuity'>;
type BriefPayment = Pick<SourcePayment, 'guid' | 'type' | 'amount' | 'paidDate' | 'refundStatus' | 'refund'>;

export interface BriefCheck
  extends Pick<DemoCheck, 'guid' | 'displayNumber' | 'paidDate' | 'taxAmount' | 'totalAmount' | 'paymentStatus'> {
  selections: BriefLine[];
  appliedDiscounts?: Pick<SourceDiscount, 'discountAmount'>[];
  appliedServiceCharges?: BriefCharge[];
  payments?: BriefPayment[];
}

/** Only what figures are computed from; names are in the menus and the reference data. */
export interface BriefOrder
  extends Pick<
    SourceOrder,
    'guid' | 'openedDate' | 'modifiedDate' | 'businessDate' | 'numberOfGuests' | 'source' | 'displayNumber'
  > {
  diningOption: { guid: string } | undefined;
  revenueCenter: { guid: string } | undefined;
  server: { guid: string } | undefined;
  voided: true | undefined;
  checks: [BriefCheck];
}

/** Of food and drinks a guest has so many in the mean, as `demoOrders` sells them. */
const FOOD_PER_GUEST = 1.05;
const DRINKS_PER_GUEST = 0.74;
const DELIVERY_FEE_CENTS = 399;

/** A whole number whose mean is `mean`. */
const aboutOf = (random: Random, mean: number): number => Math.floor(mean) + Number(random.chance(mean % 1));

interface Plan {
  restaurant: DemoRestaurant;
  openedAt: number;
  paidAt: number;
  number: number;
  guests: number;
  delivery: boolean;
  /** Whether everything is refunded. */
  refunded: boolean;
}

const references = new WeakMap<MenuItem, Pick<BriefLine, 'item' | 'itemGroup'>>();

function referencesOf(menu: MenuName, item: MenuItem): Pick<BriefLine, 'item' | 'itemGroup'> {
  const known = references.get(item);
  if (known) return known;
  const made = {
    item: { guid: menuGuid(menu, 'item', item.name) },
    itemGroup: { guid: menuGuid(menu, 'group', item.group) },
  };
  references.set(item, made);
  return made;
}

function lineOf({ restaurant }: Plan, item: MenuItem, quantity: number, percent: number): BriefLine {
  const cents = item.cents * quantity;
  const { item: sold, itemGroup } = referencesOf(restaurant.menu, item);
  return {
    item: sold,
    itemGroup,
    quantity,
    preDiscountPrice: units(cents),
    price: units(cents - percentOf(cents, percent)),
  };
}

function linesOf(random: Random, plan: Plan, percent: number): BriefLine[] {
  const { food, drinks } = MENUS[plan.restaurant.menu];
  const eaten = aboutOf(random, plan.guests * FOOD_PER_GUEST);
  const drunk = Math.max(eaten === 0 ? 1 : 0, aboutOf(random, plan.guests * DRINKS_PER_GUEST));
  const lines: BriefLine[] = [];
  if (eaten > 0) lines.push(lineOf(plan, random.pick(food), eaten, percent));
  if (drunk > 0) lines.push(lineOf(plan, random.pick(drinks), drunk, percent));
  return lines;
}

function refundedPayment(random: Random, plan: Plan, totalCents: number): BriefPayment {
  const refundCents = plan.refunded ? totalCents : Math.min(totalCents, random.pick([500, 1200, 1800]));
  const refundDate = stamp(plan.paidAt + random.whole(20, 120) * MINUTE_MS);
  return {
    guid: random.guid(),
    type: 'CREDIT',
    amount: units(totalCents),
    paidDate: stamp(plan.paidAt),
    refundStatus: refundCents === totalCents ? 'FULL' : 'PARTIAL',
    refund: { refundAmount: units(refundCents), tipRefundAmount: 0, refundDate },
  };
}

function checkOf(random: Random, plan: Plan): BriefCheck {
  const percent = random.chance(0.17) ? random.pick([10, 15, 20]) : 0;
  const selections = linesOf(random, plan, percent);
  const sum = (of: 'preDiscountPrice' | 'price'): number =>
    selections.reduce((total, line) => total + Math.round(line[of] * 100), 0);
  const fee = plan.delivery ? DELIVERY_FEE_CENTS : 0;
  const amount = sum('price') + fee;
  const tax = Math.round((amount * plan.restaurant.taxPoints) / 10000);
  const check: BriefCheck = {
    guid: random.guid(),
    displayNumber: String(plan.number * 4),
    paidDate: stamp(plan.paidAt),
    taxAmount: units(tax),
    totalAmount: units(amount + tax),
    paymentStatus: 'CLOSED',
    selections,
  };
  if (percent > 0) check.appliedDiscounts = [{ discountAmount: units(sum('preDiscountPrice') - sum('price')) }];
  if (fee > 0) check.appliedServiceCharges = [{ chargeAmount: units(fee), gratuity: false }];
  if (plan.refunded || random.chance(0.012)) check.payments = [refundedPayment(random, plan, amount + tax)];
  return check;
}

function orderOf(
  random: Random,
  { restaurant, house, date }: { restaurant: DemoRestaurant; house: Establishment; date: number },
  { openedAt, number, mishap }: Opening,
): BriefOrder {
  const dining = random.weighted(TRADES[restaurant.trade].dining);
  const source = random.weighted(SOURCES[dining]);
  const seated = dining === 'Dine In' && house.isSeated;
  const guests = guestsOf(random, restaurant, { mishap, dining, isSeated: house.isSeated });
  const paidAt = openedAt + (seated ? random.whole(30, 75) : random.whole(1, 6)) * MINUTE_MS;
  const delivery = dining === 'Delivery';
  const refunded = mishap === 'refund';
  const guid = random.guid();
  const check = checkOf(random, { restaurant, openedAt, paidAt, number, guests, delivery, refunded });
  const option = house.diningOptions.find(({ name }) => name === dining);
  const center = delivery ? undefined : house.revenueCenters[0] && random.pick(house.revenueCenters);
  const voided = mishap === 'void' || (!mishap && random.chance(0.01));
  return {
    guid,
    openedDate: stamp(openedAt),
    modifiedDate: check.paidDate ?? stamp(paidAt),
    businessDate: date,
    numberOfGuests: source === 'Kiosk' ? null : guests,
    source,
    displayNumber: String(number),
    diningOption: option && !random.chance(0.01) ? { guid: option.guid } : undefined,
    revenueCenter: center && { guid: center.guid },
    server: source === 'In Store' ? { guid: random.pick(house.waiters).guid } : undefined,
    voided: voided || undefined,
    checks: [check],
  };
}

/** The orders of one business date (YYYYMMDD), by opening time; all are closed. */
export const ordersInBrief = (
  random: Random,
  restaurant: DemoRestaurant,
  house: Establishment,
  date: number,
): BriefOrder[] =>
  openingsOf(random, restaurant, date).map((opening) => orderOf(random, { restaurant, house, date }, opening));
