/** Source orders and time entries as a POS might send them, odd ones included. */
import fc from 'fast-check';
import type { Json, NaiveRestaurant } from './naive.ts';
import { instantOf } from './naive-clock.ts';

/** A rare truth: most things are not voided. */
const rarely = fc.integer({ min: 0, max: 5 }).map((n) => (n === 0 ? true : n === 1 ? null : false));
/** Amounts as POS exports write them, some with more decimals than cents, some negative, some missing. */
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20_000 }).map((n) => n / 100) },
  { weight: 1, arbitrary: fc.integer({ min: -5000, max: 20_000_000 }).map((n) => n / 1000) },
  { weight: 1, arbitrary: fc.constantFrom(null, undefined, 0, 1.005, -1.005, 0.285, 2.675, 1e-7, 999_999_999.995) },
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 3 });
const state = fc.constantFrom(null, 'APPLIED', 'VOID', 'PENDING_VOID', 'PENDING_APPLIED', 'pending void');
/** Even rarer: what a POS sends a few times a year. */
const seldom = fc.integer({ min: 0, max: 15 }).map((n) => (n === 0 ? true : n === 1 ? null : false));

const discount = fc.record({ discountAmount: amount, nonTaxDiscountAmount: maybe(amount), processingState: state });
const refundTransaction = fc.constantFrom(null, {}, { guid: 't1' }, { guid: 'T1' }, { guid: 't2' });
const refundDetails = fc.option(
  fc.record({ refundAmount: amount, taxRefundAmount: maybe(amount), refundTransaction }),
  {
    freq: 2,
  },
);
/** Items that are renamed, sold by weight, in several groups, or have no GUID, no name or neither. */
const sold = {
  guid: fc.uuid(),
  displayName: fc.constantFrom(
    'Burger',
    '\u00c4rger',
    'A\u0308rger',
    'burger',
    'burger\u00a0',
    'Open Item',
    '\u{1f354}',
    '\uffed',
    null,
  ),
  item: fc.constantFrom({ guid: 'i1' }, { guid: 'I1' }, { guid: 'i2' }, { guid: 'i3' }, {}, null),
  quantity: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom(null, 0.35, 1.0000005, -1, 1_000_001, 999_999.999999) },
  ),
  preDiscountPrice: amount,
  price: amount,
  voided: rarely,
  appliedDiscounts: fc.array(discount, { maxLength: 2 }),
  refundDetails,
};
const modifierType = fc.constantFrom(null, 'NONE', 'NONE', 'SPECIAL_REQUEST', 'Special Request', 'PORTION');
const { modifier } = fc.letrec((tie) => ({
  modifiers: fc.oneof(
    { maxDepth: 3 },
    { weight: 2, arbitrary: fc.constantFrom(null, []) },
    { weight: 1, arbitrary: fc.array(tie('modifier'), { minLength: 1, maxLength: 2 }) },
  ),
  modifier: fc.record({ ...sold, selectionType: modifierType, modifiers: tie('modifiers') }),
}));
const selection = fc.record({
  ...sold,
  deferred: rarely,
  selectionType: fc.constantFrom(null, 'NONE', 'TOAST_CARD_SELL', 'HOUSE_ACCOUNT_PAY_BALANCE', 'SPECIAL_REQUEST'),
  itemGroup: fc.constantFrom(
    ...[{ guid: 'g1' }, { guid: 'G2' }, { guid: 'g2', name: 'Sides' }, { guid: 'g9', name: 'Carried' }],
    ...[{ guid: 'g9', name: 'Other' }, { guid: 'g8' }, { name: 'No GUID' }, null],
  ),
  menu: fc.constantFrom(
    ...[null, null, { guid: 'm1', name: 'Day' }, { guid: 'm9', name: 'Late' }, { guid: 'm9' }, { name: 'No GUID' }],
    { guid: 'm9', name: 'Later' },
  ),
  modifiers: fc.array(modifier, { maxLength: 2 }),
});
const charge = fc.record({
  chargeAmount: amount,
  gratuity: rarely,
  serviceChargeCategory: fc.constantFrom(
    null,
    'SERVICE_CHARGE',
    'FUNDRAISING_CAMPAIGN',
    'CASH_ROUNDING',
    'cash-rounding',
  ),
  refundDetails,
});
/**
 * Restaurants beside clock changes: hours that are missing or twice there, at 2:00, at midnight, by 30 minutes or by
 * two hours.
 */
const PLACES = [
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['America/St_Johns', '2026-03-08T05:30Z'],
  ['America/St_Johns', '2026-11-01T04:30Z'],
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['Antarctica/Troll', '2026-03-29T01:00Z'],
  ['Antarctica/Troll', '2026-10-25T01:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Pacific/Chatham', '2026-04-04T14:00Z'],
  ['Pacific/Chatham', '2026-09-26T14:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00Z'],
  ['Africa/Cairo', '2026-10-29T21:00Z'],
  ['Asia/Kathmandu', '2026-03-08T18:15Z'],
  ['Pacific/Kiritimati', '2026-03-08T10:00Z'],
  ['UTC', '2026-03-08T00:00Z'],
] as const;
const HOUR = 3_600_000;

/** Any instant in the two days about another, and quarters of an hour from it, where clock hours begin. */
const near = (middle: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -48 * HOUR, max: 48 * HOUR }).map((ms) => middle + ms),
    fc.integer({ min: -100, max: 100 }).map((quarters) => middle + (quarters * HOUR) / 4),
  );
const written = (instant: number): fc.Arbitrary<string> =>
  fc.constantFrom(new Date(instant).toISOString(), new Date(instant).toISOString().replace('Z', '+0000'));
const instantNear = (middle: number): fc.Arbitrary<string> => near(middle).chain(written);
/** The business dates about an instant, in the ways in which they are written. */
const dateNear = (middle: number): fc.Arbitrary<string | number> =>
  fc
    .integer({ min: -1, max: 1 })
    .map((days) => new Date(middle + days * 24 * HOUR).toISOString().slice(0, 10))
    .chain((text) => fc.constantFrom(text, text.replaceAll('-', ''), Number(text.replaceAll('-', ''))));

const paymentNear = (middle: number) =>
  fc.record({
    guid: fc.uuid(),
    amount,
    tipAmount: amount,
    paymentStatus: fc.constantFrom(null, 'CAPTURED', 'VOIDED', 'DENIED', 'OPEN', 'voided'),
    voidInfo: fc.constantFrom(
      ...[null, null, null, {}, { voidDate: '2026-03-08T07:00:00.000Z' }, { voidBusinessDate: 20260308 }],
    ),
    refund: maybe(
      fc.record({
        refundAmount: amount,
        tipRefundAmount: amount,
        refundBusinessDate: maybe(dateNear(middle)),
        refundDate: maybe(instantNear(middle)),
        refundTransaction,
      }),
    ),
  });

const checkNear = (middle: number) =>
  fc.record({
    guid: fc.uuid(),
    displayNumber: fc.oneof(fc.integer({ min: 0, max: 999 }).map(String), fc.constantFrom('A7', null)),
    paidDate: maybe(instantNear(middle)),
    modifiedDate: maybe(instantNear(middle)),
    voided: rarely,
    deleted: rarely,
    taxAmount: amount,
    totalAmount: amount,
    paymentStatus: fc.constantFrom('OPEN', 'PAID', 'CLOSED', 'CLOSED', 'closed', 'PARTIALLY_PAID'),
    selections: fc.array(selection, { maxLength: 4 }),
    appliedDiscounts: fc.array(discount, { maxLength: 2 }),
    appliedServiceCharges: fc.array(charge, { maxLength: 2 }),
    payments: fc.array(paymentNear(middle), { maxLength: 2 }),
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

const orderNear = (middle: number): fc.Arbitrary<Json> =>
  fc.record({
    guid: fewGuids,
    openedDate: instantNear(middle),
    modifiedDate: maybe(instantNear(middle)),
    businessDate: maybe(dateNear(middle)),
    numberOfGuests: maybe(fc.integer({ min: 0, max: 12 })),
    voided: rarely,
    deleted: rarely,
    excessFood: rarely,
    createdInTestMode: seldom,
    approvalStatus: fc.constantFrom(null, null, 'APPROVED', 'NEEDS_APPROVAL', 'FUTURE', 'NOT_APPROVED', 'NEW_WORD'),
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
    checks: fc.uniqueArray(checkNear(middle), { maxLength: 3, selector: ({ guid }) => guid }),
  });

/**
 * How long a shift lasts, in milliseconds: a day's work, quarters of an hour, nothing, less than nothing, days, years.
 */
const length = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 14 * HOUR }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 60 }).map((quarters) => (quarters * HOUR) / 4) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, -HOUR, 30 * HOUR) },
  { weight: 1, arbitrary: fc.constantFrom(31 * 24 * HOUR, 31 * 24 * HOUR + 1, 9000 * HOUR) },
);
const entryNear = (middle: number): fc.Arbitrary<Json> =>
  fc
    .record({
      guid: fewGuids,
      jobReference: fc.constantFrom(
        null,
        { guid: 'cook' },
        { guid: 'COOK' },
        { guid: 'manager' },
        { guid: 'trainee' },
        { guid: 'unknown' },
        { guid: 'cook', title: 'not shown' },
        { guid: 'unknown', title: 'Busser', code: 'B1' },
        { guid: 'Unknown', title: 'busser' },
        { guid: 'other', title: 'Élève', code: '' },
        {},
      ),
      employeeReference: fc.constantFrom(
        null,
        {},
        { guid: 'k1' },
        { guid: 'K1', firstName: 'Inline' },
        { guid: 'k9' },
        { guid: 'k9', firstName: 'Ada', lastName: 'Byron', chosenName: 'Addie' },
        { guid: 'k9', firstName: 'Ada', lastName: 'Lovelace' },
        { guid: 'k8', lastName: 'Ælfric' },
        { guid: 'k7', lastName: 'Byron' },
      ),
      times: fc.tuple(near(middle), maybe(length)),
      noInDate: rarely,
      modifiedDate: maybe(instantNear(middle)),
      businessDate: maybe(dateNear(middle)),
      regularHours: fc.oneof(
        fc.constantFrom(0, null, 8, 7.25, 3.333, 0.01, 5.999999, 0.000001),
        fc.integer({ min: 0, max: 14_000_000 }).map((micro) => micro / 1_000_000),
      ),
      overtimeHours: fc.constantFrom(null, 0, 1.5, 0.333333),
      hourlyWage: fc.constantFrom(null, 15, 17.35, 21.005, -3.335),
      regularPay: fc.constantFrom(null, null, null, 120.55, -0.015),
      overtimePay: fc.constantFrom(null, null, null, 30.01),
      deleted: rarely,
    })
    .map(({ times: [inAt, lasted], noInDate, ...entry }) => ({
      ...entry,
      // An entry has its place in time from an inDate or a businessDate.
      inDate: noInDate && entry.businessDate !== null ? null : new Date(inAt).toISOString(),
      outDate: lasted === null ? null : new Date(inAt + lasted).toISOString(),
    }));

const restaurantIn = (timeZone: string): fc.Arbitrary<NaiveRestaurant> =>
  fc.record({
    guid: fc.constant('b1500000-0000-4000-8000-000000000001'),
    name: fc.constant('Bistro'),
    timeZone: fc.constant(timeZone),
    closeoutHour: fc.integer({ min: 0, max: 12 }),
    overtimeMultiplier: fc.constantFrom(1, 1.5, 2, 1.3333),
    refundsOn: fc.constantFrom('refund', 'refund', 'order'),
    diningOptions: fc.constantFrom({ k1: 'Dine In', k2: 'Élan' }, {}),
    revenueCenters: fc.constantFrom({ k1: 'bar', k2: 'Zoo' }, {}),
    employees: fc.constantFrom({ k1: 'Grace Hopper' }, {}),
    jobs: fc.constant({
      cook: { wageFrequency: 'HOURLY', excludeFromReporting: false },
      manager: { wageFrequency: 'SALARY', excludeFromReporting: false },
      trainee: { wageFrequency: null, excludeFromReporting: true },
    }),
  });

const group = (guid: string, name: string, menuGroups: Json[] = [], menuItems: Json[] = []): Json => ({
  guid,
  name,
  menuGroups,
  menuItems,
});
/** None; groups in groups; a group in two menus; and other names for the same. */
export const menus: fc.Arbitrary<Json[]> = fc.constantFrom<Json[]>(
  [],
  [
    {
      guid: 'm1',
      name: 'Lunch',
      menuGroups: [group('g1', 'Food', [group('g2', 'Sides')], [{ guid: 'i1', name: 'Listed' }])],
    },
  ],
  [
    { guid: 'm1', name: 'Lunch', menuGroups: [group('g2', 'Small'), group('g1', 'Food', [group('g2', 'Sides')])] },
    {
      guid: 'm2',
      name: 'Dinner',
      menuGroups: [group('g1', 'Food'), group('g8', 'Drinks', [], [{ guid: 'i3', name: 'Beer' }])],
    },
  ],
);

/** A restaurant with a few days of orders and time entries. */
export interface Case {
  restaurant: NaiveRestaurant;
  orders: Json[];
  entries: Json[];
}

/** The same with the order of one kind of record's arrival: each record twice, shuffled by rank and cut into loads. */
export interface Arrival {
  restaurant: NaiveRestaurant;
  records: Json[];
  ranks: number[];
  sizes: number[];
}

/** Versions of one record with one modifiedDate are told apart by arrival alone: here each has a date of its own. */
const version = ({ guid, modifiedDate }: Json): string =>
  `${guid} ${modifiedDate ? instantOf(modifiedDate) : 'undated'}`;

const arrivals = (recordNear: (middle: number) => fc.Arbitrary<Json>): fc.Arbitrary<Arrival> =>
  fc.constantFrom(...PLACES).chain(([timeZone, change]) => {
    const most = 6;
    return fc.record({
      restaurant: restaurantIn(timeZone),
      records: fc.uniqueArray(recordNear(Date.parse(change)), { maxLength: most, selector: version }),
      ranks: fc.array(fc.nat(), { minLength: 2 * most, maxLength: 2 * most }),
      sizes: fc.array(fc.integer({ min: 1, max: 2 * most }), { minLength: 2 * most, maxLength: 2 * most }),
    });
  });
export const orderArrivals = arrivals(orderNear);
export const entryArrivals = arrivals(entryNear);

/** Cases with as many orders and entries as given at most. */
export const cases = (mostOrders: number, mostEntries: number): fc.Arbitrary<Case> =>
  fc.constantFrom(...PLACES).chain(([timeZone, change]) => {
    const middle = Date.parse(change);
    return fc.record({
      restaurant: restaurantIn(timeZone),
      orders: fc.array(orderNear(middle), { maxLength: mostOrders }),
      entries: fc.array(entryNear(middle), { maxLength: mostEntries }),
    });
  });

/** A restaurant whose records come, change and move a few at a time. */
export interface History {
  restaurant: NaiveRestaurant;
  stages: { orders: Json[]; entries: Json[] }[];
}

/** Histories of a number of stages, each with a few orders and, as a rule, no time entries. */
export const histories = (stages: number): fc.Arbitrary<History> =>
  fc.constantFrom(...PLACES).chain(([timeZone, change]) => {
    const middle = Date.parse(change);
    const any = orderNear(middle);
    // Alike but for their sums: they share daily rollups, which then outlive one order that moves away.
    const alike = any.map((order) => ({
      ...order,
      diningOption: null,
      revenueCenter: { guid: 'k1' },
      source: 'Online',
      businessDate: new Date(middle).toISOString().slice(0, 10),
    }));
    const stage = fc.record({
      orders: fc.array(fc.oneof({ weight: 2, arbitrary: alike }, { weight: 1, arbitrary: any }), { maxLength: 5 }),
      entries: fc.oneof(
        { weight: 2, arbitrary: fc.constant<Json[]>([]) },
        { weight: 1, arbitrary: fc.array(entryNear(middle), { minLength: 1, maxLength: 4 }) },
      ),
    });
    return fc.record({
      restaurant: restaurantIn(timeZone),
      stages: fc.array(stage, { minLength: stages, maxLength: stages }),
    });
  });
