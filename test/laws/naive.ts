/**
 * A second implementation of docs/metrics.md, for the laws alone: straight from the source objects, record by record,
 * without a thought for speed, and sharing no code with the service. Cents are BigInts read from decimal text.
 */
import type { Daypart } from '../../packages/service/src/contract/dayparts.ts';
import { businessDateOf, instantOf, wallClock } from './naive-clock.ts';
import { add, cents } from './naive-decimal.ts';

// biome-ignore lint/suspicious/noExplicitAny: source objects are read as the JSON that they are
export type Json = any;

export interface NaiveRestaurant {
  guid: string;
  name: string;
  timeZone: string;
  closeoutHour: number;
  overtimeMultiplier: number;
  /** `refund` if undefined. */
  refundsOn?: 'refund' | 'order';
  diningOptions: Record<string, string>;
  revenueCenters: Record<string, string>;
  employees: Record<string, string>;
  jobs: Record<string, { wageFrequency: string | null; excludeFromReporting: boolean }>;
}

export interface NaiveQuery {
  start: string;
  end: string;
  hour?: boolean;
  /** A row for each of them. */
  dayparts?: readonly Daypart[];
  groups?: string[];
}

export const list = (value: Json[] | null | undefined): Json[] => value ?? [];

/** The newest version of every order or entry, the later of equal ones, in no particular order. */
export function newestVersions(records: Json[]): Json[] {
  const newest = new Map<string, Json>();
  for (const record of records) {
    const held = newest.get(record.guid);
    const at = (entry: Json): number => (entry.modifiedDate ? instantOf(entry.modifiedDate) : 0);
    if (!held || at(record) >= at(held)) newest.set(record.guid, record);
  }
  return [...newest.values()];
}

export const named = (reference: Json, names: Record<string, string>, otherwise: string): string =>
  reference?.name || names[reference?.guid?.toLowerCase()] || otherwise;

export const dateOf = (order: Json, restaurant: NaiveRestaurant): string =>
  order.businessDate
    ? String(order.businessDate).replaceAll('-', '')
    : businessDateOf(instantOf(order.openedDate), restaurant);

/** A word of an enumeration, however it is written. */
export const listed = (word: string | null | undefined): string =>
  (word ?? '').trim().toUpperCase().replaceAll(' ', '_').replaceAll('-', '_');

/** Whether the order, waste or not, counts nowhere: deleted, of training, or refused by the restaurant. */
export const isGone = (order: Json): boolean =>
  order.deleted || order.createdInTestMode || listed(order.approvalStatus) === 'NOT_APPROVED';

/** Whether a payment is neither voided nor denied. */
export const isValid = (payment: Json): boolean =>
  !payment.voidInfo?.voidDate &&
  !payment.voidInfo?.voidBusinessDate &&
  !['VOIDED', 'CANCELLED', 'DENIED', 'ERROR', 'ERROR_NETWORK'].includes(listed(payment.paymentStatus));

const counting = (discount: Json): boolean => !['VOID', 'PENDING_VOID'].includes(listed(discount.processingState));
export const isSold = (selection: Json): boolean =>
  !selection.deferred &&
  !['TOAST_CARD_SELL', 'TOAST_CARD_RELOAD', 'HOUSE_ACCOUNT_PAY_BALANCE'].includes(listed(selection.selectionType));
/** Whether gross counts a service charge. */
export const isSalesCharge = (charge: Json): boolean =>
  !charge.gratuity && !['FUNDRAISING_CAMPAIGN', 'CASH_ROUNDING'].includes(listed(charge.serviceChargeCategory));

/** The counting discounts on any of these, in cents. */
export const discountsOn = (holders: Json[]): bigint[] =>
  holders
    .flatMap((holder) => list(holder.appliedDiscounts))
    .filter(counting)
    .map((discount) => cents(discount.nonTaxDiscountAmount ?? discount.discountAmount));

export const notVoided = (check: Json): Json[] => list(check.selections).filter((selection) => !selection.voided);

export interface Sales {
  gross: bigint;
  discount: bigint;
  refund: bigint;
  net: bigint;
}

export const ownRefund = (holder: Json): bigint => cents(holder.refundDetails?.refundAmount);

/** The refund of a selection or modifier: its own, otherwise what its modifiers carry that are not voided. */
export const carriedRefund = (holder: Json): bigint =>
  ownRefund(holder) ||
  add(
    list(holder.modifiers)
      .filter(({ voided }) => !voided)
      .map(carriedRefund),
  );

/** Whether anything on the check, sold or not, at any depth, is refunded by name. */
export function isItemised(check: Json): boolean {
  const all = (holders: Json[]): Json[] => holders.flatMap((holder) => [holder, ...all(list(holder.modifiers))]);
  return [...all(list(check.selections)), ...list(check.appliedServiceCharges)].some(
    (holder) => ownRefund(holder) !== 0n || cents(holder.refundDetails?.taxRefundAmount) !== 0n,
  );
}

/** What one live check sold: docs/metrics.md#sales-metrics. */
export function salesOf(check: Json): Sales {
  const sold = notVoided(check).filter(isSold);
  const charges = list(check.appliedServiceCharges).filter(isSalesCharge);
  const gross =
    add(sold.map((selection) => cents(selection.preDiscountPrice))) +
    add(charges.map((charge) => cents(charge.chargeAmount)));
  const discount = add(discountsOn([check, ...sold]));
  const paidBack = add(list(check.payments).map((payment) => cents(payment.refund?.refundAmount)));
  const sales = gross > discount ? gross - discount : 0n;
  const itemised = add([...sold.map(carriedRefund), ...charges.map(ownRefund)]);
  const refund = isItemised(check) ? itemised : paidBack < sales ? paidBack : sales;
  return { gross, discount, refund, net: gross - discount - refund };
}

/**
 * A part of the refund of a live check, and when it counts. `item` is the selection that it belongs to, if it names
 * one.
 */
export interface DatedRefund {
  date: string;
  hour: number;
  amount: bigint;
  item?: Json;
}

/** When the refunds of a check count: docs/metrics.md#the-date-of-a-refund. */
export function refundTimes(check: Json, order: Json, restaurant: NaiveRestaurant) {
  const own = {
    date: dateOf(order, restaurant),
    hour: wallClock(instantOf(order.openedDate), restaurant.timeZone).hour,
  };
  const given = list(check.payments).flatMap(({ refund }) => {
    if (!refund || restaurant.refundsOn === 'order') return [];
    const at = refund.refundDate ? instantOf(refund.refundDate) : undefined;
    const onDate = at === undefined ? own.date : businessDateOf(at, restaurant);
    const date = refund.refundBusinessDate ? String(refund.refundBusinessDate).replaceAll('-', '') : onDate;
    return [{ refund, date, hour: at === undefined ? own.hour : wallClock(at, restaurant.timeZone).hour }];
  });
  const transactionOf = (refund: Json): string | undefined => refund.refundTransaction?.guid?.toLowerCase();
  return (refund: Json): { date: string; hour: number } => {
    const same = given.filter((one) => transactionOf(refund) && transactionOf(one.refund) === transactionOf(refund));
    const byTime = given.toSorted((a, b) => Number(a.date) - Number(b.date) || a.hour - b.hour);
    return given.find((one) => one.refund === refund) ?? same.at(-1) ?? byTime.at(-1) ?? own;
  };
}

/** The refunded parts of a selection: itself, otherwise its modifiers that are not voided. */
export const carriedParts = (holder: Json): { refund: Json; amount: bigint }[] =>
  ownRefund(holder) !== 0n
    ? [{ refund: holder.refundDetails, amount: ownRefund(holder) }]
    : list(holder.modifiers)
        .filter(({ voided }) => !voided)
        .flatMap(carriedParts);

/** What the refund of a live check consists of. Its amounts add up to that of `salesOf`. */
export function refundsOf(check: Json, order: Json, restaurant: NaiveRestaurant): DatedRefund[] {
  const timeOf = refundTimes(check, order, restaurant);
  const named = ({ refund, amount }: { refund: Json; amount: bigint }, item?: Json): DatedRefund => {
    const { date, hour } = timeOf(refund);
    return { date, hour, amount, ...(item ? { item } : {}) };
  };
  if (isItemised(check)) {
    const sold = notVoided(check).filter(isSold);
    const charges = list(check.appliedServiceCharges).filter((charge) => isSalesCharge(charge) && ownRefund(charge));
    return [
      ...sold.flatMap((item) => carriedParts(item).map((part) => named(part, item))),
      ...charges.map((charge) => named({ refund: charge.refundDetails, amount: ownRefund(charge) })),
    ];
  }
  const { gross, discount } = salesOf(check);
  const paid = list(check.payments)
    .filter(({ refund }) => cents(refund?.refundAmount) !== 0n)
    .map(({ refund }) => named({ refund, amount: cents(refund.refundAmount) }))
    .sort((a, b) => Number(a.date) - Number(b.date));
  const sales = gross > discount ? gross - discount : 0n;
  let excess = add(paid.map(({ amount }) => amount)) - sales;
  for (const part of paid.toReversed()) {
    if (excess <= 0n || part.amount <= 0n) continue;
    const cut = part.amount < excess ? part.amount : excess;
    part.amount -= cut;
    excess -= cut;
  }
  return paid.filter(({ amount }) => amount !== 0n);
}

/** Live checks of an order: not voided, of a counted order. */
export const liveChecks = (order: Json): Json[] =>
  isGone(order) || order.excessFood || order.voided
    ? []
    : list(order.checks).filter((check) => !check.deleted && !check.voided);
