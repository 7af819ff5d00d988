/** The orders calls of the stand-in: windows, dates, pages by number over a set that changes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { bulk, type Called, houseOf, START, signIn, small, startSmall } from './caller.ts';
import { GUEST_MARKS } from './documents.ts';
import type { Upstream } from './upstream.ts';

const guidsOf = ({ body }: Called): string[] => body.map(({ guid }: { guid: string }) => guid);
const instant = (text: string): number => Date.parse(text.replace('+0000', 'Z'));

describe('orders of the stand-in', () => {
  let upstream: Upstream;
  let get: (path: string, restaurant?: string) => Promise<Called>;
  before(async () => {
    upstream = await startSmall({ limits: 'off', days: 5, restaurants: [small(0, { ordersPerDay: 150 }), small(5)] });
    get = await signIn(upstream);
  });
  after(() => upstream.close());

  it('are found by the last modification, from the start (inclusive) to the end (exclusive)', async () => {
    const { body } = await get(bulk(START - 2 * HOUR_MS, START));
    assert.ok(body.length > 10);
    const times = body.map(({ modifiedDate }: { modifiedDate: string }) => instant(modifiedDate));
    assert.ok(times.every((at: number) => at >= START - 2 * HOUR_MS && at < START));
    const latest = Math.max(...times);
    const at = guidsOf(await get(bulk(latest, latest + 1)));
    assert.ok(at.length >= 1);
    assert.deepEqual(
      guidsOf(await get(bulk(latest - 1, latest))).filter((guid) => at.includes(guid)),
      [],
    );
  });

  it('are found by the business date that they were opened or promised on, and by their GUID', async () => {
    const { body } = await get('/orders/v2/ordersBulk?businessDate=20260309');
    assert.ok(body.length > 60);
    assert.deepEqual([...new Set(body.map((one: { businessDate: number }) => one.businessDate))], [20260309]);
    const one = await get(`/orders/v2/orders/${body[0].guid}`);
    assert.deepEqual([one.status, one.body], [200, body[0]]);
    const other = await get('/orders/v2/orders/00000000-0000-4000-8000-000000000000');
    assert.deepEqual([other.status, other.body.status], [404, 404]);
  });

  it('of a restaurant are not those of another', async () => {
    const [one, other] = [...upstream.world.houses.keys()];
    const first = guidsOf(await get('/orders/v2/ordersBulk?businessDate=20260309', one));
    const second = guidsOf(await get('/orders/v2/ordersBulk?businessDate=20260309', other));
    assert.ok(second.length > 0 && first.every((guid) => !second.includes(guid)));
  });

  it('come in pages by number, with a next one in `Link` and never a last one, shuffled and always alike', async () => {
    const all: string[] = [];
    let path = '/orders/v2/ordersBulk?businessDate=20260308&pageSize=50';
    for (let page = 1; ; page++) {
      const answer = await get(path);
      const again = await get(path);
      assert.deepEqual(guidsOf(again), guidsOf(answer));
      all.push(...guidsOf(answer));
      const link = answer.headers.get('link');
      assert.ok(link === null || !link.includes('last'));
      const next = /^<(.*)>; rel="next"$/.exec(link ?? '')?.[1];
      if (!next) break;
      assert.match(next, new RegExp(`page=${page + 1}\\b`));
      path = next.slice(upstream.url.length);
    }
    const orders = houseOf(upstream).ofDate('orders', 20260308, START);
    assert.deepEqual(all.toSorted(), orders.map(({ guid }) => guid).toSorted());
    assert.notDeepEqual(
      all,
      orders.map(({ guid }) => guid),
    );
    assert.deepEqual((await get('/orders/v2/ordersBulk?businessDate=20260308&page=99')).body, []);
  });

  it('that a reader cannot have are refused with a sentence', async () => {
    const refused: [path: string, message: RegExp][] = [
      ['/orders/v2/ordersBulk', /EITHER \(startDate and endDate\) OR businessDate is required/],
      ['/orders/v2/ordersBulk?startDate=2026-03-10T00:00:00.000Z', /EITHER/],
      [`${bulk(START - 1, START)}&businessDate=20260310`, /EITHER/],
      [bulk(START, START), /Input startDate must be before endDate/],
      [bulk(START - 32 * 24 * HOUR_MS, START), /one month/],
      ['/orders/v2/ordersBulk?businessDate=2026-03-10', /yyyyMMdd/],
      ['/orders/v2/ordersBulk?businessDate=20260310&pageSize=101', /pageSize/],
      ['/orders/v2/ordersBulk?businessDate=20260310&page=0', /page must be/],
      // A plus that is not encoded is a blank, and a time needs its fraction.
      [
        '/orders/v2/ordersBulk?startDate=2026-03-10T00:00:00.000+0000&endDate=2026-03-10T01:00:00.000+0000',
        /Invalid startDate/,
      ],
      ['/orders/v2/ordersBulk?startDate=2026-03-10T00:00:00Z&endDate=2026-03-10T01:00:00Z', /fraction/],
    ];
    for (const [path, message] of refused) {
      const { status, body } = await get(path);
      assert.equal(status, 400, path);
      assert.match(body.message, message);
      assert.match(body.requestId, /^[0-9a-f-]{36}$/);
    }
  });

  it('have guests, addresses and cards that a reader must not keep, each with a mark to search for', async () => {
    const { text } = await get('/orders/v2/ordersBulk?businessDate=20260308');
    for (const mark of GUEST_MARKS) assert.ok(text.includes(mark), mark);
  });
});

describe('a set of orders that changes while it is read', () => {
  let upstream: Upstream;
  before(async () => {
    upstream = await startSmall({ limits: 'off', days: 3, restaurants: [small(0, { ordersPerDay: 200 })] });
  });
  after(() => upstream.close());

  /** Reads the pages of a window once. */
  async function pass(get: Awaited<ReturnType<typeof signIn>>, path: string): Promise<string[]> {
    const guids: string[] = [];
    for (let page = 1; ; page++) {
      const answer = await get(`${path}&pageSize=20&page=${page}`);
      guids.push(...guidsOf(answer));
      if (!answer.headers.has('link')) return guids;
    }
  }

  it('is read in one pass without the order at the boundary of a page, which a second pass finds', async () => {
    const get = await signIn(upstream);
    const until = START + MINUTE_MS;
    const window = bulk(START - 3 * HOUR_MS, START);
    upstream.clock.advance(MINUTE_MS);
    const whole = houseOf(upstream)
      .modified('orders', { from: START - 3 * HOUR_MS, until: START }, until)
      .map(({ guid }) => guid);
    upstream.faults.add({ route: 'ordersBulk', page: 2, times: 1, fault: { kind: 'modify', orders: 1 } });

    const first = await pass(get, window);
    const second = await pass(get, window);

    const left = whole.filter(
      (guid) =>
        !houseOf(upstream)
          .modified('orders', { from: START - 3 * HOUR_MS, until: START }, until)
          .some((one) => one.guid === guid),
    );
    assert.equal(left.length, 1);
    const lost = whole.filter((guid) => !first.includes(guid));
    assert.equal(lost.length, 1);
    assert.notEqual(lost[0], left[0]);
    assert.ok(second.includes(lost[0] ?? ''));
    // The one that was modified is in the window after.
    assert.ok(guidsOf(await get(bulk(START, until + 1))).includes(left[0] ?? ''));
  });

  it('changes with trade, where the clock moves with each call', async () => {
    const moving = await startSmall({
      limits: 'off',
      days: 3,
      msPerCall: 20_000,
      restaurants: [small(0, { ordersPerDay: 200 })],
    });
    try {
      const get = await signIn(moving);
      const window = bulk(START - HOUR_MS, START);
      const counts: number[] = [];
      for (let call = 0; call < 40; call++) counts.push((await get(`${window}&pageSize=100`)).body.length);
      assert.ok((counts[0] ?? 0) > (counts.at(-1) ?? 0));
      assert.deepEqual(
        counts,
        counts.toSorted((one, other) => other - one),
      );
    } finally {
      await moving.close();
    }
  });

  it('may be listed by modification or opening instead', async () => {
    for (const sequence of ['modified', 'opened'] as const) {
      const other = await startSmall({ sequence });
      try {
        const { body } = await (await signIn(other))('/orders/v2/ordersBulk?businessDate=20260309');
        const times = body.map((one: Record<string, string>) => one[`${sequence}Date`]);
        assert.deepEqual(times, times.toSorted());
      } finally {
        await other.close();
      }
    }
  });

  it('may leave deleted orders out of a business date, and has them by modification all the same', async (t) => {
    const other = await startSmall({ deletedByDate: false });
    t.after(() => other.close());
    const get = await signIn(other);
    const [order] = houseOf(other).ofDate('orders', 20260309, START);
    assert.ok(order);
    other.world.change({ order: { guid: order.guid, deleted: true } });
    const isIn = ({ body }: Called): boolean => body.some(({ guid }: { guid: string }) => guid === order.guid);
    assert.ok(!isIn(await get('/orders/v2/ordersBulk?businessDate=20260309')));
    assert.ok(isIn(await get(bulk(START, START + 1))));
  });

  it('may lose an order altogether, which is 404 from then on', async (t) => {
    const other = await startSmall();
    t.after(() => other.close());
    const get = await signIn(other);
    const [order] = (await get('/orders/v2/ordersBulk?businessDate=20260309')).body;
    other.world.change({ removeOrder: order.guid });
    assert.ok(!guidsOf(await get('/orders/v2/ordersBulk?businessDate=20260309')).includes(order.guid));
    assert.equal((await get(`/orders/v2/orders/${order.guid}`)).status, 404);
  });

  it('has an order of any age again when it is refunded', async (t) => {
    const aged = await startSmall();
    t.after(() => aged.close());
    const old = houseOf(aged)
      .modified('orders', { from: START - 40 * 24 * HOUR_MS, until: START }, START)
      .find(({ openedDate, modifiedDate }) => instant(modifiedDate) - instant(openedDate) > 20 * 24 * HOUR_MS);
    assert.ok(old);
    const at = instant(old.modifiedDate);
    const { body } = await (await signIn(aged))(bulk(at, at + 1));
    assert.ok(body.some(({ guid }: { guid: string }) => guid === old.guid));
    assert.ok(
      old.checks.some(({ payments }) => payments.some(({ refund }) => refund?.refundDate === old.modifiedDate)),
    );
  });
});
