/** What every store of facts must do about versions that were replaced, its rollups, and copies of itself. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Facts } from '../../packages/service/src/facts/facts.ts';
import { DELETED_DETAILS, DETAILS } from '../../packages/service/src/facts/order.ts';
import type { Change, GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { checkFact, mergeLines, type OpenedFacts, orderFact, recordsOf, shiftFact } from './facts.ts';

const BOUNDS = { deadlineMs: 20_000 };
const SPAN = { startDate: 20260310, endDate: 20260310 };
const BISTRO = 'b1500000-0000-4000-8000-000000000001';
let restaurants = 500;

const scopeOf = (id: number): RestaurantScope => ({
  id,
  guid: BISTRO,
  name: 'Bistro',
  timeZone: 'America/New_York',
  closeoutHour: 4,
  currencyCode: 'USD',
});

export function factsHistoryConformance(
  name: string,
  open: () => Promise<OpenedFacts>,
  /** Opens a copy; left out where copies are made with other tools. */
  reopen?: (folder: string) => Promise<Facts>,
): void {
  describe(`facts: ${name}: history`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    const gather = (id: number, kind: GatherQuery['kind'] = 'metrics') =>
      opened.facts.gather(
        { kind, restaurants: [scopeOf(id)], ...SPAN, aggregate: 'DAY', groups: [] },
        join(opened.folder, `${randomUUID()}.parquet`),
        BOUNDS,
      );
    const moved = (kind: GatherQuery['kind'], from: [string, number[]], to: [string, number[]], page = {}) =>
      opened.facts.changes(
        {
          kind,
          ...SPAN,
          offset: 0,
          limit: 10,
          ...page,
          before: { snapshot: from[0], restaurants: from[1].map(scopeOf) },
          after: { snapshot: to[0], restaurants: to[1].map(scopeOf) },
        },
        BOUNDS,
      );
    const net = (list: Change[]): unknown[] =>
      list.map(({ before, after }) => [before?.netSalesAmount ?? null, after?.netSalesAmount ?? null]);

    it('knows the current version of an order: the newest one, deleted or not, for its own restaurant', async () => {
      const [id, other] = [++restaurants, ++restaurants];
      const order = orderFact({ modified_at: 1000, details: DETAILS.items });
      const stored = () => opened.facts.order(id, order.order_guid);
      const { business_date, business_hour, opened_at, details } = order;
      const same = { business_date, business_hour, opened_at, details, modified_nanos: null };

      assert.equal(await stored(), undefined);
      await mergeLines(opened, id, { orders: [order, orderFact({ seq: 1 })] });
      assert.deepEqual(await stored(), { ...same, modified_at: 1000, status: 'counted' });
      await mergeLines(opened, id, {
        orders: [{ ...order, modified_at: 2000, modified_nanos: 900_001, business_date: 20260311 }],
      });
      const moved = { ...same, business_date: 20260311, modified_at: 2000, modified_nanos: 900_001 };
      assert.deepEqual(await stored(), { ...moved, status: 'counted' });
      const gone = { modified_at: 3000, status: 'excluded', details: DELETED_DETAILS } as const;
      await mergeLines(opened, id, { orders: [{ ...order, ...gone }] });
      assert.deepEqual(await stored(), { ...same, ...gone });
      assert.equal(await opened.facts.order(other, order.order_guid), undefined);
    });

    it('compares versions of one millisecond by their nanoseconds, in one load and in several', async () => {
      const id = ++restaurants;
      const order = orderFact({ modified_at: 1000 });
      const load = async (...nanos: number[]) => {
        const orders = nanos.map((modified_nanos, seq) => ({ ...order, seq, modified_nanos }));
        const { accepted } = await mergeLines(opened, id, { orders });
        return [accepted, (await opened.facts.order(id, order.order_guid))?.modified_nanos];
      };

      assert.deepEqual(await load(500), [1, 500]);
      assert.deepEqual(await load(400), [0, 500]);
      assert.deepEqual(await load(700, 600), [1, 700]);
      assert.deepEqual(await load(800, 900), [2, 900]);
      assert.deepEqual(await load(900), [1, 900]);
    });

    it('sums control totals over the rows, labour once for each date', async () => {
      const id = ++restaurants;
      const orders = [orderFact({ dining_name: 'Bar' }), orderFact({ seq: 1, dining_name: 'Patio' })];
      await mergeLines(opened, id, { orders, checks: orders.map((order) => checkFact(order, { tip_cents: 5 })) });
      await mergeLines(opened, id, { shifts: [shiftFact()] });

      const { rows, totals } = await opened.facts.gather(
        { kind: 'metrics', restaurants: [scopeOf(id)], ...SPAN, aggregate: 'DAY', groups: ['DINING_OPTION'] },
        join(opened.folder, `${randomUUID()}.parquet`),
        BOUNDS,
      );
      const checks = await gather(id, 'check');

      const [{ currencyCode, sums } = assert.fail(), ...more] = totals;
      assert.deepEqual(
        [rows, sums.ordersCount, sums.netSalesAmount, sums.hourlyJobTotalHours, sums.hourlyJobTotalPay],
        [2, 2, 1800, 800, 16_000],
      );
      assert.deepEqual([currencyCode, more], ['USD', []]);
      const ofChecks = checks.totals[0]?.sums ?? {};
      assert.deepEqual([checks.rows, ofChecks.checkTotalAmount, ofChecks.checkTipAmount], [2, 1960, 10]);
    });

    it('sums control totals by the currencies that restaurants have when they are gathered, 0 where there are no rows', async () => {
      const ids = [++restaurants, ++restaurants, ++restaurants, ++restaurants];
      const codes = ['USD', null, 'EUR', 'CHF'];
      for (const id of ids.slice(0, 3)) {
        const order = orderFact({ gross_cents: 1000 * id, discount_cents: 0, refund_cents: 0 });
        await mergeLines(opened, id, { orders: [order], checks: [checkFact(order, { total_cents: id })] });
        await mergeLines(opened, id, { shifts: [shiftFact()] });
      }
      const scopes = ids.map((id, at) => ({ ...scopeOf(id), guid: randomUUID(), currencyCode: codes[at] ?? null }));
      const gathered = (kind: 'metrics' | 'check') =>
        opened.facts.gather(
          { kind, restaurants: scopes, ...SPAN, aggregate: 'DAY', groups: [] },
          join(opened.folder, `${randomUUID()}.parquet`),
          BOUNDS,
        );

      const [metrics, checks] = [await gathered('metrics'), await gathered('check')];

      const [usd = 0, none = 0, eur = 0] = ids;
      assert.deepEqual([metrics.rows, checks.rows], [3, 3]);
      assert.deepEqual(
        metrics.totals.map(({ currencyCode, sums }) => [currencyCode, sums.netSalesAmount, sums.hourlyJobTotalHours]),
        [
          ['CHF', 0, 0],
          ['EUR', 1000 * eur, 800],
          ['USD', 1000 * usd, 800],
          [null, 1000 * none, 800],
        ],
      );
      assert.deepEqual(
        checks.totals.map(({ currencyCode, sums }) => [currencyCode, sums.checkTotalAmount]),
        [
          ['CHF', 0],
          ['EUR', eur],
          ['USD', usd],
          [null, none],
        ],
      );
    });

    it('shows a version that came and went between two reports in neither, and what moved in or out of the span', async () => {
      const id = ++restaurants;
      const order = orderFact();
      const load = (changes: object) => {
        const version = { ...order, ...changes };
        return mergeLines(opened, id, {
          orders: [version],
          checks: [checkFact(version, { check_guid: order.order_guid })],
        });
      };
      await load({});
      const first = await gather(id);
      await load({ gross_cents: 5000, modified_at: 2000 });
      const second = await gather(id);
      await load({ modified_at: 3000 });
      const third = await gather(id);
      await load({ business_date: 20260309, modified_at: 4000 });
      const fourth = await gather(id);

      const between = async (from: { snapshot: string }, to: { snapshot: string }) =>
        net((await moved('metrics', [from.snapshot, [id]], [to.snapshot, [id]])).checks);
      assert.deepEqual(await between(first, second), [[900, 4900]]);
      assert.deepEqual(await between(second, third), [[4900, 900]]);
      assert.deepEqual(await between(first, third), []);
      assert.deepEqual(await between(third, fourth), [[900, null]]);
      assert.deepEqual(await between(second, fourth), [[4900, null]]);
    });

    it('takes a deleted order for one that is not there', async () => {
      const id = ++restaurants;
      const order = orderFact();
      const load = (changes: object) => mergeLines(opened, id, { orders: [{ ...order, ...changes }] });
      const gone = { status: 'excluded', guests: 0, gross_cents: 0, discount_cents: 0, has_discount: false };
      await load({});
      const first = await gather(id);
      await load({ ...gone, modified_at: 2000 });
      const second = await gather(id);
      await load({ modified_at: 3000 });
      const third = await gather(id);

      const sides = async (from: { snapshot: string }, to: { snapshot: string }) =>
        (await moved('metrics', [from.snapshot, [id]], [to.snapshot, [id]])).orders.map(({ before, after }) => [
          before?.ordersCount,
          after?.ordersCount,
        ]);
      assert.deepEqual(await sides(first, second), [[1, undefined]]);
      assert.deepEqual(await sides(second, third), [[undefined, 1]]);
      assert.deepEqual(await sides(first, third), []);
    });

    it('counts a restaurant that is in one of the reports alone as wholly moved', async () => {
      const [one, other] = [++restaurants, ++restaurants];
      const order = orderFact();
      await mergeLines(opened, other, { orders: [order], checks: [checkFact(order)] });
      const { snapshot } = await gather(one);

      assert.deepEqual(net((await moved('metrics', [snapshot, [one]], [snapshot, [one, other]])).checks), [
        [null, 900],
      ]);
      assert.deepEqual(net((await moved('metrics', [snapshot, [one, other]], [snapshot, [one]])).checks), [
        [900, null],
      ]);
    });

    it('pages each list', async () => {
      const id = ++restaurants;
      const { snapshot } = await gather(id);
      const orders = Array.from({ length: 5 }, (_, seq) => orderFact({ seq }));
      await mergeLines(opened, id, { orders, checks: orders.map((order) => checkFact(order)) });
      const { snapshot: now } = await gather(id);

      const pages = await Promise.all(
        [0, 2, 4].map((offset) => moved('metrics', [snapshot, [id]], [now, [id]], { offset, limit: 2 })),
      );

      const guids = pages.flatMap(({ checks }) => checks.map(({ orderGuid }) => orderGuid));
      assert.deepEqual(guids.sort(), orders.map(({ order_guid }) => order_guid).sort());
    });

    it('forgets replaced versions of before an instant', async () => {
      const id = ++restaurants;
      const order = orderFact();
      await mergeLines(opened, id, { orders: [order], checks: [checkFact(order)] });
      const { snapshot } = await gather(id);
      await mergeLines(opened, id, { orders: [{ ...order, modified_at: 2000 }] });
      const { snapshot: now } = await gather(id);
      await opened.facts.forgetReplaced(Date.now() - 60_000);
      assert.equal((await moved('metrics', [snapshot, [id]], [now, [id]])).checks.length, 1);

      await opened.facts.forgetReplaced(Date.now() + 60_000);

      assert.equal((await moved('metrics', [snapshot, [id]], [now, [id]])).checks.length, 0);
    });

    if (!reopen) return;

    it('copies itself whole while loads wait, and the copy continues by itself', async () => {
      const id = ++restaurants;
      await mergeLines(opened, id, { orders: [orderFact()] });
      const target = join(opened.folder, 'copy');
      let waited = false;
      const began = Promise.withResolvers<void>();

      const copied = opened.facts.backup(target, async () => {
        began.resolve();
        await setTimeout(300);
        waited = true;
      });
      await began.promise;
      await mergeLines(opened, id, { orders: [orderFact()] });
      assert.ok(waited, 'a load was merged before the copy was done');
      await copied;

      const copy = await reopen(target);
      try {
        const at = { facts: copy, folder: opened.folder };
        assert.equal((await recordsOf(at, id))[0]?.ordersCount, 1);
        await mergeLines(at, id, { orders: [orderFact(), orderFact({ seq: 1 })] });
        assert.equal((await recordsOf(at, id))[0]?.ordersCount, 3);
        assert.deepEqual(await copy.verify(BOUNDS), []);
      } finally {
        await copy.close();
      }
      assert.equal((await recordsOf(opened, id))[0]?.ordersCount, 2);
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });
  });
}
