/** Source orders and time entries as a POS might send them, odd ones included. */
import fc from 'fast-check';
import type { Json, NaiveRestaurant } from './naive.ts';

/** A rare truth: most things are not voided. */
const rarely = fc.integer({ min: 0, max: 5 }).map((n) => (n === 0 ? true : n === 1 ? null : false));
/** Amounts as POS exports write them, some with more decimals than cents, some negative, some missing. */
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20_000 }).map((n) => n / 100) },
  { weight: 1, arbitrary: fc.integer({ min: -5000, max: 20_000_000 }).map((n) => n / 1000) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, 0, 1.005, -1.005, 0.285, 2.675, 1e-7) },
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 3 });
const state = fc.constantFrom(null, 'APPLIED', 'VOID', 'PENDING_VOID', 'PENDING_APPLIED');

const discount = fc.record({ discountAmount: amount, nonTaxDiscountAmount: maybe(amount), processingState: state });
const refundDetails = maybe(fc.record({ refundAmount: amount }));
const selection = fc.record({
  guid: fc.uuid(),
  quantity: fc.integer({ min: 1, max: 3 }),
  preDiscountPrice: amount,
  price: amount,
  voided: rarely,
  deferred: rarely,
  selectionType: fc.constantFrom(null, 'NONE', 'TOAST_CARD_SELL', 'HOUSE_ACCOUNT_PAY_BALANCE'),
  appliedDiscounts: fc.array(discount, { maxLength: 2 }),
  refundDetails,
  modifiers: fc.constant([{ guid: 'm', price: 5, preDiscountPrice: 5 }]),
});
const charge = fc.record({
  chargeAmount: amount,
  gratuity: rarely,
  serviceChargeCategory: fc.constantFrom(null, 'SERVICE_CHARGE', 'FUNDRAISING_CAMPAIGN'),
  refundDetails,
});
const payment = fc.record({
  guid: fc.uuid(),
  amount,
  tipAmount: amount,
  paymentStatus: fc.constantFrom(null, 'CAPTURED', 'VOIDED', 'DENIED', 'OPEN'),
  refund: maybe(fc.record({ refundAmount: amount, tipRefundAmount: amount })),
});

/** Around the spring and autumn clock changes of 2026 in America, and over two weeks of March. */
const instant = fc
  .oneof(
    fc.integer({ min: Date.UTC(2026, 2, 6), max: Date.UTC(2026, 2, 12) }),
    fc.integer({ min: Date.UTC(2026, 9, 31), max: Date.UTC(2026, 10, 3) }),
  )
  .chain((at) => fc.constantFrom(new Date(at).toISOString(), new Date(at).toISOString().replace('Z', '+0000')));

const check = fc.record({
  guid: fc.uuid(),
  displayNumber: fc.oneof(fc.integer({ min: 0, max: 999 }).map(String), fc.constantFrom('A7', null)),
  paidDate: maybe(instant),
  modifiedDate: maybe(instant),
  voided: rarely,
  deleted: rarely,
  taxAmount: amount,
  totalAmount: amount,
  paymentStatus: fc.constantFrom('OPEN', 'PAID', 'CLOSED', 'CLOSED'),
  selections: fc.array(selection, { maxLength: 4 }),
  appliedDiscounts: fc.array(discount, { maxLength: 2 }),
  appliedServiceCharges: fc.array(charge, { maxLength: 2 }),
  payments: fc.array(payment, { maxLength: 2 }),
});

/** GUIDs from a small set: versions of one order arrive in any order, with dates that move. */
const fewGuids = fc.integer({ min: 1, max: 6 }).map((n) => `0a000000-0000-4000-8000-00000000000${n}`);
const reference = fc.constantFrom(
  null,
  { guid: 'k1' },
  { guid: 'K2' },
  { guid: 'nameless' },
  { guid: 'k1', name: 'Inline' },
  {},
);

export const order: fc.Arbitrary<Json> = fc.record({
  guid: fewGuids,
  openedDate: instant,
  modifiedDate: maybe(instant),
  businessDate: maybe(fc.constantFrom(20260307, '20260308', '2026-03-09', 20261101)),
  numberOfGuests: maybe(fc.integer({ min: 0, max: 12 })),
  voided: rarely,
  deleted: rarely,
  excessFood: rarely,
  source: fc.constantFrom(null, '', 'In Store', 'Order-and-Pay-at-Table', 'online', 'Online'),
  displayNumber: fc.constantFrom('1', '17', 'T-1', null),
  diningOption: reference,
  revenueCenter: reference,
  server: fc.constantFrom(
    null,
    { guid: 'k1' },
    { guid: 'k9', firstName: 'Ada', lastName: 'Byron' },
    { firstName: 'Cher' },
  ),
  checks: fc.array(check, { maxLength: 3 }),
});

export const entry: fc.Arbitrary<Json> = fc.record({
  guid: fewGuids,
  jobReference: fc.constantFrom(null, { guid: 'cook' }, { guid: 'manager' }, { guid: 'trainee' }, { guid: 'unknown' }),
  inDate: instant,
  outDate: maybe(instant),
  modifiedDate: maybe(instant),
  businessDate: maybe(fc.constantFrom('20260307', '20260308')),
  regularHours: fc.constantFrom(0, 8, 7.25, 3.333, 0.01, 5.999999),
  overtimeHours: fc.constantFrom(null, 0, 1.5, 0.333333),
  hourlyWage: fc.constantFrom(null, 15, 17.35, 21.005),
  regularPay: fc.constantFrom(null, null, 120.55),
  overtimePay: fc.constantFrom(null, null, 30.01),
  deleted: rarely,
});

export const restaurant: fc.Arbitrary<NaiveRestaurant> = fc.record({
  guid: fc.constant('b1500000-0000-4000-8000-000000000001'),
  name: fc.constant('Bistro'),
  timeZone: fc.constantFrom('America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC', 'America/St_Johns'),
  closeoutHour: fc.integer({ min: 0, max: 12 }),
  overtimeMultiplier: fc.constantFrom(1, 1.5, 2, 1.3333),
  diningOptions: fc.constant({ k1: 'Dine In', k2: 'Élan' }),
  revenueCenters: fc.constant({ k1: 'bar', k2: 'Zoo' }),
  employees: fc.constant({ k1: 'Grace Hopper' }),
  jobs: fc.constant({
    cook: { wageFrequency: 'HOURLY', excludeFromReporting: false },
    manager: { wageFrequency: 'SALARY', excludeFromReporting: false },
    trainee: { wageFrequency: null, excludeFromReporting: true },
  }),
});
