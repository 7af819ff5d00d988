/** What every store of facts must do about single records: time entries, and checks with their parts. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Menu, NamedRef } from '../../packages/service/src/facts/reference.ts';
import type { CountingEntry } from '../../packages/service/src/facts/shift.ts';
import { LAWS } from '../laws/laws.ts';
import { checkFact, lineFact, mergeLines, type OpenedFacts, orderFact, refundFact, shiftFact } from './facts.ts';

let restaurants = 940;

/** Lists of names that are put at once. */
const namedRefs = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  .chain((guids) => fc.tuple(...guids.map((guid) => fc.constantFrom('Old', 'New').map((name) => ({ guid, name })))));
const putsAtOnce = fc.record({
  kind: fc.constantFrom('diningOptions', 'menus'),
  lists: fc.array(namedRefs, { minLength: 2, maxLength: 3 }),
});
const toMenus = (list: readonly NamedRef[]): Menu[] => list.map((menu) => ({ ...menu, menuGroups: [] }));

export function factsRecordsConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: records`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    const DATES = { from: 20260310, to: 20260311, employee: undefined, after: undefined, limit: 10 };
    const guidOf = (n: number): string => `0a000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

    it('has the whole list of one of the puts that came at once', () =>
      fc.assert(
        fc.asyncProperty(fc.array(putsAtOnce, { minLength: 1, maxLength: 2 }), async (rounds) => {
          const { facts } = opened;
          const id = ++restaurants;
          const told = (list: readonly NamedRef[]): string =>
            JSON.stringify(list.map(({ guid, name }) => `${guid} ${name}`).sort());
          for (const { kind, lists } of rounds) {
            const isMenus = kind === 'menus';
            const put = (list: NamedRef[]) =>
              isMenus ? facts.putMenus(id, toMenus(list)) : facts.putReference(id, { diningOptions: list });
            await Promise.all(lists.map(put));
            const shown = told(isMenus ? await facts.menus(id) : (await facts.reference(id)).diningOptions);
            assert.ok(lists.map(told).includes(shown), `${kind}: ${shown} of ${lists.map(told)}`);
          }
        }),
        { numRuns: Math.ceil(LAWS * 0.015) },
      ));

    it('reads the time entries that count, with their current values, in order', async () => {
      const id = ++restaurants;
      await opened.facts.putReference(id, {
        jobs: [
          { guid: 'cook', title: 'Cook', code: '', wageFrequency: null, excludeFromReporting: false },
          { guid: 'chef', title: 'Chef', code: '', wageFrequency: 'SALARY', excludeFromReporting: false },
        ],
      });
      const shifts = [
        shiftFact({ business_date: 20260311, job_guid: 'bar', job_title: 'Bar' }),
        shiftFact({ job_title: 'Not shown', overtime_micro: 1_000_000, overtime_cents: 3000 }),
        shiftFact({ in_at: 1000, out_at: 2000, employee_guid: null, job_guid: null }),
        shiftFact({ deleted: true }),
        shiftFact({ hourly: false }),
        shiftFact({ out_at: null, by_hour: [] }),
        shiftFact({ job_guid: 'chef' }),
        shiftFact({ business_date: 20260312 }),
        shiftFact({ business_date: 20260309 }),
        shiftFact({ employee_guid: 'e-2' }),
        shiftFact({ employee_guid: 'e-2' }),
      ].map((shift, seq) => ({ ...shift, seq, entry_guid: guidOf(seq) }));
      await mergeLines(opened, id, { shifts });
      const [, , , , , , , , , moved, gone] = shifts;
      const later = [
        shiftFact({
          ...moved,
          seq: 0,
          modified_at: 2000,
          business_date: 20260311,
          micro_hours: 500_000,
          pay_cents: 99,
        }),
        shiftFact({ ...gone, seq: 1, modified_at: 2000, deleted: true }),
      ];
      await mergeLines(opened, id, { shifts: later });
      await mergeLines(opened, ++restaurants, { shifts: [shiftFact()] });

      const [nine, five] = [Date.UTC(2026, 2, 10, 13), Date.UTC(2026, 2, 10, 21)];
      const first = {
        entry_guid: guidOf(2),
        business_date: 20260310,
        in_at: 1000,
        out_at: 2000,
        job_guid: null,
        job_title: null,
        employee_guid: null,
        regular_micro: 8_000_000,
        overtime_micro: 0,
        regular_cents: 16_000,
        overtime_cents: 0,
      };
      const day = { ...first, in_at: nine, out_at: five, employee_guid: 'e-1' };
      const overtime = {
        regular_micro: 7_000_000,
        overtime_micro: 1_000_000,
        regular_cents: 13_000,
        overtime_cents: 3000,
      };
      const expected = [
        first,
        { ...day, ...overtime, entry_guid: guidOf(1), job_guid: 'cook', job_title: 'Cook' },
        { ...day, entry_guid: guidOf(0), business_date: 20260311, job_guid: 'bar', job_title: 'Bar' },
        {
          ...day,
          entry_guid: guidOf(9),
          business_date: 20260311,
          job_guid: 'cook',
          job_title: 'Cook',
          employee_guid: 'e-2',
          regular_micro: 500_000,
          regular_cents: 99,
        },
      ];
      assert.deepEqual(await opened.facts.timeEntries(id, DATES), expected);
      const paged: CountingEntry[] = [];
      for (let index = 0; index < 4; index++)
        paged.push(...(await opened.facts.timeEntries(id, { ...DATES, after: paged.at(-1), limit: 1 })));
      assert.deepEqual(paged, expected);
      assert.deepEqual(await opened.facts.timeEntries(id, { ...DATES, after: expected.at(-1) }), []);
      assert.deepEqual(await opened.facts.timeEntries(id, { ...DATES, employee: 'e-2' }), expected.slice(3));
      assert.deepEqual(await opened.facts.timeEntries(id, { ...DATES, employee: "e-2' or 1=1 --" }), []);
    });

    it('reads a check with its items, payments and refunds, as its order is now', async () => {
      const id = ++restaurants;
      const order = orderFact({ gross_cents: 3000, refund_cents: 200 });
      const check = checkFact(order, { sales_gross_cents: 3000, sales_refund_cents: 200, refund_cents: 700 });
      const other = checkFact(order);
      const lines = [
        lineFact(check, { item_guid: 'i-2', item_name: 'Soup', refund_cents: 200 }),
        lineFact(check, { item_guid: 'i-1', item_name: 'Cake', refund_cents: 0 }),
        lineFact(check, { item_guid: 'i-3', item_name: 'Extra', modifier: true, refund_cents: 0 }),
        lineFact(other, { item_name: 'Of another check' }),
      ];
      const refunds = [
        refundFact(order, check, { refund_cents: 500 }),
        refundFact(order, check, { refund_cents: 500, line: lines[1] ?? assert.fail() }),
        refundFact(order, check, { business_date: 20260310, business_hour: 12, refund_cents: -200 }),
        refundFact(order, check, { business_date: 20260310, business_hour: 14, refund_cents: 200 }),
        refundFact(order, other),
      ];
      await mergeLines(opened, id, { orders: [order], checks: [check, other], lines, refunds });

      const read = await opened.facts.check(id, check.check_guid);
      assert.equal(read?.check.order_guid, order.order_guid);
      assert.equal(read?.check.total_cents, check.total_cents);
      assert.deepEqual(
        read?.items.map((item) => [item.item_name, item.modifier, item.refund_cents]),
        [
          ['Cake', false, 500],
          ['Soup', false, 200],
          ['Extra', true, 0],
        ],
      );
      assert.deepEqual(read?.refunds, [
        { business_date: 20260310, refund_cents: 200 },
        { business_date: 20260312, refund_cents: 500 },
      ]);
      assert.equal(await opened.facts.check(id + 1000, check.check_guid), undefined);

      const moved = { ...order, modified_at: 2000, business_date: 20260311 };
      await mergeLines(opened, id, { orders: [moved], checks: [checkFact(moved, { check_guid: check.check_guid })] });
      const now = await opened.facts.check(id, check.check_guid);
      // The order's own refund moves with it, those of the version before are gone.
      assert.deepEqual(
        [now?.check.business_date, now?.items, now?.refunds],
        [20260311, [], [{ business_date: 20260311, refund_cents: 200 }]],
      );
      assert.equal(await opened.facts.check(id, other.check_guid), undefined);
    });
  });
}
