/** One check, with all amounts in integer cents; they satisfy the same identities as real orders (see `buildCheck`). */

import { units } from '../contract/currencies.ts';
import { stamp } from './clock.ts';
import type { DemoMenu, MenuItem, MenuName, Modifier } from './menu.ts';
import { menuGuid } from './menus.ts';
import { pay } from './payment.ts';
import { createRandom, type Random } from './random.ts';
import {
  type DemoCheck,
  percentOf,
  type SourceCharge,
  type SourceDiscount,
  type SourceModifier,
  type SourceSelection,
} from './shapes.ts';

/** How far a check has come: nothing paid, paid without its tip, or closed. */
export type Settled = 'OPEN' | 'PAID' | 'CLOSED';

interface CheckPlan {
  displayNumber: number;
  /** The name of `menu`. */
  menuName: MenuName;
  menu: DemoMenu;
  taxPoints: number;
  guests: number;
  delivery: boolean;
  /** Milliseconds since 1970 UTC. */
  openedAt: number;
  paidAt: number;
  settled: Settled;
  /** Milliseconds since 1970 UTC: what would happen later has not happened yet. */
  now: number;
  voided: boolean;
  /** Whether all that was paid is given back. */
  refunded: boolean;
  deleted: boolean;
  /** Whether the order was thrown away: then everything is discounted to 0. */
  waste: boolean;
}

interface Line {
  name: string;
  /** Gift cards have none. */
  group?: string;
  quantity: number;
  modifiers: Modifier[];
  preCents: number;
  discounts: SourceDiscount[];
  /** The price after the line's own discounts; those of the check are subtracted later. */
  cents: number;
  voided: boolean;
  deferred: boolean;
}

/** How long after its opening an open check was last modified; nobody pays sooner. */
const OPEN_FOR = 30_000;

const taxOf = (cents: number, points: number): number => Math.round((cents * points) / 10000);
const sum = <T>(list: readonly T[], of: (item: T) => number): number =>
  list.reduce((total, item) => total + of(item), 0);

function discount(
  random: Random,
  name: string,
  cents: number,
  state: SourceDiscount['processingState'],
): SourceDiscount {
  const amount = units(cents);
  // If the price includes no tax the two are equal, and many systems then send only the first.
  const nonTax = random.chance(0.9) ? amount : null;
  return {
    guid: random.guid(),
    name,
    discountAmount: amount,
    nonTaxDiscountAmount: nonTax,
    processingState: state,
  };
}

function sellItem(random: Random, item: MenuItem, plan: CheckPlan): Line {
  const quantity = random.weighted([
    [88, 1],
    [10, 2],
    [2, 3],
  ] as const);
  const modifiers = item.modifiers && random.chance(0.6) ? [random.pick(item.modifiers)] : [];
  const preCents = (item.cents + sum(modifiers, ({ cents }) => cents)) * quantity;
  const line = { name: item.name, group: item.group, quantity, modifiers, preCents, cents: preCents, deferred: false };
  const discounts: SourceDiscount[] = [];
  const chance = random.next();
  if (plan.waste) discounts.push(discount(random, 'Waste', preCents, 'APPLIED'));
  else if (chance < 0.012) discounts.push(discount(random, 'Manager Comp', preCents, 'APPLIED'));
  else if (chance < 0.03) discounts.push(discount(random, 'Two Dollars Off', Math.min(200, preCents), 'APPLIED'));
  else if (chance < 0.04) discounts.push(discount(random, 'Happy Hour', percentOf(preCents, 25), null));
  // Voided before payment: it stays on the selection and does not count.
  else if (chance < 0.044) discounts.push(discount(random, 'Staff Meal', percentOf(preCents, 50), 'VOID'));
  for (const { processingState, discountAmount } of discounts)
    if (processingState !== 'VOID') line.cents -= Math.round(discountAmount * 100);
  return { ...line, discounts, voided: plan.voided || random.chance(0.008) };
}

function sellGiftCard(random: Random, plan: CheckPlan): Line {
  const cents = random.pick([2500, 5000, 10000]);
  return {
    name: 'Gift Card',
    quantity: 1,
    modifiers: [],
    preCents: cents,
    discounts: [],
    cents,
    voided: plan.voided,
    deferred: true,
  };
}

function takeOrder(random: Random, plan: CheckPlan): Line[] {
  const lines: Line[] = [];
  for (let guest = 0; guest < plan.guests; guest++) {
    if (random.chance(0.92)) lines.push(sellItem(random, random.pick(plan.menu.food), plan));
    if (random.chance(0.65)) lines.push(sellItem(random, random.pick(plan.menu.drinks), plan));
  }
  if (lines.length === 0) lines.push(sellItem(random, random.pick(plan.menu.drinks), plan));
  if (random.chance(0.008) && !plan.waste) lines.push(sellGiftCard(random, plan));
  return lines;
}

/** Subtracts the check's own discount from the prices of its lines in proportion, exact to the cent. */
function discountCheck(random: Random, lines: Line[], plan: CheckPlan): SourceDiscount[] {
  if (!random.chance(0.07) || plan.waste) return [];
  const [name, percent] = random.pick([
    ['Loyalty', 10],
    ['Neighbors', 15],
    ['Industry Night', 20],
  ] as const);
  const sold = lines.filter(({ voided, deferred }) => !voided && !deferred);
  const base = sum(sold, ({ cents }) => cents);
  const cents = percentOf(base, percent);
  if (random.chance(0.04)) return [discount(random, name, cents, 'PENDING_VOID')];
  if (cents === 0) return [];
  let before = 0;
  let taken = 0;
  for (const line of sold) {
    before += line.cents;
    const share = Math.round((before * cents) / base) - taken;
    line.cents -= share;
    taken += share;
  }
  return [discount(random, name, cents, 'APPLIED')];
}

function chargeFor(random: Random, netCents: number, plan: CheckPlan): (SourceCharge & { cents: number })[] {
  const charges: (SourceCharge & { cents: number })[] = [];
  const add = (name: string, cents: number, gratuity: boolean, category: SourceCharge['serviceChargeCategory']) =>
    charges.push({
      guid: random.guid(),
      name,
      chargeAmount: units(cents),
      gratuity,
      serviceChargeCategory: category,
      refundDetails: null,
      cents,
    });
  const fundraising = random.chance(0.01);
  const packaging = random.chance(0.02);
  if (plan.voided || plan.waste) return [];
  if (plan.guests >= 6) add('Large Party Gratuity', percentOf(netCents, 18), true, 'SERVICE_CHARGE');
  if (plan.delivery) add('Delivery Fee', 399, false, 'SERVICE_CHARGE');
  else if (packaging) add('Packaging', 75, false, 'SERVICE_CHARGE');
  if (fundraising) add('Round-Up for the Food Bank', 100, false, 'FUNDRAISING_CAMPAIGN');
  return charges;
}

/** Quantity and price are for the whole quantity of the line. One line in forty has a special request as a modifier. */
function modifiersOf(random: Random, { modifiers, quantity, voided }: Line, menu: MenuName): SourceModifier[] {
  return modifiers.flatMap(({ name, cents }): SourceModifier[] => {
    const guid = random.guid();
    const price = units(cents * quantity);
    const chosen = { guid, displayName: name, item: { guid: menuGuid(menu, 'modifier', name) }, quantity };
    // A separate stream, so that special requests do not change the checks generated after it.
    const own = createRandom(guid);
    const request = { guid: own.guid(), displayName: 'Allergy: nuts', item: null, quantity: 0 };
    const free = { preDiscountPrice: 0, price: 0, voided, selectionType: 'SPECIAL_REQUEST' } as const;
    return [
      { ...chosen, preDiscountPrice: price, price, voided, selectionType: 'NONE' },
      ...(own.chance(0.025) ? [{ ...request, ...free }] : []),
    ];
  });
}

/**
 * Builds a check. Σ price of selections that are not voided + Σ charges without gratuity = amount; the tax of both =
 * taxAmount; amount + taxAmount = totalAmount; valid payments = totalAmount + gratuity once it is paid. A price is the
 * preDiscountPrice less the discounts of the selection and its share of the check's discount. A check that
 * is open now and closed in a later version is otherwise the same.
 */
export function buildCheck(random: Random, plan: CheckPlan): DemoCheck {
  const guid = random.guid();
  const lines = takeOrder(random, plan);
  const appliedDiscounts = discountCheck(random, lines, plan);
  const live = lines.filter(({ voided }) => !voided);
  const charges = chargeFor(
    random,
    sum(live, ({ cents }) => cents),
    plan,
  );
  const selections: SourceSelection[] = lines.map((line) => ({
    guid: random.guid(),
    displayName: line.name,
    item: line.group === undefined ? null : { guid: menuGuid(plan.menuName, 'item', line.name) },
    itemGroup: line.group === undefined ? null : { guid: menuGuid(plan.menuName, 'group', line.group) },
    quantity: line.quantity,
    preDiscountPrice: units(line.preCents),
    price: units(line.cents),
    tax: line.deferred ? 0 : units(taxOf(line.cents, plan.taxPoints)),
    voided: line.voided,
    deferred: line.deferred,
    selectionType: line.deferred ? 'TOAST_CARD_SELL' : 'NONE',
    appliedDiscounts: line.discounts,
    refundDetails: null,
    modifiers: modifiersOf(random, line, plan.menuName),
  }));
  const paidCharges = charges.filter(({ gratuity }) => !gratuity);
  const amount = sum(live, ({ cents }) => cents) + sum(paidCharges, ({ cents }) => cents);
  const tax =
    sum(live, ({ cents, deferred }) => (deferred ? 0 : taxOf(cents, plan.taxPoints))) +
    sum(paidCharges, ({ cents, serviceChargeCategory }) =>
      serviceChargeCategory === 'SERVICE_CHARGE' ? taxOf(cents, plan.taxPoints) : 0,
    );
  const gratuity = sum(charges, ({ cents, gratuity: isGratuity }) => (isGratuity ? cents : 0));

  const { openedAt, paidAt, settled, voided, now, refunded } = plan;
  const dueCents = amount + tax + gratuity;
  // A separate stream, so that the state of a check does not change the checks generated after it.
  const due = { dueCents, amountCents: amount, selections, paidAt, settled, voided, now, refunded };
  const paid = pay(createRandom(guid), due);
  return {
    guid,
    displayNumber: String(plan.displayNumber),
    openedDate: stamp(openedAt),
    modifiedDate: stamp(settled === 'OPEN' ? openedAt + OPEN_FOR : paid.modifiedAt),
    paidDate: settled === 'OPEN' ? null : stamp(paidAt),
    closedDate: settled === 'CLOSED' ? stamp(paid.closedAt) : null,
    voided,
    deleted: plan.deleted,
    amount: units(amount),
    taxAmount: units(tax),
    totalAmount: units(amount + tax),
    paymentStatus: settled,
    selections,
    payments: paid.payments,
    appliedDiscounts,
    appliedServiceCharges: charges.map(({ cents: _, ...charge }) => charge),
  };
}
