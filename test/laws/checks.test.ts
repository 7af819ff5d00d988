/** The laws of checks that are read one by one, over any orders: they add up to the reports. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { StoredCheck } from '../../packages/service/src/facts/order.ts';
import { cases } from './arbitraries.ts';
import { type Engine, forEach, loadCases, openEngine, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import type { Json } from './naive.ts';
import { naiveChecks } from './naive-checks.ts';
import { add, textDigits } from './naive-decimal.ts';

const SPAN = { start: '20200101', end: '20361231' };
const QUERY = { startDate: 20200101, endDate: 20361231 };
const cents = (value: unknown): bigint => textDigits(String(value), 2);
const sumOf = (rows: Json[], field: string): bigint => add(rows.map((row) => cents(row[field])));

interface Read {
  /** The records of the naive model, and the check that is read by the GUID of each. */
  checks: { record: Json; read: StoredCheck | undefined }[];
  report: Report;
}

describe('the laws of checks', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  checkLaws(
    cases(4, 0),
    async (round): Promise<Read[]> => {
      const restaurants = await loadCases(engine, round);
      const read = await forEach([...restaurants.entries()], async ([index, of]) => {
        const { restaurant, orders } = round[index] as (typeof round)[number];
        const records = naiveChecks(orders, { ...restaurant, guid: of.guid }, SPAN);
        const checks = [];
        for (const record of records) checks.push({ record, read: await engine.facts.check(of.id, record.checkGuid) });
        return checks;
      });
      const reports = reportsOf(engine, restaurants);
      return read.map((checks, index) => ({ checks, report: reports[index] as Report }));
    },
    {
      'a check has the amounts of its record': (_one, { checks }) => {
        for (const { record, read } of checks) {
          const { check } = read ?? assert.fail();
          assert.deepEqual(
            [check.order_guid, check.check_guid, String(check.business_date), check.status, check.voided],
            [record.orderGuid, record.checkGuid, record.orderOpenDate, record.checkStatus, record.checkVoidedStatus],
          );
          assert.deepEqual(
            [
              ...[check.total_cents, check.discount_cents, check.tax_cents, check.tip_cents],
              ...[check.gratuity_cents, check.refund_cents],
            ].map(BigInt),
            [
              ...[record.checkTotalAmount, record.checkDiscountAmount, record.checkTaxAmount, record.checkTipAmount],
              ...[record.checkGratuityAmount, record.checkRefundAmount],
            ].map(cents),
          );
        }
      },

      'the refunds of all checks are those of metrics, on each date': async (_one, { checks, report }) => {
        const days = await report(QUERY);
        const refunds = checks.flatMap(({ read }) => read?.refunds ?? []);
        for (const day of days) {
          const own = refunds.filter(({ business_date }) => String(business_date) === day.businessDate);
          assert.equal(add(own.map(({ refund_cents }) => BigInt(refund_cents))), cents(day.refundAmount));
        }
        assert.equal(add(refunds.map(({ refund_cents }) => BigInt(refund_cents))), sumOf(days, 'refundAmount'));
      },

      'the items of all checks add up to the menu report of all dates': async (_one, { checks, report }) => {
        const rows = await report({ ...QUERY, kind: 'menu', groups: ['MENU_ITEM'] });
        const modifiers = await report({ ...QUERY, kind: 'menu', groups: ['MODIFIER'] });
        const items = checks.flatMap(({ read }) => read?.items ?? []);
        for (const [isModifier, reported] of [
          [false, rows],
          [true, modifiers],
        ] as const) {
          const own = items.filter(({ modifier }) => modifier === isModifier);
          const sum = (of: (item: (typeof own)[number]) => number): bigint => add(own.map((item) => BigInt(of(item))));
          assert.deepEqual(
            [
              ...[sum((item) => item.gross_cents), sum((item) => item.discount_cents)],
              ...[sum((item) => item.refund_cents), sum((item) => item.void_cents), sum((item) => item.quantity)],
            ],
            [
              ...['grossSalesAmount', 'discountAmount', 'refundAmount', 'voidAmount'].map((field) =>
                sumOf(reported, field),
              ),
              add(reported.map((row) => textDigits(String(row.quantitySold), 6))),
            ],
          );
        }
      },
    },
  );
});
