/** The laws of payouts and guest payments, against a naive model and among the four reports. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { type PaymentCase, paymentCases, settlementsOf } from './arbitrary-payments.ts';
import { type Engine, inTurns, newRestaurant, openEngine, put, type Report, reportsOf } from './engine.ts';
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

const naiveOf = ({ timeZone, closeoutHour }: PaymentCase): NaiveRestaurant => ({
  guid: '',
  name: 'Bistro',
  timeZone,
  closeoutHour,
  overtimeMultiplier: 1.5,
  diningOptions: {},
  revenueCenters: {},
  employees: {},
  jobs: {},
});

/** Every captured payment and its refund in one settlement each, with its fee and what was withheld. */
function wholeSettlements(payments: NaivePayment[], delays: readonly number[]): Json[] {
  const byDate = new Map<number, Json[]>();
  const add = (index: number, transaction: Json): void => {
    const settledDate = 20260301 + (((delays[index % delays.length] ?? 0) + index) % 28);
    byDate.set(settledDate, [...(byDate.get(settledDate) ?? []), transaction]);
  };
  for (const [index, one] of payments.filter(({ captured }) => captured).entries()) {
    const sums = { feeAmount: Number(one.fee) / 100, withholdingAmount: Number(one.withheld) / 100 };
    // A settlement has no payment of nothing: such a one has its fee on its refund.
    const isPaid = one.total > 0n;
    const paid = { kind: 'PAYMENT', paymentGuid: one.guid, amount: Number(one.total) / 100, ...sums };
    const refund = { kind: 'REFUND', paymentGuid: one.guid, amount: Number(one.refund) / 100, ...(isPaid ? {} : sums) };
    if (isPaid) add(2 * index, paid);
    if (one.refund > 0n) add(2 * index + 1, refund);
  }
  return [...byDate].map(([settledDate, transactions]) => ({
    guid: `5e700000-0000-4000-8000-0000${settledDate}`,
    settledDate,
    transactions,
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

  async function prepare(round: PaymentCase[]): Promise<Prepared[]> {
    const prepared = round.map((one) => {
      const naive = naiveOf(one);
      return { naive, payments: naivePayments(one.orders, naive), settlements: settlementsOf(one) };
    });
    const restaurants = await inTurns([...round.entries()], async ([index, one]) => {
      const { naive, payments, settlements } = prepared[index] as Omit<Prepared, 'report' | 'settled'>;
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
    return prepared.map((one, index) => ({
      ...one,
      report: reports[2 * index] as Report,
      settled: reports[2 * index + 1] as Report,
    }));
  }

  checkLaws(paymentCases, prepare, {
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
