/** Payments and refunds of a check. */
import { MINUTE_MS } from '../contract/time.ts';
import { stamp } from './clock.ts';
import type { Random } from './random.ts';
import type { SourcePayment, SourceSelection } from './shapes.ts';

interface Payable {
  /** Total and gratuity, which the payments cover. */
  dueCents: number;
  /** Before tax; the base of tips. */
  amountCents: number;
  /** The refunded one is marked here. */
  selections: SourceSelection[];
  /** Milliseconds since 1970 UTC. */
  paidAt: number;
  settled: 'OPEN' | 'PAID' | 'CLOSED';
  voided: boolean;
  /** Milliseconds since 1970 UTC: nothing is refunded after it. */
  now: number;
  /** Whether all that was paid is given back. */
  refunded: boolean;
}

/** The payments of a check, and when it was closed and last modified (milliseconds since 1970 UTC). */
export interface Paid {
  payments: SourcePayment[];
  closedAt: number;
  modifiedAt: number;
}

const centsOf = (amount: number): number => Math.round(amount * 100);

function payment(random: Random, type: SourcePayment['type'], cents: number, paidAt: number): SourcePayment {
  const guid = random.guid();
  return {
    guid,
    type,
    ...cardOf(guid, type, cents),
    amount: cents / 100,
    tipAmount: 0,
    paidDate: stamp(paidAt),
    refundStatus: 'NONE',
    refund: null,
    paymentStatus: type === 'CREDIT' ? 'CAPTURED' : null,
  };
}

const BRANDS = ['VISA', 'VISA', 'VISA', 'VISA', 'MASTERCARD', 'MASTERCARD', 'AMEX', 'DISCOVER'] as const;

/** The card of a payment, derived from the payment's GUID. The processor keeps 2.49 % and 0.15. */
function cardOf(guid: string, type: SourcePayment['type'], cents: number) {
  if (type !== 'CREDIT') return { cardType: null, cardClass: null, originalProcessingFee: null };
  const digit = Number.parseInt(guid.slice(-1), 16);
  return {
    cardType: BRANDS[digit % BRANDS.length] ?? 'VISA',
    cardClass: digit < 12 ? ('CREDIT' as const) : ('DEBIT' as const),
    originalProcessingFee: (Math.round(cents * 0.0249) + 15) / 100,
  };
}

/**
 * Refunds one item with its tax, or an amount that belongs to no item: all of the payment, if everything is refunded.
 */
function refund(random: Random, paid: SourcePayment, { selections, refunded }: Payable, at: number): void {
  const paidCents = centsOf(paid.amount);
  const item = random.pick(selections);
  const itemCents = centsOf(item.price) + centsOf(item.tax);
  const tipRefundAmount = random.chance(0.2) ? paid.tipAmount : 0;
  let cents = refunded ? paidCents : Math.min(500, paidCents);
  if (!refunded && random.chance(0.6) && !item.voided && !item.deferred && itemCents > 0 && itemCents <= paidCents) {
    item.refundDetails = { refundAmount: item.price, taxRefundAmount: item.tax };
    cents = itemCents;
  }
  paid.refund = { refundAmount: cents / 100, tipRefundAmount, refundDate: stamp(at) };
  paid.refundStatus = cents === paidCents ? 'FULL' : 'PARTIAL';
}

/**
 * Pays a check. An open or voided one has no payments; those of a paid one are authorised and lack their tip. Marks
 * the selection that is refunded.
 */
export function pay(random: Random, check: Payable): Paid {
  const { dueCents, paidAt, settled } = check;
  const closedAt = paidAt + random.whole(30, 600) * 1000;
  if (settled === 'OPEN' || check.voided || dueCents === 0) return { payments: [], closedAt, modifiedAt: closedAt };

  const type = random.weighted([
    [78, 'CREDIT'],
    [15, 'CASH'],
    [3, 'GIFTCARD'],
    [4, 'OTHER'],
  ] as const);
  const firstCents = random.chance(0.05) ? Math.ceil(dueCents / 2) : dueCents;
  const first = payment(random, type, firstCents, paidAt);
  const payments = [first];
  if (firstCents < dueCents) payments.push(payment(random, 'CREDIT', dueCents - firstCents, paidAt + 1000));
  if (random.chance(0.006)) {
    // First charged to the wrong card.
    payments.unshift({ ...payment(random, 'CREDIT', dueCents, paidAt - 5000), paymentStatus: 'VOIDED' });
  }
  if (settled === 'PAID') {
    if (first.paymentStatus) Object.assign(first, { paymentStatus: 'AUTHORIZED', originalProcessingFee: null });
    return { payments, closedAt, modifiedAt: paidAt };
  }
  if (type === 'CREDIT' && random.chance(0.8)) {
    first.tipAmount = Math.round((check.amountCents * random.pick([10, 15, 18, 20, 22])) / 100) / 100;
  }
  if (!random.chance(0.012) && !check.refunded) return { payments, closedAt, modifiedAt: closedAt };
  const refundedAt = closedAt + random.whole(20, 120) * MINUTE_MS;
  if (refundedAt > check.now) return { payments, closedAt, modifiedAt: closedAt };
  refund(random, first, check, refundedAt);
  return { payments, closedAt, modifiedAt: refundedAt };
}
