/**
 * What every store of facts must say of orders that were loaded without their items or payments, against a naive model.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { addDays, toUtc } from '../../packages/service/src/contract/dates.ts';
import { DETAILS, type OrderFact } from '../../packages/service/src/facts/order.ts';
import type { RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { dayBefore, wallClock } from '../laws/naive-clock.ts';
import { checkFact, mergeLines, type OpenedFacts, orderFact } from './facts.ts';

const BOUNDS = { deadlineMs: 60_000 };
const QUARTER = 15 * 60_000;
/**
 * A date and spans on which clocks change in some of the zones, and a report that is too large to be gathered with
 * others.
 */
const SPANS = [
  [20260308, 20260308],
  [20260328, 20260329],
  [20260404, 20260405],
  [20261024, 20261101],
  [20260101, 20261231],
] as const;
const KINDS = { menu: 'items', 'payout-sales-date': 'payments', 'payout-payments': 'payments' } as const;

/** An order as it is stored now, with the times of its checks. */
interface Sale {
  order: OrderFact;
  paid: (number | null)[];
}
interface Place extends RestaurantScope {
  sales: Sale[];
}

const place = (id: number, timeZone: string, closeoutHour: number): Place => ({
  id,
  guid: `b1500000-0000-4000-8000-00000000000${id}`,
  name: `No. ${id}`,
  timeZone,
  closeoutHour,
  currencyCode: null,
  sales: [],
});

/** The business date of an instant, by the text that the clock shows. */
function dateOf(instant: number, { timeZone, closeoutHour }: RestaurantScope): number {
  const { date, hour } = wallClock(instant, timeZone);
  return Number(hour < closeoutHour ? dayBefore(date) : date);
}

/** The first quarter of an hour that is on the date, or on a later one. */
function beginOf(date: number, at: RestaurantScope): number {
  let instant = toUtc(addDays(date, -1));
  while (dateOf(instant, at) < date) instant += QUARTER;
  return instant;
}

/** The dates of the orders of a restaurant that lack a detail in reports of the span. */
function lacking(at: Place, [start, end]: readonly [number, number], detail: keyof typeof DETAILS): number[] {
  const isIn = (date: number): boolean => date >= start && date <= end;
  const dates = at.sales.flatMap(({ order: { status, details, business_date }, paid }) => {
    if (status === 'excluded' || (details & DETAILS[detail]) !== 0) return [];
    const isPaid = paid.some((instant) => instant !== null && isIn(dateOf(instant, at)));
    return isIn(business_date) || (detail === 'payments' && isPaid) ? [business_date] : [];
  });
  return [...new Set(dates)].sort((one, other) => one - other);
}

export function factsIncompleteConformance(name: string, open: () => Promise<OpenedFacts>): void {
  describe(`facts: ${name}: orders without details`, () => {
    const places = [
      place(1, 'America/New_York', 4),
      place(2, 'Europe/Dublin', 1),
      place(3, 'Australia/Lord_Howe', 2),
      place(4, 'Asia/Kathmandu', 0),
    ];
    let opened: OpenedFacts;
    before(async () => {
      opened = await open();
      for (const at of places) await loadPlace(at);
    });
    after(() => opened.close());

    const loadSales = ({ id }: Place, sales: readonly Sale[]) => {
      const orders = sales.map(({ order }, seq) => ({ ...order, seq }));
      const checks = sales.flatMap(({ paid }, seq) =>
        paid.map((paid_at) => checkFact(orders[seq] ?? assert.fail(), { paid_at })),
      );
      return mergeLines(opened, id, { orders, checks });
    };

    /**
     * Orders of dates of their own, paid at the ends of the spans and right before and after them; some are then
     * replaced.
     */
    async function loadPlace(at: Place): Promise<void> {
      let date = 20240101;
      const sale = (changes: Partial<OrderFact>, ...paid: Sale['paid']): Sale => {
        date = addDays(date, 1);
        return { order: orderFact({ business_date: date, ...changes }), paid };
      };
      const first = beginOf(SPANS[0][0], at);
      const paid = SPANS.flatMap(([start, end]) => {
        const [from, until] = [beginOf(start, at), beginOf(addDays(end, 1), at)];
        return [from - 1, from, until - 1, until].flatMap((instant) =>
          [0, 1, 2, 3].map((details) => sale({ details }, null, instant)),
        );
      });
      const sold = SPANS.flatMap(([start, end]) => [
        sale({ business_date: start }),
        sale({ business_date: end, details: 3 }, null),
        sale({ business_date: end, details: 1 }, beginOf(20300101, at)),
      ]);
      const others = [sale({ status: 'excluded' }, first), sale({ status: 'voided' }, first, first), sale({}, null)];
      const replaced = [sale({}, first), sale({}, first), sale({}, null), sale({ details: 3 }, first), sale({}, first)];
      const [whole, unpaid, later, older, moved] = replaced.map(({ order }) => ({ ...order, modified_at: 2000 }));
      assert.ok(whole && unpaid && later && older && moved);
      const again = [
        { order: { ...whole, details: 3 }, paid: [first] },
        { order: unpaid, paid: [null] },
        { order: later, paid: [first, null] },
        { order: { ...older, details: 0 }, paid: [first - 1] },
        { order: { ...moved, business_date: 20230101 }, paid: [first] },
      ];
      await loadSales(at, [...paid, ...sold, ...others, ...replaced]);
      await loadSales(at, again);
      at.sales.push(...paid, ...sold, ...others, ...again);
    }

    async function gather(kind: string, restaurants: Place[], [startDate, endDate]: readonly [number, number]) {
      const scopes = restaurants.map(({ sales: _sales, ...scope }) => scope);
      const query = { kind, restaurants: scopes, startDate, endDate, aggregate: 'DAY' as const, groups: [] };
      const { incomplete } = await opened.facts.gather(query, join(opened.folder, `${randomUUID()}.parquet`), BOUNDS);
      return incomplete;
    }

    for (const [kind, detail] of Object.entries(KINDS))
      it(`names the dates of orders without ${detail} that ${kind} lacks`, async () => {
        for (const span of SPANS) {
          const days = places.flatMap((at) =>
            lacking(at, span, detail).map((businessDate) => ({ restaurantGuid: at.guid, businessDate })),
          );
          assert.ok(days.length > 0);
          assert.deepEqual(await gather(kind, places, span), { count: days.length, days }, span.join());
        }
      });

    it('names to each of the reports that wait together what its own restaurants lack', async () => {
      const [span] = SPANS;
      const together = await Promise.all(places.map((at) => gather('guest-payments', [at], span)));
      assert.deepEqual(
        together.map((incomplete) => incomplete?.days.map(({ businessDate }) => businessDate)),
        places.map((at) => lacking(at, span, 'payments')),
      );
    });

    it('names none once all orders are loaded with their details', async () => {
      for (const at of places) {
        const whole = at.sales.map(({ order, paid }) => ({ order: { ...order, details: 3, modified_at: 3000 }, paid }));
        await loadSales(at, whole);
      }
      for (const span of SPANS)
        for (const kind of [...Object.keys(KINDS), 'guest-payments'])
          assert.equal(await gather(kind, places, span), null);
    });
  });
}
