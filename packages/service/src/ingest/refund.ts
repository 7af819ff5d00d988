/** The refunds of one check, and which of them are refunds of its sales: docs/metrics.md#refunds. */
import { cents, DEEPEST, flag, lenientCents, listOf, maybeObject, objectAt, type Source, sum, word } from './source.ts';

/** A part of a check that was refunded. */
export interface RefundedPart {
  /** In cents; never 0. */
  amount: number;
  /** The `refundDetails` of an item, a modifier or a charge, or the `refund` of a payment. */
  refund: Source;
  /** The GUID of its transaction, which a part and the payment that returned its money have in common. */
  transaction: string | null;
}

/** The refunds of one check, as they are read. */
export interface CheckRefunds {
  /** Whether anything on the check, sold or not, has `refundDetails` with an amount or a tax. */
  isItemised: boolean;
  /** Of the items, modifiers and charges that gross counts. */
  sold: RefundedPart[];
  /** Of the payments, valid or not, in the order of the payments. */
  paid: RefundedPart[];
}

export const NONE: readonly RefundedPart[] = [];

export const noRefunds = (): CheckRefunds => ({ isItemised: false, sold: [], paid: [] });

/** The sum of the parts, in cents. Throws a Rejection with `at` if it is too large to be exact. */
export const amountOf = (parts: readonly RefundedPart[], at: string): number =>
  parts.reduce((total, { amount }) => sum(total, amount, at), 0);

/**
 * The parts of which the refund of a live check consists; `sales` are its gross less its discounts, in cents. What is
 * itemised decides. Otherwise the payments do, up to the sales: what exceeds them, such as tax and tips, is cut from
 * the last ones. `paid` is in the order in which they count.
 */
export function refundedParts({ isItemised, sold, paid }: CheckRefunds, sales: number): readonly RefundedPart[] {
  if (isItemised) return sold;
  let excess = paid.reduce((total, { amount }) => total + amount, 0) - Math.max(0, sales);
  if (excess <= 0) return paid;
  const parts: RefundedPart[] = [];
  for (const part of paid.toReversed()) {
    const cut = Math.min(excess, Math.max(0, part.amount));
    excess -= cut;
    if (part.amount !== cut) parts.push({ ...part, amount: part.amount - cut });
  }
  return parts.reverse();
}

/** The GUID of the transaction of a refund; null if it is missing. */
export function transactionOf(refund: Source, at: string): string | null {
  const transaction = maybeObject(refund.refundTransaction, at, 'refundTransaction');
  return word(transaction?.guid, `${at}/refundTransaction`, 'guid')?.toLowerCase() || null;
}

/** The own `refundDetails` of an item, modifier or charge; undefined if their amount is 0. */
export function ownRefund(source: Source, at: string, refunds?: CheckRefunds): RefundedPart | undefined {
  const details = maybeObject(source.refundDetails, at, 'refundDetails');
  if (!details) return undefined;
  const amount = cents(details.refundAmount, `${at}/refundDetails`, 'refundAmount');
  const tax = lenientCents(details, `${at}/refundDetails`, 'taxRefundAmount') ?? 0;
  if (refunds && (amount !== 0 || tax !== 0)) refunds.isItemised = true;
  const transaction = transactionOf(details, `${at}/refundDetails`);
  return amount === 0 ? undefined : { amount, refund: details, transaction };
}

/**
 * The refunded parts of a selection, added to those of its check if it is `sold`: itself, otherwise those of its
 * modifiers.
 */
export function itemRefunds(source: Source, at: string, sold: boolean, refunds: CheckRefunds): readonly RefundedPart[] {
  const before = refunds.sold.length;
  readItem(source, at, { sold, depth: 0 }, refunds);
  return refunds.sold.length > before ? refunds.sold.slice(before) : NONE;
}

function readItem(source: Source, at: string, item: { sold: boolean; depth: number }, refunds: CheckRefunds): void {
  const own = ownRefund(source, at, refunds);
  if (own && item.sold) refunds.sold.push(own);
  if (item.depth === DEEPEST) return;
  const modifiers = listOf(source.modifiers, at, 'modifiers');
  // Those that do not count are read too: they may be all that is itemised.
  for (let i = 0; i < modifiers.length; i++) {
    const place = `${at}/modifiers/${i}`;
    const modifier = objectAt(modifiers[i], place);
    const sold = item.sold && !own && !flag(modifier.voided, place, 'voided');
    readItem(modifier, place, { sold, depth: item.depth + 1 }, refunds);
  }
}
