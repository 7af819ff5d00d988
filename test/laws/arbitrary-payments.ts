/** Orders with card payments, and settlements of them, as a POS and a processor might send them. */
import fc from 'fast-check';
import type { Json } from './naive.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 2, 1);
const rarely = fc.integer({ min: 0, max: 7 }).map((n) => n === 0);
const amount = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 20_000 }).map((n) => n / 100) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0.005, 1.005, -3.5, 2.675, 19_999_999.99) },
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 3): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq });
/** Over four weeks, with both hours at which clocks are changed in New York. */
const instant = fc
  .oneof(
    fc.integer({ min: FIRST, max: FIRST + 28 * DAY }),
    fc.integer({ min: Date.UTC(2026, 2, 8, 5), max: Date.UTC(2026, 2, 8, 9) }),
  )
  .map((at) => new Date(at).toISOString());
const date = fc.integer({ min: 0, max: 27 }).map((day) => 20260301 + day);

const payment = fc.record({
  guid: fc.uuid(),
  type: fc.constantFrom('CREDIT', 'CREDIT', 'CREDIT', 'Credit', 'CASH', 'GIFTCARD', null),
  paymentStatus: fc.constantFrom(null, 'CAPTURED', 'CAPTURED', 'AUTHORIZED', 'VOIDED', 'DENIED', 'ERROR', 'captured'),
  voidInfo: fc.constantFrom(
    ...[null, null, null, null, {}, { voidDate: '2026-03-08T07:00:00.000Z' }, { voidBusinessDate: 20260308 }],
  ),
  paidDate: maybe(instant, 8),
  paidBusinessDate: maybe(date, 2),
  cardType: fc.constantFrom('VISA', 'Visa', 'AMEX', 'JCB', '', null),
  cardClass: fc.constantFrom('CREDIT', 'DEBIT', 'OTHER', null),
  amount,
  tipAmount: maybe(amount),
  gratuityAmount: fc.option(amount, { freq: 1 }).map((given) => given),
  originalProcessingFee: maybe(amount),
  mcaRepaymentAmount: fc.option(amount, { freq: 1 }),
  refund: maybe(fc.record({ refundAmount: maybe(amount), tipRefundAmount: maybe(amount) }), 2),
});
const charge = fc.record({ chargeAmount: amount, gratuity: fc.boolean() });
const check = fc.record({
  guid: fc.uuid(),
  deleted: rarely,
  voided: rarely,
  appliedServiceCharges: fc.array(charge, { maxLength: 2 }),
  payments: fc.array(payment, { maxLength: 4 }),
});
const order = fc.record({
  guid: fc.uuid(),
  openedDate: instant,
  modifiedDate: instant,
  deleted: rarely,
  excessFood: rarely,
  createdInTestMode: rarely,
  approvalStatus: fc.constantFrom(null, null, null, null, 'APPROVED', 'NOT_APPROVED'),
  voided: rarely,
  checks: fc.array(check, { maxLength: 2 }),
});
const positive = fc.integer({ min: 1, max: 50_000 }).map((n) => n / 100);
/** `of` picks the payment that it names; none, or one that is not loaded, by chance. */
const transaction = fc.record({
  kind: fc.constantFrom('PAYMENT', 'PAYMENT', 'REFUND'),
  of: fc.nat(9),
  amount: positive,
  feeAmount: maybe(amount),
  withholdingAmount: maybe(amount, 1),
  paidDateTime: maybe(instant, 1),
});
const settlement = fc.record({
  guid: fc.uuid(),
  settledDate: date,
  modifiedDate: instant,
  deleted: rarely,
  status: fc.constantFrom(null, 'SENT', 'CAPTURED', 'NONE'),
  transactions: fc.array(transaction, { maxLength: 4 }),
  adjustments: fc.array(fc.record({ name: fc.string(), amount }), { maxLength: 1 }),
  transactionCount: fc.option(fc.nat(20), { freq: 1 }),
});
export const paymentCases = fc.record({
  timeZone: fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'UTC'),
  closeoutHour: fc.integer({ min: 0, max: 12 }),
  orders: fc.array(order, { maxLength: 4 }),
  settlements: fc.array(settlement, { maxLength: 3 }),
  /** Days after its payment on which each payment and refund is settled, for the law of sums. */
  delays: fc.array(fc.nat(3), { minLength: 32, maxLength: 32 }),
});
export type PaymentCase = typeof paymentCases extends fc.Arbitrary<infer T> ? T : never;

/** The settlements of a case, with the payments that they name. */
export function settlementsOf({ orders, settlements }: PaymentCase): Json[] {
  const guids = orders.flatMap(({ checks }) => checks.flatMap(({ payments }) => payments.map(({ guid }) => guid)));
  return settlements.map(({ transactions, ...one }) => ({
    ...one,
    transactions: transactions.map(({ of, ...rest }) => ({ ...rest, paymentGuid: guids[of] ?? null })),
  }));
}
