import assert from 'node:assert/strict';
import test from 'node:test';
import type { CardPaymentFact } from '../facts/card-payment.ts';
import { fingerprintOf } from './card-payment.ts';
import { orderFacts } from './order.ts';

const BISTRO = { timeZone: 'America/New_York', closeoutHour: 4 };
const KEY = new Uint8Array(32).fill(7);
const guid = (number: number): string => `0a000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const order = { guid: guid(1), openedDate: '2026-03-10T15:58:10.400+0000' };
/** 40.00 and a tip of 8.00 at 12:31:05 in New York. */
const visa = {
  guid: guid(5).toUpperCase(),
  type: 'CREDIT',
  cardType: 'VISA',
  paymentStatus: 'CAPTURED',
  paidDate: '2026-03-10T16:31:05.999Z',
  amount: 40,
  tipAmount: 8,
  originalProcessingFee: 1.39,
};
const gratuity = { chargeAmount: 6, gratuity: true };

const read = (changes: object, check: object, place = {}) =>
  orderFacts({ ...order, checks: [{ guid: guid(2), ...check }], ...changes }, 7, { ...BISTRO, ...place });
function paymentsOf(check: object, changes: object = {}, place: object = {}): CardPaymentFact[] {
  const facts = read(changes, check, place);
  assert.ok('order' in facts, JSON.stringify(facts));
  return facts.card_payments;
}

test('a card payment is its amounts, its date, its local times and its card’s brand and type', () => {
  const [fact, ...more] = paymentsOf({ payments: [{ ...visa, refund: { refundAmount: 5, tipRefundAmount: 1 } }] });

  assert.deepEqual(more, []);
  assert.deepEqual(fact, {
    seq: 7,
    check_guid: guid(2),
    payment_guid: guid(5),
    sales_date: 20260310,
    captured: true,
    opened_local: Date.UTC(2026, 2, 10, 11, 58, 10),
    paid_at: Date.UTC(2026, 2, 10, 16, 31, 5, 999),
    paid_local: Date.UTC(2026, 2, 10, 12, 31, 5),
    card_brand: 'Visa',
    card_type: 'UNSPECIFIED CARD',
    total_cents: 4800,
    tip_cents: 800,
    gratuity_cents: 0,
    refund_cents: 600,
    fee_cents: 139,
    withheld_cents: 0,
    fingerprint: null,
  });
});

test('only payments by card that were paid and neither voided nor denied are card payments', () => {
  const kinds = [
    ...[{ type: 'CASH' }, { type: undefined }, { paidDate: undefined }, { paymentStatus: 'VOIDED' }],
    ...[{ paymentStatus: 'DENIED' }, { paymentStatus: 'AUTHORIZED' }, { paymentStatus: undefined }],
    ...[{ voidInfo: { voidDate: '2026-03-10T17:00:00Z' }, paymentStatus: undefined }, { voidInfo: {} }],
    ...[{ voidInfo: { voidDate: '2026-03-10T17:00:00Z' } }, { type: 'credit' }, { type: ' Credit ' }],
    ...[{ paymentStatus: 'voided' }, { paymentStatus: 'Authorized' }, { paymentStatus: 'captured' }],
    ...[{ voidInfo: { voidBusinessDate: 20260310 } }, { voidInfo: { voidDate: null, voidBusinessDate: 0 } }],
  ];
  const facts = paymentsOf({
    payments: kinds.map((changes, index) => ({ ...visa, guid: guid(10 + index), ...changes })),
  });

  assert.deepEqual(
    facts.map(({ payment_guid, captured }) => [payment_guid, captured]),
    [
      [guid(15), false],
      [guid(16), true],
      [guid(18), true],
      [guid(20), true],
      [guid(21), true],
      [guid(23), false],
      [guid(24), true],
      [guid(26), true],
    ],
  );
});

test('payments of deleted checks, deleted orders, waste, training and refused orders do not count; those of voided checks and orders do', () => {
  const check = { payments: [visa] };
  const counts = [
    paymentsOf({ ...check, deleted: true }),
    paymentsOf(check, { deleted: true }),
    paymentsOf(check, { excessFood: true }),
    paymentsOf(check, { createdInTestMode: true }),
    paymentsOf(check, { approvalStatus: 'NOT_APPROVED' }),
    paymentsOf({ ...check, voided: true }),
    paymentsOf(check, { voided: true }),
  ].map(({ length }) => length);

  assert.deepEqual(counts, [0, 0, 0, 0, 0, 1, 1]);
});

test('the sales date is that of the payment, by the closeout hour where the source gives none that can be read', () => {
  const dates = [
    {},
    { paidDate: '2026-03-11T07:59:59Z' },
    { paidDate: '2026-03-11T08:00:00Z' },
    { paidBusinessDate: 20260309 },
    { paidBusinessDate: '2026-03-08' },
    { paidBusinessDate: 'yesterday' },
  ].map((changes) => paymentsOf({ payments: [{ ...visa, ...changes }] })[0]?.sales_date);

  assert.deepEqual(dates, [20260310, 20260310, 20260311, 20260309, 20260308, 20260310]);
});

test('gratuity charges are spread by amount over the valid payments, cash too, except those that have their own', () => {
  const shares = (...payments: object[]) =>
    paymentsOf({
      appliedServiceCharges: [gratuity],
      payments: payments.map((changes) => ({ ...visa, ...changes })),
    }).map(({ gratuity_cents }) => gratuity_cents);

  assert.deepEqual(shares({ amount: 46 }, { amount: 20 }), [418, 182]);
  assert.deepEqual(shares({ amount: 46 }, { amount: 20, type: 'CASH' }), [418]);
  assert.deepEqual(shares({ amount: 46 }, { amount: 20, paymentStatus: 'VOIDED' }), [600]);
  assert.deepEqual(shares({ amount: 30, gratuityAmount: 1 }, { amount: 30 }), [100, 300]);
  assert.deepEqual(shares({ amount: 10 }, { amount: -10 }), [600, 0]);
  assert.deepEqual(shares({ amount: 0 }, { amount: undefined }), [0, 0]);
  assert.deepEqual(shares({ amount: 1 }, { amount: 1 }, { amount: 1 }), [200, 200, 200]);
});

test('a payment without a UUID has one of its check and its place', () => {
  const guids = () =>
    paymentsOf({ payments: [visa, { ...visa, guid: undefined }, { ...visa, guid: 'p3' }] }).map(
      ({ payment_guid }) => payment_guid,
    );

  assert.deepEqual(guids(), guids());
  assert.equal(new Set(guids()).size, 3);
  for (const made of guids().slice(1)) assert.match(made, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/);
});

test('brands are written as payout reports have them, and unknown ones as they came', () => {
  const brands = ['VISA', 'MASTERCARD', 'amex', 'DISCOVER', 'JCB', 'n'.repeat(600), '', undefined].map(
    (cardType) => paymentsOf({ payments: [{ ...visa, cardType }] })[0]?.card_brand,
  );
  const types = ['CREDIT', 'debit', 'PREPAID', undefined].map(
    (cardClass) => paymentsOf({ payments: [{ ...visa, cardClass }] })[0]?.card_type,
  );

  assert.deepEqual(brands, ['Visa', 'Mastercard', 'AMEX', 'Discover', 'JCB', 'n'.repeat(500), null, null]);
  assert.deepEqual(types, ['Credit', 'Debit', 'UNSPECIFIED CARD', 'UNSPECIFIED CARD']);
});

test('what was ignored before is rejected for its type alone', () => {
  const [odd] = paymentsOf({
    payments: [{ ...visa, amount: 1e300, originalProcessingFee: -1e12, mcaRepaymentAmount: null }],
  });
  assert.deepEqual([odd?.total_cents, odd?.fee_cents, odd?.withheld_cents], [800, 0, 0]);

  const properties = [
    ...['amount', 'originalProcessingFee', 'mcaRepaymentAmount', 'gratuityAmount'].map(
      (name) => [name, '1.00'] as const,
    ),
    ...['cardType', 'cardClass'].map((name) => [name, 1] as const),
    ['paidBusinessDate', true] as const,
  ];
  for (const [name, value] of properties) {
    const facts = read({}, { payments: [{ type: 'CASH', [name]: value }] });
    assert.ok('pointer' in facts, name);
    assert.equal(facts.pointer, `/checks/0/payments/0/${name}`);
  }
});

test('fingerprints are made of a card’s id by the key of the group, and nothing of a card is read without the key', () => {
  const ofCard = (changes: object, fingerprintKey?: Uint8Array) =>
    paymentsOf({ payments: [{ ...visa, ...changes }] }, {}, { fingerprintKey })[0]?.fingerprint;
  const fingerprint = 'C1B2A3D4-0000-4000-8000-00000000000F';
  const made = fingerprintOf('card-1', KEY);

  // hmac.new(bytes([7] * 32), b"card-1", "sha256") of Python, with the version 8 and the variant of RFC 9562.
  assert.equal(made, 'af49d2db-a285-826b-a437-9faf44b8e81d');
  assert.equal(ofCard({ cardPaymentId: 'card-1' }, KEY), made);
  assert.notEqual(ofCard({ cardPaymentId: 'card-1' }, new Uint8Array(32)), made);
  assert.equal(ofCard({ cardPaymentId: 'card-1', cardFingerprint: fingerprint }, KEY), fingerprint.toLowerCase());
  assert.equal(ofCard({ cardFingerprint: 'visa-1111', cardPaymentId: '' }, KEY), null);
  assert.equal(ofCard({ last4Digits: '1111' }, KEY), null);
  assert.equal(ofCard({ cardPaymentId: 'card-1', cardFingerprint: fingerprint }), null);
  assert.equal(ofCard({ cardPaymentId: 17 }), null);
  assert.ok('pointer' in read({}, { payments: [{ ...visa, cardPaymentId: 17 }] }, { fingerprintKey: KEY }));
});
