/** Query parameters that an operation does not have: docs/errors.md. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SCOPES } from '../../packages/service/src/contract/words.ts';
import { ask, BISTRO, newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

/** Paths of the browser's session, whose caller is known by a cookie. */
const OF_COOKIES = /^\/session(\/|$)/;

describe('a query parameter that the operation does not have', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g', { scopes: [...SCOPES] });
  });
  after(() => running.stop());

  it('is refused by all that replaces or removes something, before it does', async () => {
    const response = await fetch(`${running.service.origin}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, object>> };
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      ['put', 'delete'].filter((method) => method in methods).map((method) => [method.toUpperCase(), path] as const),
    );
    const called = changing.filter(([, path]) => !OF_COOKIES.test(path));
    assert.ok(called.length > 12, String(called.length));
    for (const [method, path] of called) {
      const url = path.replaceAll(/\{\w+\}/g, newGuid());
      const answer = await running.call(method, `${url}?dryRun=true`, {
        token,
        ...(method === 'PUT' ? { json: {} } : {}),
      });
      assert.deepEqual([answer.status, answer.body?.code], [400, 'unknown_parameter'], `${method} ${path}`);
      assert.equal(answer.body.errors[0].pointer, 'dryRun');
    }
  });

  it('leaves restaurant, lists and orders as they were', async () => {
    await putRestaurant(running, token, BISTRO, { name: 'Bistro' });
    const order = plainOrder();
    await postOrders(running, token, BISTRO, [order]);
    const at = `/restaurants/${BISTRO}`;
    const menu = { guid: 'm', name: 'Lunch', groups: [] };
    await running.call('PUT', `${at}/menus`, { token, json: { menus: [menu] } });
    const menus = (await running.call('GET', `${at}/menus`, { token })).body;

    const refused = [
      await running.call('PUT', `${at}?dryRun=true`, { token, json: { name: 'Other', timeZone: 'UTC' } }),
      await running.call('PUT', `${at}/menus?dryRun=true`, { token, json: { menus: [] } }),
      await running.call('DELETE', `${at}/orders/${order.guid}?dryRun=true`, { token }),
    ];

    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400],
    );
    assert.equal((await running.call('GET', at, { token })).body.name, 'Bistro');
    assert.deepEqual((await running.call('GET', `${at}/menus`, { token })).body, menus);
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20260310, restaurantIds: [BISTRO] });
    assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).body[0].ordersCount, 1);
  });

  it('is refused by the changes of a report: a misspelt cursor would answer the first page again', async () => {
    await putRestaurant(running, token, BISTRO, { name: 'Bistro' });
    const guid = await ask(running, token, '/metrics/day', { startBusinessDate: 20260310, restaurantIds: [BISTRO] });

    const { status, body } = await running.call('GET', `/reports/${guid}/changes?since=${guid}&cursr=5`, { token });

    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'unknown_parameter', 'cursr']);
  });
});
