/** What every store of facts must do about parts of orders with dates of their own. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrderFact } from '../../packages/service/src/facts/order.ts';
import type { GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import {
  checkFact,
  type Lines,
  lineFact,
  mergeLines,
  type OpenedFacts,
  orderFact,
  refundFact,
  reportOf,
  shiftFact,
} from './facts.ts';

const BOUNDS = { deadlineMs: 20_000 };
const [SOLD, GIVEN, LATER] = [20260310, 20260312, 20260313];
const BISTRO = 'b1500000-0000-4000-8000-000000000001';
let restaurants = 900;

const scopeOf = (id: number): RestaurantScope => ({
  id,
  guid: BISTRO,
  name: 'Bistro',
  timeZone: 'America/New_York',
  closeoutHour: 4,
  currencyCode: 'USD',
});

export function factsRefundsConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: refunds on dates of their own`, () => {
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    /**
     * An order of 10.00 in the bar at 12:00, its check and its line, with 3.00 of it refunded on a date; 0 for none.
     */
    function sale(order: OrderFact): (date: number, changes?: Partial<OrderFact>) => Lines {
      const check = checkFact(order);
      const line = lineFact(check);
      return (date, changes = {}) => {
        const now = { ...order, ...changes };
        const time = { business_date: date };
        return {
          orders: [now],
          checks: [{ ...check, business_date: now.business_date, opened_at: now.opened_at }],
          lines: [line],
          refunds: date === 0 ? [] : [refundFact(now, check, time), refundFact(now, check, { ...time, line })],
        };
      };
    }
    const rows = async (id: number, fields: string[], query: Partial<GatherQuery> = {}) =>
      (await reportOf(opened, id, query)).records.map((row) => fields.map((field) => row[field] ?? null));
    const sales = (id: number, query: Partial<GatherQuery> = {}) =>
      rows(id, ['businessDate', 'ordersCount', 'grossSalesAmount', 'refundAmount', 'netSalesAmount'], query);
    const days = async (id: number) =>
      (await opened.facts.loadedDays(id, 20260101, 20261231)).map(({ businessDate, orders, checks }) => [
        ...[businessDate, orders, checks],
      ]);
    const dates = async (id: number) => {
      const { firstDate, lastDate } = (await opened.facts.coverage([id])).get(id) ?? assert.fail();
      return [firstDate, lastDate];
    };
    const touched = ({ days: list }: Awaited<ReturnType<typeof mergeLines>>) =>
      list.map(({ businessDate, hasRecords }) => [businessDate, hasRecords]);
    const bar = () => sale(orderFact({ dining_guid: 'd-1', dining_name: 'Bar', source: 'ONLINE' }));

    it('has rows of a date that has a refund and no orders, by day, hour, daypart, group and item', async () => {
      const id = ++restaurants;
      await mergeLines(opened, id, bar()(GIVEN));

      const sold = [String(SOLD), 1, 10, 0, 9];
      const refunded = [String(GIVEN), 0, 0, 3, -3];
      assert.deepEqual(await sales(id), [sold, refunded]);
      assert.deepEqual(await sales(id, { startDate: GIVEN, endDate: GIVEN }), [refunded]);
      const hourly = ['businessDate', 'businessHour', 'diningOption', 'netSalesAmount', 'avgOrderValue'];
      assert.deepEqual(await rows(id, hourly, { aggregate: 'HOUR', groups: ['DINING_OPTION'] }), [
        [String(SOLD), '12', 'Bar', 9, 9],
        [String(GIVEN), '21', 'Bar', -3, 0],
      ]);
      const menu = ['businessDate', 'menuItemName', 'quantitySold', 'grossSalesAmount', 'refundAmount', 'averagePrice'];
      assert.deepEqual(await rows(id, menu, { kind: 'menu', groups: ['MENU_ITEM'] }), [
        [String(SOLD), 'Burger', 1, 10, 0, 10],
        [String(GIVEN), 'Burger', 0, 0, 3, 0],
      ]);
      assert.deepEqual(await days(id), [
        [SOLD, 1, 1],
        [GIVEN, 0, 0],
      ]);
      assert.deepEqual(await dates(id), [SOLD, GIVEN]);
    });

    it('has a date of a refund that names no item, which no menu report has', async () => {
      const id = ++restaurants;
      const { refunds = [], ...rest } = bar()(GIVEN);
      await mergeLines(opened, id, { ...rest, refunds: refunds.slice(0, 1) });

      assert.deepEqual(await rows(id, ['businessDate'], { kind: 'menu' }), [[String(SOLD)]]);
      assert.deepEqual(await days(id), [
        [SOLD, 1, 1],
        [GIVEN, 0, 0],
      ]);
      assert.deepEqual(await dates(id), [SOLD, GIVEN]);
    });

    it('has the sales of a refund in labor reports of its date', async () => {
      const id = ++restaurants;
      await mergeLines(opened, id, bar()(GIVEN));
      await mergeLines(opened, id, { shifts: [shiftFact({ business_date: GIVEN })] });

      assert.deepEqual(await rows(id, ['businessDate', 'totalCost', 'netSalesAmount'], { kind: 'labor' }), [
        [String(SOLD), 0, 9],
        [String(GIVEN), 160, -3],
      ]);
    });

    it('moves refunds within a date from hour to hour, and the date is unchanged', async () => {
      const id = ++restaurants;
      const order = orderFact({ refund_cents: 300 });
      const check = checkFact(order);
      const at = (business_hour: number, refund_cents: number) =>
        refundFact(order, check, { business_date: SOLD, business_hour, refund_cents });
      await mergeLines(opened, id, { orders: [order], checks: [check], refunds: [at(12, -300), at(21, 300)] });

      assert.deepEqual(await sales(id), [[String(SOLD), 1, 10, 3, 6]]);
      assert.deepEqual(await rows(id, ['businessHour', 'refundAmount', 'ordersCount'], { aggregate: 'HOUR' }), [
        ['12', 0, 1],
        ['21', 3, 0],
      ]);
    });

    it('removes the refunds of replaced and deleted orders from their dates', async () => {
      const id = ++restaurants;
      const load = bar();
      const kept = sale(orderFact({ gross_cents: 5000 }));
      await mergeLines(opened, id, kept(GIVEN));

      await mergeLines(opened, id, load(GIVEN));
      const moved = await mergeLines(opened, id, load(LATER, { modified_at: 2000 }));
      assert.deepEqual(touched(moved), [
        [SOLD, true],
        [GIVEN, false],
        [LATER, true],
      ]);
      assert.deepEqual((await sales(id)).slice(1), [
        [String(GIVEN), 0, 0, 3, -3],
        [String(LATER), 0, 0, 3, -3],
      ]);
      assert.deepEqual(await dates(id), [SOLD, LATER]);

      const removed = await mergeLines(opened, id, load(0, { modified_at: 3000 }));
      assert.deepEqual(touched(removed), [
        [SOLD, true],
        [LATER, false],
      ]);
      assert.deepEqual(await dates(id), [SOLD, GIVEN]);
      await mergeLines(opened, id, load(LATER, { modified_at: 4000 }));
      const gone = { status: 'excluded', gross_cents: 0, discount_cents: 0, guests: 0, has_discount: false } as const;
      const deleted = orderFact({ ...load(0).orders?.[0], ...gone, modified_at: 5000 });
      assert.deepEqual(touched(await mergeLines(opened, id, { orders: [deleted] })), [
        [SOLD, false],
        [LATER, false],
      ]);
      assert.deepEqual(await sales(id), [
        [String(SOLD), 1, 50, 0, 49],
        [String(GIVEN), 0, 0, 3, -3],
      ]);
      assert.deepEqual(await days(id), [
        [SOLD, 1, 1],
        [GIVEN, 0, 0],
      ]);
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });

    it('has the same rows and dates after its rollups were computed again', async () => {
      const id = ++restaurants;
      await mergeLines(opened, id, bar()(GIVEN));
      const all = async () => [
        await sales(id),
        await rows(id, ['businessDate', 'refundAmount'], { kind: 'menu' }),
        await days(id),
        await dates(id),
      ];
      const expected = await all();

      await opened.facts.rebuild(BOUNDS);

      assert.deepEqual(await all(), expected);
      assert.deepEqual(await opened.facts.verify(BOUNDS), []);
    });

    it('keeps a closed date as it was, and names the check on the date of the refund', async () => {
      const id = ++restaurants;
      const load = bar();
      await mergeLines(opened, id, load(0));
      const closed = await reportOf(opened, id, { startDate: SOLD, endDate: SOLD });
      const first = await reportOf(opened, id);
      await mergeLines(opened, id, load(GIVEN, { modified_at: 2000 }));
      const second = await reportOf(opened, id);
      await mergeLines(opened, id, load(LATER, { modified_at: 3000 }));
      const third = await reportOf(opened, id);
      const changes = async (
        kind: 'metrics' | 'menu',
        from: { snapshot: string },
        to: { snapshot: string },
        date = 0,
      ) => {
        const span = date === 0 ? { startDate: SOLD, endDate: LATER } : { startDate: date, endDate: date };
        const restaurantsOf = [scopeOf(id)];
        const { checks, lines } = await opened.facts.changes(
          {
            kind,
            ...span,
            offset: 0,
            limit: 10,
            before: { snapshot: from.snapshot, restaurants: restaurantsOf },
            after: { snapshot: to.snapshot, restaurants: restaurantsOf },
          },
          BOUNDS,
        );
        const sideOf = (side: Record<string, unknown> | null) => side && [side.businessDate, side.refundAmount];
        return (kind === 'metrics' ? checks : (lines ?? [])).map((one) => [sideOf(one.before), sideOf(one.after)]);
      };

      assert.deepEqual((await reportOf(opened, id, { startDate: SOLD, endDate: SOLD })).records, closed.records);
      for (const kind of ['metrics', 'menu'] as const) {
        assert.deepEqual(await changes(kind, first, second), [[null, [GIVEN, 300]]]);
        assert.deepEqual(await changes(kind, second, third), [
          [[GIVEN, 300], null],
          [null, [LATER, 300]],
        ]);
        assert.deepEqual(await changes(kind, second, third, SOLD), []);
        assert.deepEqual(await changes(kind, second, third, LATER), [[null, [LATER, 300]]]);
      }
    });
  });
}
