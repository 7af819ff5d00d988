import assert from 'node:assert/strict';
import test from 'node:test';
import { type OrderFacts, orderFacts } from './order.ts';

const BISTRO = { timeZone: 'America/New_York', closeoutHour: 4 };
const guid = (number: number): string => `0a000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
/** Sold at 12:30 on 15 January. */
const order = { guid: guid(1), openedDate: '2026-01-15T17:30:00Z', diningOption: { guid: 'd', name: 'Bar' } };
const burger = { displayName: 'Burger', preDiscountPrice: 10, price: 10 };
/**
 * What is read of a check: the refund on the date of its order, in its sales and items, and the rows of other times.
 */
function read(check: object, place: object = {}) {
  const source = { ...order, checks: [{ guid: guid(2), displayNumber: '31', selections: [burger], ...check }] };
  const facts = orderFacts(source, 0, { ...BISTRO, ...place });
  assert.ok('order' in facts, JSON.stringify(facts));
  const { refund_cents } = facts.order;
  assert.equal(facts.checks[0]?.sales_refund_cents, refund_cents);
  return { refund: refund_cents, items: facts.lines.map((line) => line.refund_cents), rows: facts.refunds.map(shown) };
}
const shown = ({ business_date, business_hour, item_name, refund_cents }: OrderFacts['refunds'][number]) => [
  ...[business_date, business_hour, item_name, refund_cents],
];
const paidBack = (refundAmount: number, more: object = {}) => ({ refund: { refundAmount, ...more } });
const details = (refundAmount: number, transaction?: string) => ({
  refundDetails: { refundAmount, ...(transaction ? { refundTransaction: { guid: transaction } } : {}) },
});

test('a refund of a payment counts on its business date, else on that of its time by the closeout hour, else with the order', () => {
  const at = (more: object) => {
    const { refund, rows } = read({ payments: [paidBack(4, more)] });
    return [refund, ...rows];
  };

  assert.deepEqual(at({}), [400]);
  assert.deepEqual(at({ refundBusinessDate: 20260117 }), [0, [20260117, 12, null, 400]]);
  assert.deepEqual(at({ refundBusinessDate: '2026-01-17', refundDate: '2026-01-16T15:00:00Z' }), [
    ...[0, [20260117, 10, null, 400]],
  ]);
  assert.deepEqual(at({ refundDate: '2026-01-17T02:30:00Z' }), [0, [20260116, 21, null, 400]]);
  assert.deepEqual(at({ refundDate: '2026-01-17T08:30:00Z' }), [0, [20260116, 3, null, 400]]);
  assert.deepEqual(at({ refundDate: '2026-01-17T09:30:00Z' }), [0, [20260117, 4, null, 400]]);
  // What is no date is missing, as of a payment.
  for (const refundBusinessDate of [0, '', 'x', 20260231]) assert.deepEqual(at({ refundBusinessDate }), [400]);
});

test('a refund in another hour of the date of its order is moved there', () => {
  const { refund, rows } = read({ payments: [paidBack(4, { refundDate: '2026-01-15T23:10:00Z' })] });

  assert.deepEqual([refund, ...rows], [400, [20260115, 12, null, -400], [20260115, 18, null, 400]]);
  assert.deepEqual(read({ payments: [paidBack(4, { refundDate: '2026-01-15T17:59:00Z' })] }).rows, []);
});

test('an itemised refund has the time of the payment refund of its transaction, otherwise of the latest of its check', () => {
  const payments = [
    paidBack(6, { refundBusinessDate: 20260118, refundTransaction: { guid: 'T-1' } }),
    paidBack(4, { refundBusinessDate: 20260116, refundTransaction: { guid: 't-2' } }),
  ];
  const dates = (...selections: object[]) => {
    const { refund, items, rows } = read({ payments, selections });
    return [refund, items.join(), ...rows.map(([date, , name, cents]) => [date, name, cents])];
  };

  assert.deepEqual(dates({ ...burger, ...details(4, 'T-2') }), [
    ...[0, '0', [20260116, 'Burger', 400], [20260116, null, 400]],
  ]);
  assert.deepEqual(dates({ ...burger, ...details(6, 't-1') }, { ...burger, ...details(4, 't-2') }), [
    ...[0, '0', [20260118, 'Burger', 600], [20260116, 'Burger', 400], [20260118, null, 600], [20260116, null, 400]],
  ]);
  for (const transaction of [undefined, 'another'])
    assert.deepEqual(dates({ ...burger, ...details(4, transaction) }), [
      ...[0, '0', [20260118, 'Burger', 400], [20260118, null, 400]],
    ]);
  const later = (refundDate: string) => paidBack(5, { refundDate });
  const hours = ['2026-01-16T15:00:00Z', '2026-01-16T19:00:00Z', '2026-01-16T17:00:00Z', '2026-01-15T20:00:00Z'];
  assert.deepEqual(read({ payments: hours.map(later), selections: [{ ...burger, ...details(4) }] }).rows, [
    [20260116, 14, 'Burger', 400],
    [20260116, 14, null, 400],
  ]);
  const charge = { chargeAmount: 3, ...details(3, 't-2') };
  assert.deepEqual(read({ payments, appliedServiceCharges: [charge] }).rows, [[20260116, 12, null, 300]]);
  assert.deepEqual(read({ selections: [{ ...burger, ...details(4) }] }), { refund: 400, items: [400], rows: [] });
});

test('a refunded modifier has a row of its own in menu reports, and counts once in the sales', () => {
  const cheese = { displayName: 'Cheese', preDiscountPrice: 2, price: 2, ...details(2) };
  const payments = [paidBack(2, { refundBusinessDate: 20260116 })];

  assert.deepEqual(read({ payments, selections: [{ ...burger, modifiers: [cheese] }] }), {
    refund: 0,
    items: [0, 0],
    rows: [
      [20260116, 12, 'Burger', 200],
      [20260116, 12, 'Cheese', 200],
      [20260116, 12, null, 200],
    ],
  });
});

test('refunds of payments count up to the sales, those of the earliest date first', () => {
  const payments = [
    paidBack(7, { refundBusinessDate: 20260118 }),
    paidBack(5, { refundBusinessDate: 20260116 }),
    paidBack(1, { refundBusinessDate: 20260116 }),
  ];

  assert.deepEqual(read({ payments }).rows, [
    [20260116, 12, null, 600],
    [20260118, 12, null, 400],
  ]);
  assert.deepEqual(read({ payments: [...payments, paidBack(9)] }), {
    refund: 900,
    items: [0],
    rows: [[20260116, 12, null, 100]],
  });
});

test('with refunds on the date of their order, nothing is on another date or hour', () => {
  const place = { refundsOn: 'order' };
  const payments = [paidBack(4, { refundBusinessDate: 20260118, refundDate: '2026-01-18T20:00:00Z' })];

  assert.deepEqual(read({ payments }, place), { refund: 400, items: [0], rows: [] });
  assert.deepEqual(read({ payments, selections: [{ ...burger, ...details(4) }] }, place), {
    refund: 400,
    items: [400],
    rows: [],
  });
});

test('what is not counted has no refunds on any date', () => {
  const refunded = { payments: [paidBack(4, { refundBusinessDate: 20260118 })] };

  assert.deepEqual(read({ ...refunded, voided: true }), { refund: 0, items: [0], rows: [] });
  const facts = orderFacts({ ...order, voided: true, checks: [{ guid: guid(2), ...refunded }] }, 0, BISTRO);
  assert.ok('order' in facts);
  assert.deepEqual([facts.order.refund_cents, facts.refunds], [0, []]);
});

test('the time of a refund is refused where its type or its form is wrong', () => {
  const refused = (more: object) => {
    const checks = [{ guid: guid(2), payments: [paidBack(1, more)] }];
    const facts = orderFacts({ ...order, checks }, 0, BISTRO);
    return 'pointer' in facts ? facts.pointer : undefined;
  };

  assert.equal(refused({ refundDate: '15 January' }), '/checks/0/payments/0/refund/refundDate');
  assert.equal(refused({ refundBusinessDate: {} }), '/checks/0/payments/0/refund/refundBusinessDate');
  assert.equal(refused({ refundTransaction: 'x' }), '/checks/0/payments/0/refund/refundTransaction');
  assert.equal(refused({ refundTransaction: { guid: 1 } }), '/checks/0/payments/0/refund/refundTransaction/guid');
});
