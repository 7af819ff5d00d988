import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { cents, formatCents, type Totals, totals } from './money.ts';
import type { MetricsFigures } from './resources/metrics.ts';

const LAWS = Number(process.env.LAWS ?? 200);

type Row = MetricsFigures & { businessHour: string | null; diningOption: string | null };

/** Every size of amount, not only the largest. */
const safeCents = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer(),
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: 2 ** 51 - 1e6, max: 2 ** 53 - 1 }),
  // Where the product of a double and 100 is half a cent off.
  fc.integer({ min: 2 ** 45 * 100, max: 2 ** 45 * 128 }),
);

/** The text of cents as an amount, by whole numbers alone. */
function textOf(whole: number): string {
  const size = BigInt(whole) < 0n ? -BigInt(whole) : BigInt(whole);
  return `${whole < 0 ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

test('an amount is the cents that its text says, as text and as a number, however large', () => {
  fc.assert(
    fc.property(safeCents, (whole) => {
      const text = textOf(whole);
      const short = text.replace(/\.?0{1,2}$/, '');

      assert.equal(cents(text), whole + 0);
      assert.equal(cents(short), whole + 0);
      assert.equal(formatCents(whole), whole === 0 ? '0.00' : text);
      if (Math.abs(Number(text)) < 2 ** 46) assert.equal(cents(Number(text)), whole + 0);
      else assert.throws(() => cents(Number(text)), TypeError);
    }),
    { numRuns: LAWS },
  );
});

test('amounts with more than two decimals, and what is no amount, are refused', () => {
  const refused: unknown[] = [
    0.1 + 0.2,
    1.005,
    0.001,
    1e-7,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1.005',
    '12.500',
    '1,234.50',
    '$12',
    '12.',
    '.5',
    '+1',
    '1e3',
    '0x10',
    ' 12',
    '',
    '-',
    '90071992547409.92',
    '9'.repeat(400),
    null,
    undefined,
    true,
    {},
  ];

  for (const amount of refused) {
    assert.throws(() => cents(amount as number), {
      name: 'TypeError',
      message: /is no amount with at most two decimals \(add cents, not amounts\)$/,
    });
  }
});

test('a number is read when it is the double of an amount with two decimals, and only then', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: -1e8, max: 1e8 }), (any, whole) => {
      const near = Math.round(any * 100);
      if (near / 100 === any) assert.equal(cents(any), near + 0);
      else assert.throws(() => cents(any), TypeError);

      const amount = whole / 100;
      const neighbour = amount + (amount === 0 ? Number.MIN_VALUE : Math.abs(amount) * 2 ** -52);
      assert.equal(cents(amount), whole + 0);
      assert.throws(() => cents(neighbour), TypeError);
    }),
    { numRuns: LAWS },
  );
});

test('zero has no sign, and cents that are not whole are refused', () => {
  assert.ok(Object.is(cents(-0), 0));
  assert.ok(Object.is(cents('-0.00'), 0));
  assert.equal(formatCents(-0), '0.00');
  assert.equal(formatCents(-5), '-0.05');
  assert.equal(formatCents(-123450), '-1234.50');
  for (const size of [1.5, Number.NaN, 2 ** 53]) assert.throws(() => formatCents(size), TypeError);
});

function rowOf(row: Partial<Row>): Row {
  return {
    restaurantGuid: 'r1',
    businessDate: '20260310',
    guestCount: 0,
    voidOrdersCount: 0,
    discountOrderCount: 0,
    ordersCount: 0,
    openOrderCount: 0,
    closedOrderCount: 0,
    netSalesAmount: 0,
    grossSalesAmount: 0,
    discountAmount: 0,
    voidOrdersAmount: 0,
    refundAmount: 0,
    avgOrderValue: 0,
    hourlyJobTotalHours: '0.00',
    hourlyJobTotalPay: '0.00',
    hourlyJobSalesPerLaborHour: null,
    businessHour: null,
    diningOption: null,
    ...row,
  };
}

test('rows add up to the cent, with averages computed again', () => {
  const rows = [
    rowOf({ ordersCount: 2, netSalesAmount: 0.1, grossSalesAmount: 0.3, hourlyJobTotalHours: '1.50', guestCount: 3 }),
    rowOf({
      ordersCount: 2,
      netSalesAmount: 0.2,
      discountAmount: 19.99,
      hourlyJobTotalHours: '1.50',
      openOrderCount: 1,
    }),
    rowOf({ businessDate: '20260311', refundAmount: 0.07, hourlyJobTotalHours: '0.25', hourlyJobTotalPay: '3.85' }),
    rowOf({ restaurantGuid: 'r2', voidOrdersAmount: 8.1, hourlyJobTotalHours: '8.00', closedOrderCount: 3 }),
  ];

  const [sum] = totals(rows, 'USD');

  assert.deepEqual(sum, {
    currencyCode: 'USD',
    guestCount: 3,
    voidOrdersCount: 0,
    discountOrderCount: 0,
    ordersCount: 4,
    openOrderCount: 1,
    closedOrderCount: 3,
    netSalesCents: 30,
    grossSalesCents: 30,
    discountCents: 1999,
    voidOrdersCents: 810,
    refundCents: 7,
    // 7.5 cents an order, 3.08 cents an hour.
    avgOrderValueCents: 8,
    hourlyJobTotalHundredths: 975,
    hourlyJobTotalPayCents: 385,
    hourlyJobSalesPerLaborHourCents: 3,
  } satisfies Totals);
});

test('averages are rounded half away from zero, on both sides of it', () => {
  const averages = (ordersCount: number, netSalesAmount: number): number | undefined =>
    totals([rowOf({ ordersCount, netSalesAmount })], null)[0]?.avgOrderValueCents;

  assert.deepEqual([averages(2, 0.01), averages(2, -0.01), averages(3, -0.01), averages(3, 0.02)], [1, -1, 0, 1]);
  // A double would make 1 of 0.49999999999999994, and lose the last cent of a large sum.
  assert.equal(averages(3, 60_000_000_000_000.01), 2_000_000_000_000_000);
  assert.equal(
    totals([rowOf({ netSalesAmount: -1, hourlyJobTotalHours: '2.00' })], null)[0]?.hourlyJobSalesPerLaborHourCents,
    -50,
  );
});

test('nothing adds up to nothing', () => {
  const [sum = assert.fail(), ...more] = totals([], 'EUR');

  const { currencyCode, hourlyJobSalesPerLaborHourCents, ...figures } = sum;
  assert.deepEqual([currencyCode, hourlyJobSalesPerLaborHourCents, more], ['EUR', null, []]);
  assert.deepEqual(totals([], new Map()), []);
  const rest = Object.entries(figures);
  assert.ok(rest.length === 14 && rest.every(([, value]) => value === 0));
});

test('a row without a figure is refused, not counted as 0', () => {
  const row = { ...rowOf({}), netSalesAmount: undefined } as unknown as Row;

  assert.throws(() => totals([row], 'USD'), /undefined is no amount/);
});

const FIGURES = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'] as const;
const COUNTS = [
  'guestCount',
  'voidOrdersCount',
  'discountOrderCount',
  'ordersCount',
  'openOrderCount',
  'closedOrderCount',
] as const;

/** A row of one group: the labour is that of the restaurant at that time, which every group of it repeats. */
const part = fc.record({
  counts: fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }),
  amounts: fc.array(fc.integer({ min: -1e7, max: 1e9 }), { minLength: 5, maxLength: 5 }),
});
const place = fc.record({
  restaurantGuid: fc.constantFrom('r1', 'r2', 'r3'),
  businessDate: fc.constantFrom('20260310', '20260311'),
  businessHour: fc.constantFrom(null, '0', '1', '11'),
  hours: fc.nat(1_000_000),
  pay: fc.nat(10_000_000),
  parts: fc.array(part, { minLength: 1, maxLength: 5 }),
});
const places = fc.uniqueArray(place, {
  selector: ({ restaurantGuid, businessDate, businessHour }) => `${restaurantGuid} ${businessDate} ${businessHour}`,
});

test('a grouped report adds up to what the ungrouped one does, labour repeated over groups or not', () => {
  fc.assert(
    fc.property(places, fc.integer(), (all, turn) => {
      const make = (
        spot: (typeof all)[number],
        of: (typeof all)[number]['parts'],
        diningOption: string | null,
      ): Row => {
        const row = rowOf({ ...spot, diningOption });
        row.hourlyJobTotalHours = textOf(spot.hours);
        row.hourlyJobTotalPay = textOf(spot.pay);
        const add = (values: (number | undefined)[]): number =>
          values.reduce<number>((sum, one) => sum + (one ?? 0), 0);
        for (const [at, name] of COUNTS.entries()) row[name] = add(of.map(({ counts }) => counts[at]));
        for (const [at, name] of FIGURES.entries()) row[name] = add(of.map(({ amounts }) => amounts[at])) / 100;
        return row;
      };
      const ungrouped = all.map((spot) => make(spot, spot.parts, null));
      const grouped = all.flatMap((spot) => spot.parts.map((one, at) => make(spot, [one], `Option ${at}`)));
      const start = grouped.length === 0 ? 0 : Math.abs(turn) % grouped.length;

      const [sum = assert.fail()] = totals(ungrouped, 'USD');

      assert.deepEqual(totals([...grouped.slice(start), ...grouped.slice(0, start)], 'USD'), [sum]);
      assert.equal(
        sum.hourlyJobTotalHundredths,
        all.reduce((hours, spot) => hours + spot.hours, 0),
      );
    }),
    { numRuns: LAWS },
  );
});

test('rows add up by currency, by code with none last, and each as its rows alone', () => {
  const codes = fc.constantFrom('USD', 'EUR', 'JPY', null);
  fc.assert(
    fc.property(places, fc.array(codes, { minLength: 3, maxLength: 3 }), (all, [r1 = null, r2 = null, r3 = null]) => {
      const currencies = new Map([
        ['r1', r1],
        ['r2', r2],
        ['r3', r3],
      ]);
      const rows = all.map((spot) =>
        rowOf({
          ...spot,
          hourlyJobTotalHours: textOf(spot.hours),
          hourlyJobTotalPay: textOf(spot.pay),
          ordersCount: spot.parts.length,
          netSalesAmount: (spot.parts[0]?.amounts[0] ?? 0) / 100,
        }),
      );

      const sums = totals(rows, currencies);

      const expected = (['EUR', 'JPY', 'USD', null] as const).flatMap((code) => {
        const own = rows.filter(({ restaurantGuid }) => currencies.get(restaurantGuid) === code);
        return own.length > 0 ? totals(own, code) : [];
      });
      assert.deepEqual(sums, expected);
    }),
    { numRuns: LAWS },
  );
});

test('a row whose currency is not given is refused, not added to another', () => {
  const rows = [rowOf({}), rowOf({ restaurantGuid: 'r2' })];

  assert.throws(() => totals(rows, new Map([['r1', 'USD']])), {
    name: 'TypeError',
    message: 'the currency of restaurant r2 is not given (null for none)',
  });
});

test('a sum that no number has exactly is refused', () => {
  const most = 90_071_992_547_409.91;
  const half = rowOf({ netSalesAmount: most / 2 - 1 });

  assert.equal(totals([half], 'USD').length, 1);
  assert.throws(() => totals([half, half, half], 'USD'), {
    name: 'TypeError',
    message: 'the sum of netSalesCents is too large to be exact',
  });
});
