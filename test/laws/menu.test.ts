/** The laws of menu reports (docs/metrics.md#laws) over any orders and menus: the service against plain arithmetic. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import fc from 'fast-check';
import type { LineFact } from '../../packages/service/src/facts/line.ts';
import { MENU } from '../../packages/service/src/families/menu.ts';
import { menusBody } from '../../packages/service/src/ingest/menus.ts';
import { orderFacts } from '../../packages/service/src/ingest/order.ts';
import { cases, menus } from './arbitraries.ts';
import { type Engine, forEach, newRestaurant, openEngine, put, type Report, reportsOf } from './engine.ts';
import { checkLaws } from './laws.ts';
import {
  dateOf,
  isSalesCharge,
  isSold,
  type Json,
  list,
  liveChecks,
  type NaiveRestaurant,
  newestVersions,
  refundsOf,
} from './naive.ts';
import { add, cents, quotient, textDigits } from './naive-decimal.ts';
import { discountsOf, type NaiveGroup, naiveLines, naiveMenu } from './naive-menu.ts';

const SPAN = { kind: 'menu' };
const GROUPS = MENU.groups as NonNullable<NaiveGroup>[];
const LEVELS = ['MENU_ITEM', 'MENU_GROUP', 'MENU'] as const;
const FIGURES = [
  ...['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'refundAmount', 'voidAmount', 'quantitySold'],
  ...['wasteCount', 'wasteAmount'],
];

const figuresOf = (rows: Json[]): bigint[] =>
  FIGURES.map((field) => add(rows.map((row) => textDigits(String(row[field]), 6))));
const on = (rows: Json[], date: string): Json[] => rows.filter((row) => row.businessDate === date);
const inCents = (value: unknown): bigint => textDigits(String(value), 2);

/** Without what no menu report counts: gift cards and deferred items that are not voided, gratuity, tax and tips. */
function withoutOthers(order: Json): Json {
  const voided = (check: Json, selection: Json): boolean => order.voided || check.voided || selection.voided;
  // What is under them may be voided itself.
  const plain = (selection: Json): boolean => list(selection.modifiers).length === 0;
  return {
    ...order,
    checks: list(order.checks).map((check) => ({
      ...check,
      taxAmount: null,
      // The dates of what was refunded are those of the payments.
      payments: list(check.payments).map(({ refund }) => ({
        refund: refund && { ...refund, refundAmount: null, tipRefundAmount: null },
      })),
      appliedServiceCharges: list(check.appliedServiceCharges).filter(({ gratuity }) => !gratuity),
      selections: list(check.selections).filter((one) => voided(check, one) || isSold(one) || !plain(one)),
    })),
  };
}

interface Loaded {
  naive: NaiveRestaurant;
  report: Report;
  /** The same orders without waste, gift cards, tax and tips, and with other menus. */
  other: Report;
}

describe('the laws of menu reports', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });
  after(() => engine.close());

  checkLaws(
    fc.record({ one: cases(8, 0), menus, others: menus }),
    async (round): Promise<Loaded[]> => {
      const loaded = await forEach(round, async ({ one: { restaurant, orders }, menus: listed, others }) => {
        const [of, other] = [newRestaurant(restaurant), newRestaurant(restaurant)];
        await engine.facts.putMenus(of.id, menusBody.read({ menus: listed }).menus);
        await engine.facts.putMenus(other.id, menusBody.read(others).menus);
        await put(engine, of, 'orders', orders);
        await put(engine, other, 'orders', orders.map(withoutOthers));
        return { of, other };
      });
      const reports = reportsOf(
        engine,
        loaded.flatMap(({ of, other }) => [of, other]),
      );
      return loaded.map(({ of }, index) => ({
        naive: { ...(round[index]?.one.restaurant as NaiveRestaurant), guid: of.guid },
        report: reports[2 * index] as Report,
        other: reports[2 * index + 1] as Report,
      }));
    },
    {
      'menu reports, whole and by each group, are what plain arithmetic makes of the source': async (
        { one: { orders }, menus: listed },
        { naive, report },
      ) => {
        for (const group of [undefined, ...GROUPS]) {
          const groups = group ? [group] : [];
          assert.deepEqual(await report({ ...SPAN, groups }), naiveMenu(orders, naive, listed, group));
        }
      },

      'items, groups and menus add up to the row without them': async (_one, { report }) => {
        const whole = await report(SPAN);
        for (const level of LEVELS) {
          const parts = await report({ ...SPAN, groups: [level] });
          assert.deepEqual(
            new Set(parts.map((row) => row.businessDate)),
            new Set(whole.map((row) => row.businessDate)),
          );
          for (const row of whole) assert.deepEqual(figuresOf(on(parts, row.businessDate)), figuresOf([row]));
        }
      },

      'net is what discount and refund leave, the average is gross by quantity, and no key comes twice': async (
        _one,
        { report },
      ) => {
        for (const group of GROUPS) {
          const rows = await report({ ...SPAN, groups: [group] });
          for (const row of rows) {
            const [net, gross = 0n, discount = 0n, refund = 0n, , quantity = 0n] = figuresOf([row]);
            assert.equal(net, gross - discount - refund);
            const size = quantity < 0n ? -quantity : quantity;
            const average = quantity === 0n ? 0n : quotient(quantity < 0n ? -gross * 100n : gross * 100n, size);
            assert.equal(inCents(row.averagePrice), average);
          }
          const pair = { MENU: 'menu', MENU_GROUP: 'menuGroup', MENU_ITEM: 'menuItem', MODIFIER: 'modifier' }[group];
          const keys = rows.map((row) => `${row.businessDate} ${row[`${pair}Guid`] ?? `name ${row[`${pair}Name`]}`}`);
          assert.equal(new Set(keys).size, keys.length);
        }
      },

      'gross, voids, discounts and refunds differ from those of metrics by what belongs to no item': async (
        { one: { orders } },
        { naive, report },
      ) => {
        const metrics = await report();
        const whole = await report(SPAN);
        const kept = newestVersions(orders);
        const refunds = kept.flatMap((order) => liveChecks(order).flatMap((check) => refundsOf(check, order, naive)));
        const dates = new Set([...metrics, ...whole].map((row) => row.businessDate));
        for (const date of dates) {
          const live = kept.filter((order) => dateOf(order, naive) === date).flatMap(liveChecks);
          const charges = live.flatMap((check) => list(check.appliedServiceCharges).filter(isSalesCharge));
          const lines = naiveLines(orders, naive).filter((line) => !line.modifier && line.fate === 'sold');
          const unsold = live.filter((check) => !lines.some((line) => line.check === check.guid));
          const [m, s] = [metrics, whole].map((rows) => on(rows, date)[0] ?? {});
          const of = (row: Json, field: string): bigint => inCents(row[field] ?? 0);
          assert.equal(
            of(s, 'grossSalesAmount'),
            of(m, 'grossSalesAmount') - add(charges.map(({ chargeAmount }) => cents(chargeAmount))),
          );
          assert.equal(of(s, 'voidAmount'), of(m, 'voidOrdersAmount'));
          assert.equal(of(s, 'discountAmount'), of(m, 'discountAmount') - add(unsold.map(discountsOf)));
          assert.equal(
            of(s, 'refundAmount'),
            of(m, 'refundAmount') -
              add(refunds.filter((one) => one.date === date && !one.item).map(({ amount }) => amount)),
          );
        }
      },

      'the shares of a check’s discount add up to it, and none has another sign': ({ one: { orders, restaurant } }) => {
        for (const order of orders) {
          const facts = orderFacts({ ...order, modifiedDate: null }, 0, restaurant);
          assert.ok('lines' in facts);
          const sold = naiveLines([order], restaurant).filter((line) => !line.modifier && line.fate === 'sold');
          for (const check of liveChecks(order)) {
            const own = sold.filter((line) => line.check === check.guid);
            const shares = own.map(({ share }) => share);
            const whole = discountsOf(check);
            if (own.length > 0) assert.equal(add(shares), whole);
            assert.ok(shares.every((share) => share === 0n || share > 0n === whole > 0n));
            const discounts: LineFact[] = facts.lines.filter(
              (line) => !line.modifier && line.check_guid === check.guid,
            );
            assert.equal(
              BigInt(discounts.reduce((sum, line) => sum + line.discount_cents, 0)),
              add(own.map(({ source, share }) => discountsOf(source) + share)),
            );
          }
        }
      },

      'gift cards, deferred items, gratuity, tax, tips and other menus change no figure of an item or modifier': async (
        _one,
        { report, other },
      ) => {
        for (const [group, pair] of [
          ['MENU_ITEM', 'menuItem'],
          ['MODIFIER', 'modifier'],
        ] as const) {
          // The name of an item may come from the menus; where there is no GUID it is its own.
          const keyed = (rows: Json[]): string[] =>
            rows
              .map((row) => {
                const guid = row[`${pair}Guid`];
                return JSON.stringify([row.businessDate, guid ?? row[`${pair}Name`], FIGURES.map((name) => row[name])]);
              })
              .sort();
          assert.deepEqual(
            keyed(await other({ ...SPAN, groups: [group] })),
            keyed(await report({ ...SPAN, groups: [group] })),
          );
        }
      },

      'reports of single days are the span, row by row': async (_one, { report }) => {
        for (const groups of [[], ['MENU_ITEM']]) {
          const span = await report({ ...SPAN, groups });
          const singles = [];
          for (const date of new Set(span.map((row) => Number(row.businessDate)))) {
            singles.push(...(await report({ ...SPAN, groups, startDate: date, endDate: date })));
          }
          assert.deepEqual(singles, span);
        }
      },
    },
  );
});
