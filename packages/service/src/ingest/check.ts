/** The sums of one source check: docs/metrics.md#sales-metrics and docs/metrics.md#check-records. */
import type { OrderFact, OrderPart, OrderStatus, PartFacts } from '../facts/order.ts';
import { createPaymentReader, type PaymentPlace, type PaymentReader } from './card-payment.ts';
import { readDiscounts } from './discount.ts';
import { createLineReader, type LineReader, type NamedLine } from './line.ts';
import {
  type CheckRefunds,
  itemRefunds,
  noRefunds,
  ownRefund,
  type RefundedPart,
  refundedParts,
  transactionOf,
} from './refund.ts';
import { createRefundReader, type RefundReader } from './refund-time.ts';
import {
  cents,
  checkNumber,
  flag,
  instant,
  listedWord,
  listOf,
  maybeDate,
  maybeObject,
  objectAt,
  type Source,
  sum,
  word,
} from './source.ts';

/** The sums of one check, in cents. */
interface CheckSums {
  gross: number;
  /** Price of voided items: of voided selections, or of all of them if the check or order is voided. */
  voided: number;
  hasVoid: boolean;
  /** Discounts that count, on the check and its sold selections. */
  soldDiscount: number;
  /** Discounts that count, on the check and its selections that are not voided. */
  checkDiscount: number;
  hasDiscount: boolean;
  /** The parts of which the refund of its sales consists, if it is live. */
  refunded: readonly RefundedPart[];
  /** Refunds of its payments. */
  paymentRefund: number;
  gratuity: number;
  tip: number;
}

/** The rows of each part, as they are read. */
export type ReadParts = Omit<PartFacts, 'lines'> & { lines: NamedLine };

/** The rows of the parts that are read from checks, besides the checks themselves. */
type PartRows = { [Part in Exclude<OrderPart, 'checks'>]: ReadParts[Part][] };

/** Readers of the other parts of a check, besides its sums. */
export interface PartReaders {
  lines: LineReader;
  payments: PaymentReader;
  refunds: RefundReader;
}

/** Readers for the checks of an order. */
export const openParts = (order: OrderFact, place: PaymentPlace): PartReaders => ({
  lines: createLineReader(order.seq),
  payments: createPaymentReader(order.seq, order.opened_at, place),
  refunds: createRefundReader(order, place),
});

/** The rows that the readers made from the checks of an order. */
export const partRows = ({ lines, payments, refunds }: PartReaders, status: OrderStatus): PartRows => ({
  lines: lines.lines,
  // Payments of a waste order count nowhere.
  card_payments: status === 'excluded' ? [] : payments.payments,
  refunds: refunds.rows,
});

/**
 * Sums one check. `at` is its pointer; `allVoided` says that the check or its order, and so every item, is voided.
 * The readers must have begun the check, and get its selections and payments.
 */
export function readCheckSums(check: Source, at: string, allVoided: boolean, parts: PartReaders): CheckSums {
  const sums: CheckSums = {
    gross: 0,
    voided: 0,
    hasVoid: false,
    soldDiscount: 0,
    checkDiscount: 0,
    hasDiscount: false,
    refunded: [],
    paymentRefund: 0,
    gratuity: 0,
    tip: 0,
  };
  const refunds = noRefunds();
  const discount = readDiscounts(check.appliedDiscounts, at);
  if (discount !== undefined) {
    sums.hasDiscount = true;
    sums.soldDiscount = discount;
    sums.checkDiscount = discount;
  }
  const selections = listOf(check.selections, at, 'selections');
  for (let i = 0; i < selections.length; i++)
    readSelection(selections[i], `${at}/selections/${i}`, allVoided, { sums, refunds, lines: parts.lines });
  parts.lines.spread(discount ?? 0, at);
  const charges = listOf(check.appliedServiceCharges, at, 'appliedServiceCharges');
  for (let i = 0; i < charges.length; i++) readCharge(charges[i], `${at}/appliedServiceCharges/${i}`, sums, refunds);
  const payments = listOf(check.payments, at, 'payments');
  for (let i = 0; i < payments.length; i++) readPayment(payments[i], `${at}/payments/${i}`, { sums, refunds, parts });
  parts.payments.spread(sums.gratuity);
  const paid = parts.refunds.byDate(refunds.paid);
  sums.refunded = refundedParts({ ...refunds, paid }, sums.gross - sums.soldDiscount);
  for (const { line, part } of parts.lines.refunded) parts.refunds.line(line, part);
  return sums;
}

const NOT_SALES = new Set(['TOAST_CARD_SELL', 'TOAST_CARD_RELOAD', 'HOUSE_ACCOUNT_PAY_BALANCE']);

/** What the objects of a check are read into. */
interface CheckReading {
  sums: CheckSums;
  refunds: CheckRefunds;
}

function readSelection(
  value: unknown,
  at: string,
  allVoided: boolean,
  { sums, refunds, lines }: CheckReading & { lines: LineReader },
): void {
  const source = objectAt(value, at);
  const voided = flag(source.voided, at, 'voided');
  const deferred = flag(source.deferred, at, 'deferred');
  const price = cents(source.price, at, 'price');
  const preDiscount = cents(source.preDiscountPrice, at, 'preDiscountPrice');
  const type = listedWord(source.selectionType, at, 'selectionType');
  const discount = readDiscounts(source.appliedDiscounts, at);
  word(source.guid, at, 'guid');
  checkNumber(source.tax, at, 'tax');
  const sells = !deferred && (type === null || !NOT_SALES.has(type));
  const refunded = itemRefunds(source, at, sells && !voided, refunds);
  lines.selection({ source, at, voided, sells, price, preDiscount, discount: discount ?? 0, refunded });
  if (voided) sums.hasVoid = true;
  if (voided || allVoided) sums.voided = sum(sums.voided, price, at);
  if (voided) return;
  if (discount !== undefined) {
    sums.hasDiscount = true;
    sums.checkDiscount = sum(sums.checkDiscount, discount, at);
    if (sells) sums.soldDiscount = sum(sums.soldDiscount, discount, at);
  }
  if (sells) sums.gross = sum(sums.gross, preDiscount, at);
}

/** Charges that are passed on, or only round what is paid in cash: they are in no sales, but in the check's total. */
const NOT_SALES_CHARGES = new Set(['FUNDRAISING_CAMPAIGN', 'CASH_ROUNDING']);

function readCharge(value: unknown, at: string, sums: CheckSums, refunds: CheckRefunds): void {
  const charge = objectAt(value, at);
  const amount = cents(charge.chargeAmount, at, 'chargeAmount');
  const category = listedWord(charge.serviceChargeCategory, at, 'serviceChargeCategory');
  const refunded = ownRefund(charge, at, refunds);
  if (flag(charge.gratuity, at, 'gratuity')) {
    sums.gratuity = sum(sums.gratuity, amount, at);
  } else if (category === null || !NOT_SALES_CHARGES.has(category)) {
    sums.gross = sum(sums.gross, amount, at);
    if (refunded) refunds.sold.push(refunded);
  }
}

/** States in which a payment, and so its tip, is not valid. */
export const FALLEN = new Set(['VOIDED', 'CANCELLED', 'DENIED', 'ERROR', 'ERROR_NETWORK']);

function readPayment(
  value: unknown,
  at: string,
  { sums, refunds, parts }: CheckReading & { parts: PartReaders },
): void {
  const source = objectAt(value, at);
  const status = listedWord(source.paymentStatus, at, 'paymentStatus');
  word(source.guid, at, 'guid');
  const type = listedWord(source.type, at, 'type');
  word(source.refundStatus, at, 'refundStatus');
  const paidAt = instant(source.paidDate, at, 'paidDate');
  const tip = cents(source.tipAmount, at, 'tipAmount');
  const refund = maybeObject(source.refund, at, 'refund');
  const refunded = refund ? cents(refund.refundAmount, `${at}/refund`, 'refundAmount') : 0;
  const tipRefunded = refund ? cents(refund.tipRefundAmount, `${at}/refund`, 'tipRefundAmount') : 0;
  const isValid = !isVoided(source, at) && (status === null || !FALLEN.has(status));
  parts.payments.payment({ source, at, status, type, isValid, paidAt, tip, refunded: refunded + tipRefunded });
  sums.paymentRefund = sum(sums.paymentRefund, refunded, at);
  if (refund) {
    const part = { amount: refunded, refund, transaction: transactionOf(refund, `${at}/refund`) };
    parts.refunds.payment(part, `${at}/refund`);
    if (refunded !== 0) refunds.paid.push(part);
  }
  if (isValid) sums.tip = sum(sums.tip, tip - tipRefunded, at);
}

/** Whether a payment says when it was voided, whatever its status. */
function isVoided(payment: Source, at: string): boolean {
  const info = maybeObject(payment.voidInfo, at, 'voidInfo');
  if (!info) return false;
  const date = maybeDate(info.voidBusinessDate, `${at}/voidInfo`, 'voidBusinessDate');
  return instant(info.voidDate, `${at}/voidInfo`, 'voidDate') !== undefined || date !== undefined;
}
