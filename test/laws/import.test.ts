/** The totals of an export equal those of its rows, in any order of the rows. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { NO_FORCE } from '../../packages/service/src/import/belonging.ts';
import { readDay } from '../../packages/service/src/import/day.ts';
import { NO_MAPPING } from '../../packages/service/src/import/mapping.ts';
import { guidsOf } from '../../packages/service/src/ingest/guids.ts';
import { orderFacts } from '../../packages/service/src/ingest/order.ts';
import { LAWS } from './laws.ts';

const DATE = 20260318;
const PLACE = { timeZone: 'America/New_York', closeoutHour: 4 };

/** Amounts are cents. */
interface Item {
  gross: number;
  discount: number;
  voided: boolean;
  deferred: boolean;
}
interface Payment {
  tip: number;
  gratuity: number;
  refund: number;
  tipRefund: number;
  voided: boolean;
}
interface Check {
  items: Item[];
  payments: Payment[];
  tax: number;
}
interface Order {
  checks: Check[];
  guests: number;
  voided: boolean;
  /** Whether the Totals of CheckDetails have tips and gratuities in them. */
  whole: boolean;
}

const amount = fc.integer({ min: 0, max: 100_000 });
const item = fc
  .record({ gross: amount, share: fc.integer({ min: 0, max: 4 }), voided: fc.boolean(), deferred: fc.boolean() })
  .map(({ gross, share, voided, deferred }): Item => ({ gross, discount: (gross >> 2) * share, voided, deferred }));
const payment = fc.record({
  tip: amount,
  gratuity: amount,
  refund: amount,
  tipRefund: amount,
  voided: fc.boolean(),
});
const check = fc.record({
  items: fc.array(item, { minLength: 1, maxLength: 4 }),
  payments: fc.array(payment, { maxLength: 3 }),
  tax: amount,
});
const order: fc.Arbitrary<Order> = fc.record({
  checks: fc.array(check, { minLength: 1, maxLength: 3 }),
  guests: fc.integer({ min: 0, max: 9 }),
  voided: fc.boolean(),
  whole: fc.boolean(),
});

const total = <T>(list: readonly T[], cents: (one: T) => number): number =>
  list.reduce((sum, one) => sum + cents(one), 0);
const units = (cents: number): string => (cents / 100).toFixed(2);
const stands = ({ payments }: Check): Payment[] => payments.filter(({ voided }) => !voided);
const tipsOf = (one: Check): number => total(stands(one), ({ tip }) => tip);
const gratuitiesOf = (one: Check): number => total(stands(one), ({ gratuity }) => gratuity);
/** A voided order is due nothing. */
const netOf = (order: Order, one: Check): number =>
  order.voided ? 0 : total(one.items, ({ gross, discount, voided }) => (voided ? 0 : gross - discount));

/** What was sold on a check: nothing itemises its refunds, so they reduce sales by this at most. */
const soldIn = ({ items }: Check): number =>
  total(items, ({ gross, discount, voided, deferred }) => (voided || deferred ? 0 : gross - discount));

/** The four files of a day, their rows in the order that `shuffle` gives. */
function filesOf(orders: Order[], shuffle: <T>(rows: T[]) => T[]): Record<string, string> {
  const rows: Record<string, string[]> = { orders: [], checks: [], payments: [], items: [] };
  for (const [o, order] of orders.entries()) {
    const id = `13000000157343${1000 + o}`;
    const net = total(order.checks, (one) => netOf(order, one));
    const tax = total(order.checks, (one) => one.tax);
    const tip = total(order.checks, tipsOf);
    const gratuity = total(order.checks, gratuitiesOf);
    const numbers = order.checks.map((_, c) => o * 10 + c).join(', ');
    rows.orders?.push(
      `${id},"${numbers}",03/18/2026 12:00,${order.guests},${[net, tax, tip, gratuity].map(units)},${order.voided}`,
    );
    for (const [c, one] of order.checks.entries()) {
      const checkId = `${id}${c}`;
      const due = netOf(order, one) + one.tax + (order.whole ? tipsOf(one) + gratuitiesOf(one) : 0);
      rows.checks?.push(`${units(due)},${units(one.tax)},${o * 10 + c},${checkId}`);
      for (const { gross, discount, voided, deferred } of one.items) {
        rows.items?.push(
          `${voided},${deferred},${units(gross)},${units(discount)},${units(gross - discount)},${checkId},${id}`,
        );
      }
      for (const { tip: tips, gratuity: grat, refund, tipRefund, voided } of one.payments) {
        const voidDate = voided ? '03/18/2026 13:00' : '';
        rows.payments?.push(`${id},${checkId},${[tips, grat, refund, tipRefund].map(units)},${voidDate}`);
      }
    }
  }
  const file = (header: string, lines: string[] = []): string => [header, ...shuffle(lines)].join('\n');
  return {
    OrderDetails: file('Order Id,Checks,Opened,# of Guests,Amount,Tax,Tip,Gratuity,Voided', rows.orders),
    CheckDetails: file('Total,Tax,Check #,Check Id', rows.checks),
    PaymentDetails: file('Order Id,Check Id,Tip,Gratuity,Refund Amount,Refund Tip Amount,Void Date', rows.payments),
    ItemSelectionDetails: file('Void?,Deferred,Gross Price,Discnt,Net Price,Check Id,Order Id', rows.items),
  };
}

let path: string;
before(async () => {
  path = await mkdtemp(join(tmpdir(), 'daypart-law-'));
});
after(() => rm(path, { recursive: true, force: true }));

it('an export adds up to what its rows add up to', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 5 }), fc.gen(), async (orders, g) => {
      const shuffle = <T>(rows: T[]): T[] => g(() => fc.shuffledSubarray(rows, { minLength: rows.length }));
      for (const [name, text] of Object.entries(filesOf(orders, shuffle))) {
        await writeFile(join(path, `${name}.csv`), text);
      }
      const day = await readDay(
        { date: DATE, path },
        {
          timeZone: PLACE.timeZone,
          mapping: NO_MAPPING,
          earlier: new Set(),
          restaurantNames: [],
          force: NO_FORCE,
          guidOf: guidsOf('b1500000-0000-4000-8000-000000000001'),
        },
      );
      assert.deepEqual(
        day.fileReports().flatMap(({ notRead, skipped }) => [...notRead, ...skipped]),
        [],
      );
      assert.deepEqual(day.notices, []);
      const facts = day.orders.map(({ source }) => {
        const one = orderFacts(JSON.parse(JSON.stringify(source)), 0, PLACE);
        if ('pointer' in one) throw new Error(one.message);
        return one;
      });
      const checks = facts.flatMap((one) => one.checks);
      const live = orders.filter(({ voided }) => !voided);
      const liveChecks = live.flatMap((one) => one.checks);
      const sold = liveChecks.flatMap(({ items }) => items).filter(({ voided, deferred }) => !voided && !deferred);
      const all = orders.flatMap((one) => one.checks);
      const refunds = (some: Check[]): number => total(some, ({ payments }) => total(payments, ({ refund }) => refund));
      const tips = total(all, (one) => total(stands(one), ({ tip, tipRefund }) => tip - tipRefund));

      assert.equal(facts.length, orders.length);
      assert.equal(checks.length, all.length);
      assert.deepEqual(
        {
          guests: total(facts, (one) => one.order.guests),
          gross: total(facts, (one) => one.order.gross_cents),
          discount: total(facts, (one) => one.order.discount_cents),
          refund: total(facts, (one) => one.order.refund_cents),
          tax: total(checks, (one) => one.tax_cents),
          tip: total(checks, (one) => one.tip_cents),
          gratuity: total(checks, (one) => one.gratuity_cents),
          checkRefund: total(checks, (one) => one.refund_cents),
          total: total(checks, (one) => one.total_cents),
        },
        {
          guests: total(live, ({ guests }) => guests),
          gross: total(sold, ({ gross }) => gross),
          discount: total(sold, ({ discount }) => discount),
          refund: total(liveChecks, (one) => Math.min(refunds([one]), Math.max(0, soldIn(one)))),
          tax: total(all, ({ tax }) => tax),
          tip: tips,
          gratuity: total(all, gratuitiesOf),
          checkRefund: refunds(all),
          total:
            total(orders, (one) => total(one.checks, (check) => netOf(one, check))) +
            total(all, ({ tax }) => tax) +
            tips +
            total(all, gratuitiesOf) -
            refunds(all),
        },
      );
    }),
    { numRuns: LAWS },
  );
});
