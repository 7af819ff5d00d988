/** What lines add up to, and how they are sorted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DateSpan, totals } from '@daypart/client';
import fc from 'fast-check';
import { changeOf, FIGURES } from './figures.ts';
import { addUp, type Line, type MetricsRow } from './lines.ts';
import { readSorting, sortLines } from './sort.ts';
import { CHECKS } from './tables/checks.ts';
import { METRICS } from './tables/metrics.ts';

const span = (start: string, end: string): DateSpan => ({ start, end });

/** A row of one order; amounts are in cents. */
const rowOf = (more: Partial<MetricsRow> & { net?: number }): MetricsRow => ({
  restaurantGuid: 'r1',
  restaurantName: 'One',
  businessDate: '20260310',
  businessHour: null,
  revenueCenter: null,
  diningOption: null,
  orderSource: null,
  guestCount: 2,
  voidOrdersCount: 0,
  discountOrderCount: 0,
  ordersCount: 1,
  openOrderCount: 0,
  closedOrderCount: 1,
  grossSalesAmount: 0,
  discountAmount: 0,
  voidOrdersAmount: 0,
  refundAmount: 0,
  avgOrderValue: 0,
  hourlyJobTotalHours: '1.00',
  hourlyJobTotalPay: '10.00',
  hourlyJobSalesPerLaborHour: null,
  netSalesAmount: (more.net ?? 0) / 100,
  ...more,
});
const CODES: Record<string, string | null> = { r1: 'USD', r2: 'EUR', r3: 'USD' };
const currencyOf = (guid: string): string | null => CODES[guid] ?? null;
const net = (line: Line | undefined): (number | undefined)[] => [line?.sum.netSalesCents, line?.before?.netSalesCents];

describe('lines', () => {
  it('equal the sums of their rows in each currency separately, for any field that they are split by', () => {
    const row = fc.record({
      restaurantGuid: fc.constantFrom('r1', 'r2', 'r3', 'r4'),
      businessDate: fc.constantFrom('20260310', '20260311', '20260312'),
      net: fc.integer({ min: -10_000, max: 1_000_000 }),
    });
    const rows = fc.uniqueArray(row, { selector: ({ restaurantGuid, businessDate }) => restaurantGuid + businessDate });
    fc.assert(
      fc.property(rows, fc.constantFrom('restaurant' as const, 'date' as const, undefined), (drawn, by) => {
        const all = drawn.map(rowOf);

        const { lines, totals: sums } = addUp(all, {
          by,
          currencyOf,
          span: span('20260310', '20260312'),
          compared: undefined,
        });

        for (const { currencyCode, sum } of sums) {
          const own = all.filter(({ restaurantGuid }) => currencyOf(restaurantGuid) === currencyCode);
          assert.deepEqual([sum], totals(own, currencyCode));
          const inCode = lines.filter((line) => line.currencyCode === currencyCode);
          assert.equal(
            inCode.reduce((cents, line) => cents + line.sum.netSalesCents, 0),
            sum.netSalesCents,
          );
        }
        const keys = lines.map(({ keys: { restaurantGuid, businessDate }, currencyCode }) =>
          JSON.stringify([restaurantGuid, businessDate, currencyCode]),
        );
        assert.equal(new Set(keys).size, keys.length);
        if (by === undefined) assert.equal(lines.length, all.length);
      }),
    );
  });

  it('are beside those of the compared span, date by date, and change by difference and percent', () => {
    const compared = {
      comparison: 'weekday' as const,
      rows: [rowOf({ businessDate: '20260304', net: 200 }), rowOf({ businessDate: '20260303', net: 0 })],
    };
    const rows = [rowOf({ net: 500 }), rowOf({ businessDate: '20260311', net: 150 })];

    const {
      lines,
      totals: [total],
    } = addUp(rows, { by: 'date', currencyOf, span: span('20260310', '20260311'), compared });

    const figure = FIGURES.find(({ field }) => field === 'netSalesAmount');
    assert.ok(figure);
    assert.deepEqual(
      lines.map(({ keys }) => [keys.businessDate, keys.comparedBusinessDate]),
      [
        ['20260310', '20260303'],
        ['20260311', '20260304'],
      ],
    );
    assert.deepEqual(
      [...lines.map(net), net(total)],
      [
        [500, 0],
        [150, 200],
        [650, 200],
      ],
    );
    assert.deepEqual(
      lines.map((line) => changeOf(figure, line).percent),
      [null, -25],
    );
  });

  it('are those of each compared date alone that no date is beside', () => {
    const compared = {
      comparison: 'previous' as const,
      rows: ['20260128', '20260130', '20260131'].map((businessDate) => rowOf({ businessDate, net: 10 })),
    };

    const { lines } = addUp([rowOf({ businessDate: '20260228', net: 20 })], {
      by: 'date',
      currencyOf,
      span: span('20260201', '20260228'),
      compared,
    });

    assert.deepEqual(
      lines.map((line) => [line.keys.businessDate, line.keys.comparedBusinessDate, ...net(line)]),
      [
        ['20260228', '20260128', 20, 10],
        [null, '20260130', 0, 10],
        [null, '20260131', 0, 10],
      ],
    );
  });

  it('are present if only one of the periods has them', () => {
    const compared = {
      comparison: 'previous' as const,
      rows: [rowOf({ restaurantGuid: 'r3', restaurantName: 'Three', businessDate: '20260309', net: 70 })],
    };

    const { lines } = addUp([rowOf({ net: 30 })], {
      by: 'restaurant',
      currencyOf,
      span: span('20260310', '20260310'),
      compared,
    });

    assert.deepEqual(
      lines.map((line) => [line.keys.restaurantName, ...net(line)]),
      [
        ['One', 30, 0],
        ['Three', 0, 70],
      ],
    );
  });

  it('are sorted by a change in percent whatever their currencies', () => {
    const two = { restaurantGuid: 'r2', restaurantName: 'Two' };
    const compared = {
      comparison: 'previous' as const,
      rows: [rowOf({ businessDate: '20260309', net: 10 }), rowOf({ ...two, businessDate: '20260309', net: 10 })],
    };
    const { lines } = addUp([rowOf({ net: 20 }), rowOf({ ...two, net: 30 })], {
      by: 'restaurant',
      currencyOf,
      span: span('20260310', '20260310'),
      compared,
    });
    const names = (text: string) =>
      sortLines(lines, readSorting(text, METRICS, true)).map(({ keys }) => keys.restaurantName);

    assert.deepEqual([...new Set(lines.map(({ currencyCode }) => currencyCode))].length, 2);
    assert.deepEqual(names('net-sales-percent'), ['One', 'Two']);
    assert.deepEqual(names('net-sales-percent:desc'), ['Two', 'One']);
  });

  it('are sorted by words and by fields of the wire, currencies apart, and refused by others', () => {
    const rows = [
      rowOf({ net: 10 }),
      rowOf({ restaurantGuid: 'r2', restaurantName: 'Two', net: 99 }),
      rowOf({ restaurantGuid: 'r3', restaurantName: 'Three', net: 50 }),
    ];
    const { lines } = addUp(rows, {
      by: 'restaurant',
      currencyOf,
      span: span('20260310', '20260310'),
      compared: undefined,
    });
    const names = (text: string) =>
      sortLines(lines, readSorting(text, METRICS, false)).map(({ keys }) => keys.restaurantName);

    assert.deepEqual(names('net-sales:desc'), ['Two', 'Three', 'One']);
    assert.deepEqual(names('netSalesAmount'), ['Two', 'One', 'Three']);
    assert.deepEqual(names('restaurant:desc'), ['Two', 'Three', 'One']);
    assert.throws(
      () => readSorting('net-salse', METRICS, false),
      /there is no field net-salse; did you mean net-sales\?/,
    );
    assert.throws(() => readSorting('net-sales-change', METRICS, false), /there is no field net-sales-change/);
    assert.throws(() => readSorting('total:down', CHECKS, false), /FIELD:desc, not total:down/);
  });
});
