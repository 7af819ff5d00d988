/**
 * The laws of refunds (docs/metrics.md#refunds): what one check says was refunded, against the rule record by record.
 */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import { orderFacts } from '../../packages/service/src/ingest/order.ts';
import { checkLaws } from './laws.ts';
import { isItemised, isSalesCharge, isSold, type Json, list, notVoided, salesOf } from './naive.ts';
import { add, cents } from './naive-decimal.ts';

const PLACE = { timeZone: 'America/New_York', closeoutHour: 4 };

const rarely = fc.integer({ min: 0, max: 4 }).map((n) => n === 0);
const price = fc.integer({ min: 0, max: 5000 });
/** How much of what was paid for a part was refunded, in percent, and what is said of its tax. */
const refunded = fc.option(fc.record({ percent: fc.constantFrom(0, 0, 50, 100), tax: fc.constantFrom(null, 0, 0.8) }), {
  freq: 1,
});
const detailsOf = (paid: number, one: { percent: number; tax: number | null } | null): Json =>
  one && { refundAmount: Math.floor((paid * one.percent) / 100) / 100, taxRefundAmount: one.tax };

/** A modifier is a part of the price above it; the cents of each depth are halved. */
const modifierOf = (above: number, depth: number): fc.Arbitrary<Json> =>
  fc.record({ voided: rarely, refunded, below: depth < 3 ? fc.boolean() : fc.constant(false) }).chain((drawn) => {
    const own = Math.floor(above / 2);
    const below = drawn.below ? modifierOf(own, depth + 1).map((one) => [one]) : fc.constant([]);
    return below.map((modifiers) => ({
      preDiscountPrice: own / 100,
      price: own / 100,
      voided: drawn.voided,
      modifiers,
      refundDetails: detailsOf(own, drawn.refunded),
    }));
  });

const selection: fc.Arbitrary<Json> = fc
  .record({
    price,
    voided: rarely,
    deferred: rarely,
    refunded,
    selectionType: fc.constantFrom(null, 'NONE', 'TOAST_CARD_SELL', 'toast-card-reload', 'HOUSE_ACCOUNT_PAY_BALANCE'),
    off: fc.nat(100),
    hasModifiers: fc.boolean(),
  })
  .chain(({ price: whole, off, hasModifiers, refunded: of, ...rest }) => {
    const discount = Math.floor((whole * off) / 100);
    const left = whole - discount;
    const modifiers = hasModifiers ? fc.array(modifierOf(left, 1), { maxLength: 2 }) : fc.constant([]);
    return modifiers.map((below) => ({
      ...rest,
      preDiscountPrice: whole / 100,
      price: left / 100,
      modifiers: below,
      appliedDiscounts: [{ discountAmount: discount / 100 }],
      refundDetails: detailsOf(left, of),
    }));
  });

const charge: fc.Arbitrary<Json> = fc
  .record({
    amount: price,
    gratuity: rarely,
    refunded,
    serviceChargeCategory: fc.constantFrom(null, 'SERVICE_CHARGE', 'FUNDRAISING_CAMPAIGN', 'Cash Rounding'),
  })
  .map(({ amount, refunded: of, ...rest }) => ({
    ...rest,
    chargeAmount: amount / 100,
    refundDetails: detailsOf(amount, of),
  }));

const payment: fc.Arbitrary<Json> = fc.record({
  amount: price.map((amount) => amount / 100),
  refund: fc.option(fc.record({ refundAmount: price.map((amount) => amount / 100) })),
});

const NOTHING = null;
/** Of half of the checks no part names its refund, so that the payments decide. */
const withoutNames = (holders: Json[]): Json[] =>
  holders.map((holder) => ({
    ...holder,
    refundDetails: NOTHING,
    ...(holder.modifiers ? { modifiers: withoutNames(holder.modifiers) } : {}),
  }));

const checks: fc.Arbitrary<Json> = fc
  .record({
    selections: fc.array(selection, { maxLength: 4 }),
    appliedServiceCharges: fc.array(charge, { maxLength: 3 }),
    payments: fc.array(payment, { maxLength: 3 }),
    named: fc.boolean(),
  })
  .map(({ named, selections, appliedServiceCharges, payments }) => ({
    guid: '0a000000-0000-4000-8000-000000000002',
    payments,
    selections: named ? selections : withoutNames(selections),
    appliedServiceCharges: named ? appliedServiceCharges : withoutNames(appliedServiceCharges),
  }));

interface Read {
  gross: bigint;
  discount: bigint;
  refund: bigint;
  /** Of the items of menu reports, without their modifiers. */
  ofItems: bigint;
  paidBack: bigint;
}

function read(check: Json): Read {
  const order = { guid: '0a000000-0000-4000-8000-000000000001', openedDate: '2026-03-10T17:05:00Z', checks: [check] };
  const facts = orderFacts(order, 0, PLACE);
  assert.ok('order' in facts, JSON.stringify(facts));
  const items = facts.lines.filter(({ modifier }) => !modifier);
  return {
    gross: BigInt(facts.order.gross_cents),
    discount: BigInt(facts.order.discount_cents),
    refund: BigInt(facts.order.refund_cents),
    ofItems: add(items.map((line) => BigInt(line.refund_cents))),
    paidBack: BigInt(facts.checks[0]?.refund_cents ?? 0),
  };
}

describe('the laws of refunds', () => {
  checkLaws(checks, async (round) => round.map(read), {
    'gross, discount and refund are what the rule makes of the check, and gross is net, discount and refund': (
      check,
      { gross, discount, refund },
    ) => {
      const expected = salesOf(check);
      assert.deepEqual({ gross, discount, refund, net: gross - discount - refund }, expected);
    },
    'no refund makes net sales negative': (_check, { gross, discount, refund }) => {
      assert.ok(gross >= discount);
      assert.ok(gross - discount - refund >= 0n);
    },
    'refunds of what is not sold, of gratuities and of tax change nothing once anything is itemised': (
      check,
      { refund },
    ) => {
      if (!isItemised(check)) return;
      const sold = notVoided(check).filter(isSold);
      const tax = { refundDetails: { refundAmount: 0, taxRefundAmount: 1 } };
      const alone = {
        ...check,
        payments: [],
        selections: [...sold, tax],
        appliedServiceCharges: list(check.appliedServiceCharges).filter(isSalesCharge),
      };
      assert.equal(read(alone).refund, refund);
    },
    'the refund of items in menu reports is that of the check, less that of its charges': (
      check,
      { refund, ofItems },
    ) => {
      const charges = list(check.appliedServiceCharges).filter(isSalesCharge);
      const ofCharges = add(charges.map(({ refundDetails }) => cents(refundDetails?.refundAmount)));
      assert.equal(ofItems, isItemised(check) ? refund - ofCharges : 0n);
    },
    'refunds that no part names count up to the sales, and all of them remain in the check': (
      check,
      { gross, discount, refund, paidBack },
    ) => {
      const paid = add(list(check.payments).map(({ refund: of }) => cents(of?.refundAmount)));
      assert.equal(paidBack, paid);
      if (!isItemised(check)) assert.equal(refund, paid < gross - discount ? paid : gross - discount);
    },
  });
});
