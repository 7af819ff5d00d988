import assert from 'node:assert/strict';
import test from 'node:test';
import type { CheckFact, OrderFact } from '../facts/order.ts';
import { orderFacts } from './order.ts';
import type { Rejected } from './source.ts';

const BISTRO = { timeZone: 'America/New_York', closeoutHour: 4 };
const guid = (number: number): string => `0a000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** One closed check of a burger for 10.00 that costs 9.00 after its discount, in an order of two guests. */
const burger = { preDiscountPrice: 10, price: 9, appliedDiscounts: [{ discountAmount: 1 }] };
const check = { guid: guid(2), paymentStatus: 'CLOSED', selections: [burger], totalAmount: 9.8, taxAmount: 0.8 };
const order = { guid: guid(1), openedDate: '2026-01-15T17:30:00.000+0000', numberOfGuests: 2, checks: [check] };

function factsOf(source: object): { order: OrderFact; checks: CheckFact[] } {
  const facts = orderFacts(source, 0, BISTRO);
  assert.ok('order' in facts, JSON.stringify(facts));
  return facts;
}
/** The facts of an order whose one check differs from the one above. */
const withCheck = (changes: object) => factsOf({ ...order, checks: [{ ...check, ...changes }] });
const withSelection = (changes: object) => withCheck({ selections: [{ ...burger, ...changes }] });

/** What an order sold, in cents. */
const sales = ({ order: fact }: { order: OrderFact }) => ({
  gross: fact.gross_cents,
  discount: fact.discount_cents,
  refund: fact.refund_cents,
  void: fact.void_cents,
});
const SOLD = { gross: 1000, discount: 100, refund: 0, void: 0 };
const NOTHING = { gross: 0, discount: 0, refund: 0, void: 0 };

test('a plain order is its sums, its status and its place in time', () => {
  const { order: fact, checks } = factsOf({ ...order, modifiedDate: '2026-01-15T18:00:00Z', source: 'In Store' });

  assert.deepEqual(sales({ order: fact }), SOLD);
  assert.deepEqual(
    [fact.status, fact.open, fact.has_void, fact.has_discount, fact.guests, fact.source],
    ['counted', false, false, true, 2, 'IN_STORE'],
  );
  assert.deepEqual([fact.business_date, fact.business_hour], [20260115, 12]);
  assert.equal(fact.modified_at, Date.UTC(2026, 0, 15, 18));
  assert.deepEqual([checks.length, checks[0]?.total_cents, checks[0]?.tax_cents], [1, 980, 80]);
});

test('a void takes its price out of sales and into voids, at each of its three levels', () => {
  const coke = { preDiscountPrice: 3, price: 3 };
  const second = { ...check, guid: guid(3), selections: [coke] };
  const voided = { selections: [{ ...burger, voided: true }, coke] };

  const item = withCheck(voided);
  const whole = factsOf({ ...order, checks: [{ ...check, voided: true }, second] });
  const all = factsOf({ ...order, checks: [check, second], voided: true });

  assert.deepEqual(sales(item), { gross: 300, discount: 0, refund: 0, void: 900 });
  assert.deepEqual(sales(whole), { gross: 300, discount: 0, refund: 0, void: 900 });
  assert.deepEqual(sales(all), { ...NOTHING, void: 1200 });
  for (const facts of [item, whole, all]) assert.equal(facts.order.has_void, true);
  assert.deepEqual(
    [item, whole, all].map((facts) => [facts.order.status, facts.order.guests, facts.checks[0]?.voided]),
    [
      ['counted', 2, false],
      ['counted', 2, true],
      ['voided', 0, true],
    ],
  );
});

test('a voided check without items, and a voided order without checks, are voids too', () => {
  assert.equal(withCheck({ voided: true, selections: [] }).order.has_void, true);
  assert.equal(factsOf({ ...order, checks: [], voided: true }).order.has_void, true);
  assert.equal(factsOf({ ...order, checks: null }).order.has_void, false);
});

test('deleted orders, waste, orders of training and refused ones are gone, with their voids; a deleted check is as if it were not there', () => {
  for (const changes of [
    ...[{ deleted: true }, { excessFood: true }, { deleted: true, voided: true }],
    ...[{ createdInTestMode: true }, { createdInTestMode: true, voided: true }],
    ...[{ approvalStatus: 'NOT_APPROVED' }, { approvalStatus: 'not approved', voided: true }],
  ]) {
    const gone = factsOf({ ...order, ...changes });
    assert.deepEqual(sales(gone), NOTHING);
    assert.deepEqual([gone.order.status, gone.order.guests, gone.order.has_void], ['excluded', 0, false]);
    assert.deepEqual(gone.checks, []);
  }

  const left = withCheck({ deleted: true, voided: true, paymentStatus: 'OPEN' });

  assert.deepEqual(sales(left), NOTHING);
  assert.deepEqual(
    [left.order.status, left.order.has_void, left.order.open, left.checks],
    ['counted', false, false, []],
  );
});

test('what is deferred, a gift card or a house account is not sold, but its discount is one', () => {
  for (const changes of [
    { deferred: true },
    { selectionType: 'TOAST_CARD_SELL' },
    { selectionType: 'TOAST_CARD_RELOAD' },
    { selectionType: 'HOUSE_ACCOUNT_PAY_BALANCE' },
  ]) {
    const facts = withSelection({ ...changes, refundDetails: { refundAmount: 4 } });
    assert.deepEqual(sales(facts), NOTHING);
    assert.equal(facts.order.has_discount, true);
    assert.equal(facts.checks[0]?.discount_cents, 100);
  }
  assert.deepEqual(sales(withSelection({ selectionType: 'NONE' })), SOLD);
});

test('a service charge is gross, a gratuity is a tip of its own, and a fundraising charge or cash rounding is neither', () => {
  const appliedServiceCharges = [
    { chargeAmount: 2, gratuity: false },
    { chargeAmount: 5, gratuity: true },
    { chargeAmount: 1, serviceChargeCategory: 'FUNDRAISING_CAMPAIGN', refundDetails: { refundAmount: 1 } },
    { chargeAmount: 0.5, serviceChargeCategory: 'SERVICE_CHARGE' },
    { chargeAmount: -0.02, serviceChargeCategory: 'CASH_ROUNDING' },
  ];

  const facts = withCheck({ appliedServiceCharges });

  assert.deepEqual(sales(facts), { ...SOLD, gross: 1250 });
  assert.deepEqual([facts.checks[0]?.gratuity_cents, facts.checks[0]?.total_cents], [500, 1480]);
});

test('a discount counts unless it is voided, by its amount without tax where it has one', () => {
  const counted = (appliedDiscounts: object[]) => {
    const { order: fact } = withSelection({ appliedDiscounts });
    return [fact.discount_cents, fact.has_discount];
  };

  assert.deepEqual(counted([{ discountAmount: 1.1, nonTaxDiscountAmount: 1 }]), [100, true]);
  assert.deepEqual(counted([{ discountAmount: 1.1, nonTaxDiscountAmount: 0 }]), [0, true]);
  assert.deepEqual(counted([{ discountAmount: 1.1, nonTaxDiscountAmount: null }]), [110, true]);
  assert.deepEqual(counted([{ discountAmount: 1, processingState: 'VOID' }]), [0, false]);
  assert.deepEqual(counted([{ discountAmount: 1, processingState: 'PENDING_VOID' }, { discountAmount: 2 }]), [
    200,
    true,
  ]);
  assert.equal(withCheck({ appliedDiscounts: [{ discountAmount: 2 }] }).order.discount_cents, 300);
  assert.deepEqual(counted([{ discountAmount: 1, processingState: 'pending void' }]), [0, false]);
  assert.equal(withSelection({ voided: true }).order.has_discount, false);
});

test('refunds of items and charges are the refund; those of the payments only where nothing is itemised', () => {
  const payments = [{ amount: 9.8, refund: { refundAmount: 7, tipRefundAmount: 1 } }];
  const refunded = (changes: object) => withCheck({ payments, ...changes }).order.refund_cents;
  const refundDetails = { refundAmount: 4 };
  const items = (...selections: object[]) => refunded({ selections });
  const charged = (charge: object) =>
    refunded({ appliedServiceCharges: [{ chargeAmount: 4, refundDetails, ...charge }] });

  assert.equal(refunded({}), 700);
  assert.equal(items({ ...burger, refundDetails }), 400);
  assert.equal(charged({}), 400);
  assert.equal(items({ ...burger, refundDetails: { refundAmount: 0, taxRefundAmount: 0 } }), 700);
  // Nothing of these is in gross, so their refunds are not refunds of sales.
  for (const changes of [
    ...[{ voided: true }, { deferred: true }, { selectionType: 'TOAST_CARD_SELL' }],
    ...[{ selectionType: 'TOAST_CARD_RELOAD' }, { selectionType: 'house account pay balance' }],
  ])
    assert.equal(items(burger, { ...burger, ...changes, refundDetails }), 0);
  for (const charge of [{ gratuity: true }, { serviceChargeCategory: 'FUNDRAISING_CAMPAIGN' }])
    assert.equal(charged(charge), 0);
  assert.equal(charged({ serviceChargeCategory: 'CASH_ROUNDING' }), 0);
  assert.equal(items({ ...burger, refundDetails: { refundAmount: 0, taxRefundAmount: 0.8 } }), 0);
  assert.equal(charged({ refundDetails: { taxRefundAmount: 0.1 } }), 0);
});

test('a refunded modifier counts where its item carries no refund of its own, unless it is voided', () => {
  const payments = [{ refund: { refundAmount: 7 } }];
  const cheese = { preDiscountPrice: 2, price: 2, refundDetails: { refundAmount: 2 } };
  const read = (changes: object) => {
    const facts = orderFacts(
      { ...order, checks: [{ ...check, payments, selections: [{ ...burger, ...changes }] }] },
      0,
      BISTRO,
    );
    assert.ok('order' in facts);
    return [facts.order.refund_cents, ...facts.lines.map(({ refund_cents }) => refund_cents)];
  };

  assert.deepEqual(read({ modifiers: [cheese, cheese] }), [400, 400, 400]);
  assert.deepEqual(read({ modifiers: [{ modifiers: [cheese] }] }), [200, 200, 200]);
  assert.deepEqual(read({ modifiers: [{ ...cheese, modifiers: [cheese] }] }), [200, 200, 400]);
  assert.deepEqual(read({ refundDetails: { refundAmount: 5 }, modifiers: [cheese] }), [500, 500, 200]);
  assert.deepEqual(read({ modifiers: [{ ...cheese, voided: true }] }), [0, 0, 0]);
  assert.deepEqual(read({ voided: true, modifiers: [cheese] }), [0, 0, 0]);
  assert.deepEqual(read({ deferred: true, modifiers: [cheese] }), [0]);
});

test('refunds of payments count up to what the check sold; the check keeps all of them', () => {
  const refunds = (amounts: number[], changes: object = {}) => {
    const payments = amounts.map((refundAmount) => ({ refund: { refundAmount } }));
    const facts = withCheck({ payments, ...changes });
    return [facts.order.refund_cents, facts.checks[0]?.refund_cents];
  };

  assert.deepEqual(refunds([5, 3]), [800, 800]);
  assert.deepEqual(refunds([9.8]), [900, 980]);
  assert.deepEqual(refunds([5, 4.8]), [900, 980]);
  assert.deepEqual(refunds([9.8, 12]), [900, 2180]);
  assert.deepEqual(refunds([25], { selections: [{ ...burger, deferred: true }] }), [0, 2500]);
  assert.deepEqual(refunds([3], { selections: [] }), [0, 300]);
  assert.deepEqual(refunds([3], { selections: [], appliedDiscounts: [{ discountAmount: 1 }] }), [0, 300]);
});

test('a check is total plus gratuity plus valid tips less what was refunded', () => {
  const payments = [
    { tipAmount: 2, refund: { refundAmount: 3, tipRefundAmount: 0.5 }, paymentStatus: 'CAPTURED' },
    { tipAmount: 4, paymentStatus: 'VOIDED' },
    { tipAmount: 4, paymentStatus: 'ERROR_NETWORK', refund: { refundAmount: 1 } },
    { tipAmount: 4, paymentStatus: 'error network' },
    { tipAmount: 4, voidInfo: { voidDate: '2026-01-15T18:00:00Z' } },
  ];
  const appliedServiceCharges = [{ chargeAmount: 1, gratuity: true }];

  const [fact] = withCheck({ payments, appliedServiceCharges }).checks;

  assert.deepEqual(
    [fact?.tip_cents, fact?.gratuity_cents, fact?.refund_cents, fact?.total_cents],
    [150, 100, 400, 980 + 100 + 150 - 400],
  );
});

test('an approval that is no refusal, known or not, leaves an order as it is', () => {
  for (const approvalStatus of ['APPROVED', 'NEEDS_APPROVAL', 'FUTURE', 'UNHEARD_OF', '', null])
    assert.deepEqual(sales(factsOf({ ...order, approvalStatus, createdInTestMode: false })), SOLD);
});

test('a check status that is unknown counts as open and is noted, however the known ones are written', () => {
  const unknown: { pointer: string; message: string }[] = [];
  const statuses = ['closed', ' Paid ', 'PARTIALLY-PAID', 'VOIDED', '', 'OPEN'];
  const checks = statuses.map((paymentStatus, i) => ({ ...check, guid: guid(i + 2), paymentStatus }));

  const facts = orderFacts({ ...order, checks }, 0, BISTRO, unknown);

  assert.ok('order' in facts);
  assert.deepEqual(
    facts.checks.map(({ status }) => status),
    ['CLOSED', 'PAID', 'OPEN', 'OPEN', 'OPEN', 'OPEN'],
  );
  assert.deepEqual(unknown, [
    { pointer: '/checks/2/paymentStatus', message: 'paymentStatus PARTIALLY_PAID is unknown and counts as OPEN' },
    { pointer: '/checks/3/paymentStatus', message: 'paymentStatus VOIDED is unknown and counts as OPEN' },
  ]);
});

test('an order is open while a live check of it is not closed', () => {
  const open = (...checks: object[]) =>
    factsOf({ ...order, checks: checks.map((changes, i) => ({ ...check, guid: guid(i + 2), ...changes })) }).order.open;

  assert.equal(open({}, { paymentStatus: 'PAID' }), true);
  assert.equal(open({ paymentStatus: null }), true);
  assert.equal(open({}, { paymentStatus: 'OPEN', voided: true }), false);
  assert.equal(open({}, { paymentStatus: 'OPEN', deleted: true }), false);
  assert.equal(open(), false);
});

test('the business date is the given one, else that of the closeout rule; the hour is always that of the clock', () => {
  const placed = (changes: object) => {
    const { order: fact, checks } = factsOf({ ...order, openedDate: '2026-01-16T08:59:59.999Z', ...changes });
    assert.equal(checks[0]?.business_date, fact.business_date);
    return [fact.business_date, fact.business_hour];
  };

  assert.deepEqual(placed({}), [20260115, 3]);
  assert.deepEqual(placed({ openedDate: '2026-01-16T09:00:00Z' }), [20260116, 4]);
  for (const businessDate of [20260110, '20260110', '2026-01-10']) {
    assert.deepEqual(placed({ businessDate }), [20260110, 3]);
  }
  assert.deepEqual(
    placed({ openedDate: null, checks: [{ ...check, openedDate: '2026-01-16T17:00:00Z' }] }),
    [20260116, 12],
  );
});

test('display numbers are whole numbers or nothing', () => {
  const number = (displayNumber: unknown) => {
    const { checks } = factsOf({ ...order, displayNumber, checks: [{ ...check, displayNumber }] });
    assert.equal(checks[0]?.order_number, checks[0]?.check_number);
    return checks[0]?.order_number;
  };

  const read = ['17', '007', 17, 0, 'T-1', '', '1.5', 1.5, -1, '-1', null, undefined, '99999999999999999'].map(number);

  assert.deepEqual(read, [17, 7, 17, 0, null, null, null, null, null, null, null, null, null]);
});

test('names come with the order where it has them, references as lower case', () => {
  const server = { guid: 'S1', firstName: 'Ada', lastName: 'Byron' };
  const facts = factsOf({
    ...order,
    diningOption: { guid: 'D1', name: 'Dine In' },
    revenueCenter: { guid: 'R1' },
    server,
  });

  assert.deepEqual(
    [facts.order.dining_guid, facts.order.dining_name, facts.order.revenue_guid, facts.order.revenue_name],
    ['d1', 'Dine In', 'r1', null],
  );
  assert.deepEqual([facts.checks[0]?.server_guid, facts.checks[0]?.server_name], ['s1', 'Ada Byron']);
  const sources = ['Order-and-Pay-at-Table', ' online ', '', null].map(
    (source) => factsOf({ ...order, source }).order.source,
  );
  assert.deepEqual(sources, ['ORDER_AND_PAY_AT_TABLE', 'ONLINE', null, null]);
});

test('what cannot be read is rejected at its place', () => {
  const item = '/checks/0/selections/0';
  const rejected: [object, string][] = [
    [{ ...order, guid: 'one' }, '/guid'],
    [{ ...order, openedDate: null }, '/openedDate'],
    [{ ...order, openedDate: '2026-01-15' }, '/openedDate'],
    [{ ...order, modifiedDate: 5 }, '/modifiedDate'],
    [{ ...order, businessDate: '20260230' }, '/businessDate'],
    [{ ...order, numberOfGuests: 1.5 }, '/numberOfGuests'],
    [{ ...order, numberOfGuests: -1 }, '/numberOfGuests'],
    [{ ...order, voided: 'yes' }, '/voided'],
    [{ ...order, checks: {} }, '/checks'],
    [{ ...order, checks: [check, null] }, '/checks/1'],
    [{ ...order, checks: [check, check] }, '/checks/1/guid'],
    [{ ...order, checks: [{ ...check, paymentStatus: 1 }] }, '/checks/0/paymentStatus'],
    [{ ...order, createdInTestMode: 'no' }, '/createdInTestMode'],
    [{ ...order, approvalStatus: false }, '/approvalStatus'],
    [{ ...order, checks: [{ ...check, totalAmount: '9.80' }] }, '/checks/0/totalAmount'],
    [{ ...order, checks: [{ ...check, selections: [{ ...burger, price: 1e12 }] }] }, `${item}/price`],
    [{ ...order, checks: [{ ...check, selections: [{ refundDetails: [] }] }] }, `${item}/refundDetails`],
    [
      { ...order, checks: [{ ...check, selections: [{ appliedDiscounts: [{ discountAmount: true }] }] }] },
      `${item}/appliedDiscounts/0/discountAmount`,
    ],
    [
      { ...order, checks: [{ ...check, payments: [{ refund: { refundAmount: [] } }] }] },
      '/checks/0/payments/0/refund/refundAmount',
    ],
  ];

  for (const [source, pointer] of rejected) assert.equal((orderFacts(source, 0, BISTRO) as Rejected).pointer, pointer);
  assert.deepEqual(orderFacts([], 0, BISTRO), { pointer: '', message: 'must be an object', guid: null });
});
