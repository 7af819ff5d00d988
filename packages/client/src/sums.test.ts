import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { MetricsFigures } from './resources/metrics.ts';
import { type AddableLabor, laborTotals, type Totals, totals, workedDates } from './sums.ts';

const LAWS = Number(process.env.LAWS ?? 200);

type Row = MetricsFigures & { businessHour: string | null; diningOption: string | null };

/** The text of cents as an amount, by whole numbers alone. */
function textOf(whole: number): string {
  const size = BigInt(whole) < 0n ? -BigInt(whole) : BigInt(whole);
  return `${whole < 0 ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

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
    workedNetSalesCents: 30,
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
  assert.ok(rest.length === 15 && rest.every(([, value]) => value === 0));
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

const worked = { hourlyJobTotalHours: '4.00', hourlyJobTotalPay: '32.00' };

test('sales per labour hour are of the restaurants and dates that have hours, in all of their rows', () => {
  const rows = [
    rowOf({ netSalesAmount: 60, businessHour: '11', ...worked }),
    // Nobody works in this hour of the date, and nobody on these dates.
    rowOf({ netSalesAmount: 40, businessHour: '23' }),
    rowOf({ netSalesAmount: 100, businessDate: '20260311', businessHour: '11' }),
    rowOf({ netSalesAmount: 200, restaurantGuid: 'r2', businessHour: '11' }),
  ];
  const [sum] = totals(rows, 'USD');

  assert.deepEqual(
    [sum.netSalesCents, sum.workedNetSalesCents, sum.hourlyJobSalesPerLaborHourCents],
    [40_000, 10_000, 2500],
  );
  // Of an hour alone it is not known which dates have hours in others.
  const late = rows.slice(1, 2);
  assert.deepEqual(
    [totals(late, 'USD'), totals(late, 'USD', workedDates(rows))].map(
      ([{ workedNetSalesCents }]) => workedNetSalesCents,
    ),
    [0, 4000],
  );
});

test('hours below nothing divide as others do', () => {
  const [sum] = totals([rowOf({ netSalesAmount: 1, hourlyJobTotalHours: '-3.00' })], null);

  assert.deepEqual([sum.workedNetSalesCents, sum.hourlyJobSalesPerLaborHourCents], [100, -33]);
});

test('labor adds up in thousandths of hours and cents, and its ratios are of restaurants and dates with hours', () => {
  const row = (changes: Partial<AddableLabor>): AddableLabor => ({
    restaurantGuid: 'r1',
    businessDate: '20260310',
    regularHours: 0,
    overtimeHours: 0,
    totalHours: 0,
    regularCost: 0,
    overtimeCost: 0,
    totalCost: 0,
    netSalesAmount: 0,
    ...changes,
  });
  const rows = [
    row({ regularHours: 8.001, overtimeHours: 1.5, totalHours: 9.501, netSalesAmount: 1000 }),
    row({ regularCost: 160.1, overtimeCost: 45, totalCost: 205.1, restaurantGuid: 'r2', netSalesAmount: 3000 }),
    row({ businessDate: '20260311', netSalesAmount: 500 }),
  ];

  assert.deepEqual(laborTotals(rows, 'USD'), [
    {
      currencyCode: 'USD',
      regularThousandths: 8001,
      overtimeThousandths: 1500,
      totalThousandths: 9501,
      regularCostCents: 16_010,
      overtimeCostCents: 4500,
      totalCostCents: 20_510,
      netSalesCents: 450_000,
      workedNetSalesCents: 100_000,
      // 1,000.00 ÷ 9.501, and 205.10 ÷ 1,000.00.
      netSalesPerEmployeeHourCents: 10_525,
      totalCostPerNetSalesHundredths: 2051,
    },
  ]);
  const [jobs] = laborTotals([row({ totalHours: 8, totalCost: 100, netSalesAmount: null })], null);
  assert.deepEqual([jobs.netSalesPerEmployeeHourCents, jobs.totalCostPerNetSalesHundredths], [null, null]);
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
