/** Taking back the load of an order: DELETE /restaurants/{guid}/orders/{orderGuid}. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: '20260310' };
const at = (second: number): string => `2026-03-10T18:00:${String(second).padStart(2, '0')}.000+0000`;

describe('an order that is taken back', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  const deleteOrder = (guid: unknown, restaurant = BISTRO, by = token) =>
    running.call('DELETE', `/restaurants/${restaurant}/orders/${guid}`, { token: by });
  const load = async (order: object): Promise<number> => {
    const { body } = await running.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: [order] });
    return body.accepted;
  };
  async function report(): Promise<string> {
    const guid = await ask(running, token, '/check/day', DAY);
    await running.call('GET', `/check/${guid}`, { token, headers: { prefer: 'wait=30' } });
    return guid;
  }
  const ordersIn = async (guid: string): Promise<Set<string>> => {
    const { body } = await running.call('GET', `/check/${guid}`, { token });
    return new Set(body.map(({ orderGuid }: { orderGuid: string }) => orderGuid));
  };

  it('is in no later report, stays in earlier ones, and changes shows that it was removed', async () => {
    const [order, other] = [plainOrder(), plainOrder()];
    await postOrders(running, token, BISTRO, [order, other]);
    const earlier = await report();

    const { status, text } = await deleteOrder(String(order.guid).toUpperCase());

    const later = await report();
    assert.deepEqual([status, text], [204, '']);
    assert.deepEqual([...(await ordersIn(later))], [other.guid]);
    assert.equal((await ordersIn(earlier)).size, 2);
    const { body } = await running.call('GET', `/reports/${later}/changes?since=${earlier}`, { token });
    assert.deepEqual(
      body.checks.map(({ orderGuid, change }: { orderGuid: string; change: string }) => [orderGuid, change]),
      [[order.guid, 'REMOVED']],
    );
    assert.deepEqual(await running.service.stores.facts.verify({ deadlineMs: 60_000 }), []);
  });

  it('changes nothing when it is deleted again', async () => {
    const order = plainOrder({ modifiedDate: at(10) });
    await load(order);
    const seen = async () => {
      const { headers, body } = await running.call('GET', '/restaurants', { token });
      return [headers.get('etag'), body];
    };
    await deleteOrder(order.guid);
    const once = await seen();

    const { status } = await deleteOrder(order.guid);

    assert.deepEqual([status, await seen()], [204, once]);
  });

  it('is restored by a newer version only, also after a restart', async () => {
    const order = plainOrder({ modifiedDate: at(10) });
    const guid = String(order.guid);
    await load(order);
    assert.equal((await deleteOrder(guid)).status, 204);
    assert.equal((await deleteOrder(guid)).status, 204);
    await running.restart();

    assert.equal(await load(order), 0);
    assert.equal(await load({ ...order, modifiedDate: at(9) }), 0);
    assert.equal((await ordersIn(await report())).has(guid), false);
    assert.equal(await load({ ...order, modifiedDate: at(11) }), 1);
    assert.equal((await ordersIn(await report())).has(guid), true);
    assert.equal((await deleteOrder(guid)).status, 204);
    assert.equal((await ordersIn(await report())).has(guid), false);

    const undated = plainOrder({ modifiedDate: undefined });
    await load(undated);
    await deleteOrder(undated.guid);
    assert.equal((await ordersIn(await report())).has(String(undated.guid)), false);
    assert.equal(await load(undated), 1);
  });

  it('is in no later menu report if it was waste, and is not restored by the same version', async () => {
    const wasted = [{ item: { guid: 'soup' }, displayName: 'Soup', price: 0, preDiscountPrice: 4 }];
    const order = plainOrder({ excessFood: true, modifiedDate: at(10) }, { selections: wasted });
    await load(order);
    const waste = async (): Promise<number> => {
      const guid = await ask(running, token, '/menu/day', { ...DAY, groupBy: ['MENU_ITEM'] });
      const { body } = await running.call('GET', `/menu/${guid}`, { token });
      return body.find((row: Record<string, unknown>) => row.menuItemGuid === 'soup')?.wasteAmount ?? 0;
    };

    const before = await waste();
    const statuses = [(await deleteOrder(order.guid)).status, (await deleteOrder(order.guid)).status];

    assert.deepEqual([before, statuses, await waste()], [4, [204, 204], 0]);
    assert.equal(await load(order), 0);
    assert.equal(await waste(), 0);
    assert.equal(await load({ ...order, modifiedDate: at(11) }), 1);
    assert.equal(await waste(), 4);
    assert.deepEqual(await running.service.stores.facts.verify({ deadlineMs: 60_000 }), []);
  });

  it('must have been loaded, for a restaurant of the caller, by one who may load', async () => {
    const order = plainOrder();
    await load(order);
    const reader = await running.login('g', { scopes: ['enterprise-metrics:read'] });
    const stranger = await running.login('another');
    const other = 'b1500000-0000-4000-8000-000000000002';
    await putRestaurant(running, token, other);

    const refused = [
      await deleteOrder('0d000000-0000-4000-8000-00000000ffff'),
      await deleteOrder('not-a-guid'),
      await deleteOrder(order.guid, other),
      await deleteOrder(order.guid, BISTRO, stranger),
      await deleteOrder(order.guid, BISTRO, reader),
    ];

    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      [
        [404, 'order_not_found'],
        [404, 'order_not_found'],
        [404, 'order_not_found'],
        [404, 'restaurant_not_found'],
        [403, 'scope_missing'],
      ],
    );
    assert.equal((await ordersIn(await report())).has(String(order.guid)), true);
  });
});
