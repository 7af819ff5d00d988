/** The laws of payouts and guest payments, against a naive model and among the four reports. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import fc from 'fast-check';
import { type Engine, forEach, newRestaurant, openEngine, put, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json, NaiveRestaurant } from './naive.ts';
import {
  type NaivePayment,
  naiveGuests,
  naivePayments,
  naivePayouts,
  naiveRows,
  naiveSalesDates,
} from './naive-payouts.ts';

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
  type: fc.constantFrom('CREDIT', 'CREDIT', 'CREDIT', 'CASH', 'GIFTCARD', null),
  paymentStatus: fc.constantFrom(null, 'CAPTURED', 'CAPTURED', 'AUTHORIZED', 'VOIDED', 'DENIED', 'ERROR'),
  paidDate: maybe(instant, 8),
  paidBusinessDate: maybe(date, 2),
  cardType: fc.constantFrom('VISA', 'AMEX', 'JCB', '', null),
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
const cases = fc.record({
  timeZone: fc.constantFrom('America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'UTC'),
  closeoutHour: fc.integer({ min: 0, max: 12 }),
  orders: fc.array(order, { maxLength: 4 }),
  settlements: fc.array(settlement, { maxLength: 3 }),
  /** Days after its payment on which each payment and refund is settled, for the law of sums. */
  delays: fc.array(fc.nat(3), { minLength: 32, maxLength: 32 }),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

const naiveOf = ({ timeZone, closeoutHour }: Case): NaiveRestaurant => ({
  ...{ guid: '', name: 'Bistro', timeZone, closeoutHour, overtimeMultiplier: 1.5 },
  ...{ diningOptions: {}, revenueCenters: {}, employees: {}, jobs: {} },
});

/** The settlements of a case, with the payments that they name. */
function settlementsOf({ orders, settlements }: Case): Json[] {
  const guids = orders.flatMap(({ checks }) => checks.flatMap(({ payments }) => payments.map(({ guid }) => guid)));
  return settlements.map(({ transactions, ...one }) => ({
    ...one,
    transactions: transactions.map(({ of, ...rest }) => ({ ...rest, paymentGuid: guids[of] ?? null })),
  }));
}

/** Every captured payment and its refund in one settlement each, with its fee and what was withheld. */
function wholeSettlements(payments: NaivePayment[], delays: readonly number[]): Json[] {
  const byDate = new Map<number, Json[]>();
  const add = (place: number, transaction: Json): void => {
    const settledDate = 20260301 + (((delays[place % delays.length] ?? 0) + place) % 28);
    byDate.set(settledDate, [...(byDate.get(settledDate) ?? []), transaction]);
  };
  for (const [place, one] of payments.filter(({ captured }) => captured).entries()) {
    const sums = { feeAmount: Number(one.fee) / 100, withholdingAmount: Number(one.withheld) / 100 };
    // A settlement has no payment of nothing: such a one has its fee on its refund.
    const isPaid = one.total > 0n;
    const paid = { kind: 'PAYMENT', paymentGuid: one.guid, amount: Number(one.total) / 100, ...sums };
    const refund = { kind: 'REFUND', paymentGuid: one.guid, amount: Number(one.refund) / 100, ...(isPaid ? {} : sums) };
    if (isPaid) add(2 * place, paid);
    if (one.refund > 0n) add(2 * place + 1, refund);
  }
  return [...byDate].map(([settledDate, transactions]) => ({
    ...{ guid: `5e700000-0000-4000-8000-0000${settledDate}`, settledDate, transactions },
  }));
}

const AMOUNTS = ['paymentAmount', 'refundAmount', 'totalFeeAmount', 'withholdingAmount', 'payoutAmount'] as const;
const cents = (value: number): number => Math.round(value * 100);
const total = (rows: Json[], field: string): number => rows.reduce((sum, row) => sum + cents(row[field]), 0);
const plain = (rows: Json[]): Json[] =>
  rows.map(
    ({ restaurantGuid: _, restaurantName: __, restaurantLocationName: ___, restaurantLocationCode: ____, ...row }) =>
      row,
  );

interface Prepared {
  naive: NaiveRestaurant;
  payments: NaivePayment[];
  settlements: Json[];
  report: Report;
  /** Of the same orders, all of them settled. */
  settled: Report;
}

describe('the laws of payouts', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  async function prepare(round: Case[]): Promise<Prepared[]> {
    const prepared = round.map((one) => {
      const naive = naiveOf(one);
      return { naive, payments: naivePayments(one.orders, naive), settlements: settlementsOf(one) };
    });
    const restaurants = await forEach([...round.entries()], async ([place, one]) => {
      const { naive, payments, settlements } = prepared[place] as Omit<Prepared, 'report' | 'settled'>;
      const [some, all] = [newRestaurant(naive), newRestaurant(naive)];
      // Settlements before and after the orders that they name, small loads and one after another.
      await put(engine, some, 'settlements', settlements.slice(0, 1));
      for (const half of [one.orders.slice(0, 2), one.orders.slice(2)]) await put(engine, some, 'orders', half);
      await put(engine, some, 'settlements', settlements);
      await put(engine, all, 'orders', one.orders);
      await put(engine, all, 'settlements', wholeSettlements(payments, one.delays));
      return [some, all];
    });
    const reports = reportsOf(engine, restaurants.flat());
    return prepared.map((one, place) => ({
      ...one,
      report: reports[2 * place] as Report,
      settled: reports[2 * place + 1] as Report,
    }));
  }

  checkLaws(cases, prepare, {
    'payments by sales date are what the orders and settlements say': async (
      _one,
      { payments, settlements, report },
    ) => {
      const rows = await report({ kind: 'payout-sales-date' });
      assert.deepEqual(plain(rows), naiveSalesDates(payments, settlements));
    },
    'payments one by one are what the orders and settlements say': async (_one, { payments, settlements, report }) => {
      const rows = await report({ kind: 'payout-payments' });
      assert.deepEqual(plain(rows), naiveRows(payments, settlements));
    },
    'guest payments are the card payments, each on one date': async (_one, { payments, report }) => {
      const rows = await report({ kind: 'guest-payments' });
      assert.deepEqual(plain(rows), naiveGuests(payments));
    },
    'payouts by settled date are what the settlements say': async (_one, { naive, payments, settlements, report }) => {
      const rows = await report({ kind: 'payout' });
      assert.deepEqual(plain(rows), naivePayouts(payments, settlements, naive));
    },
    'the payout is payments less refunds, fees and withholdings, and the parts of a payment add up': async (
      _one,
      { report },
    ) => {
      for (const kind of ['payout', 'payout-sales-date']) {
        for (const row of await report({ kind })) {
          const [paid = 0, refund = 0, fee = 0, withheld = 0, payout = 0] = AMOUNTS.map((field) => cents(row[field]));
          assert.equal(payout, paid - refund - fee - withheld);
        }
      }
      for (const row of await report({ kind: 'payout-payments' })) {
        const parts = cents(row.paymentSubtotal) + cents(row.tipAmount) + cents(row.gratuityAmount);
        assert.equal(parts, cents(row.paymentTotal));
      }
    },
    'payments of a sales date add up to its row': async (_one, { report, payments }) => {
      const dateOf = new Map(payments.map(({ guid, salesDate }) => [guid, salesDate]));
      const rows = await report({ kind: 'payout-payments' });
      for (const { salesDate, paymentAmount, transactionCount } of await report({ kind: 'payout-sales-date' })) {
        const own = rows.filter(({ paymentGuid }) => dateOf.get(paymentGuid) === salesDate);
        assert.deepEqual([total(own, 'paymentTotal'), own.length], [cents(paymentAmount), transactionCount]);
      }
    },
    'where all is settled, settled dates and sales dates add up to the same': async (_one, { payments, settled }) => {
      // A settlement has amounts over 0 alone: payments below it cannot be in one.
      if (payments.some(({ total: paid, refund }) => paid < 0n || refund < 0n || (paid === 0n && refund === 0n)))
        return;
      const [payouts, dates] = [await settled({ kind: 'payout' }), await settled({ kind: 'payout-sales-date' })];
      for (const field of AMOUNTS) assert.equal(total(payouts, field), total(dates, field), field);
    },
    'guest payments have every payment of payouts, and else those that are not captured': async (
      _one,
      { payments, report },
    ) => {
      const guests = (await report({ kind: 'guest-payments' })).map(({ paymentGuid }) => paymentGuid);
      const paid = (await report({ kind: 'payout-payments' })).map(({ paymentGuid }) => paymentGuid);
      const rest = guests.filter((guid) => !paid.includes(guid));
      const uncaptured = payments.filter(({ captured }) => !captured).map(({ guid }) => guid);
      assert.deepEqual(
        paid.filter((guid) => !guests.includes(guid)),
        [],
      );
      assert.deepEqual(rest.sort(), uncaptured.sort());
    },
  });
});
