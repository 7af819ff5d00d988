/** Clients in the field, written against the live system: they change only their base URL. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart } from '../../packages/client/src/index.ts';
import { createClient } from '../../packages/service/src/access/clients.ts';
import type { Dialect } from '../../packages/service/src/contract/words.ts';
import { BISTRO, NOW, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

describe('a client from the field', () => {
  let running: Running;
  let credentials: { id: string; secret: string };
  before(async () => {
    running = await startJourney();
    const loader = await running.login('g');
    await putRestaurant(running, loader, BISTRO);
    await postOrders(running, loader, BISTRO, [plainOrder()]);
    credentials = await createClient(running.service.stores.ledger, { group: 'g', dialect: 'live' }, NOW);
  });
  after(() => running.stop());

  const login = (json: object) =>
    running.call('POST', '/authentication/v1/authentication/login', {
      base: '',
      json: { userAccessType: 'TOAST_MACHINE_CLIENT', ...json },
    });

  it('logs in, sends numeric dates, does not poll, and gets true rows at the first retrieval', async () => {
    const { status, body } = await login({ clientId: credentials.id, clientSecret: credentials.secret });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['@class', 'token', 'status']);
    assert.deepEqual([body.token.tokenType, body.token.expiresIn, body.status], ['Bearer', 86_400, 'SUCCESS']);
    const token = body.token.accessToken;
    const ask = async (path: string, json: object) => {
      const answer = await running.call('POST', path, { token, json, base: '/era/v1' });
      assert.equal(answer.status, 200, answer.text);
      // Some take the text as it is, quotes and all off.
      return answer.text.replaceAll('"', '');
    };
    const lists = { restaurantIds: [BISTRO], excludedRestaurantIds: [] };
    const span = { startBusinessDate: 20260310, endBusinessDate: 20260310, ...lists };

    const metrics = await ask('/metrics/day', { startBusinessDate: 20260310, ...lists, groupBy: ['REVENUE_CENTER'] });
    const checks = await ask('/check/day', span);
    const custom = await ask('/metrics', { ...span, startBusinessDate: '20260301', groupBy: [] });
    const headers = { 'content-type': 'application/json', 'toast-restaurant-external-id': BISTRO };
    const get = async (path: string) => (await running.call('GET', path, { token, base: '/era/v1', headers })).body;

    const [row] = await get(`/metrics/${metrics}/`);
    assert.deepEqual(
      [row.revenueCenter, row.openOrdersCount, row.closedOrdersCount, row.netSalesAmount],
      ['Dining Room', 0, 1, 9],
    );
    const [check] = await get(`/check/${checks}/?fetchRestaurantNames=true`);
    assert.deepEqual([check.orderOpenedDate, check.checkNumber, check.restaurantName], ['20260310', '31', 'Bistro']);
    assert.deepEqual(
      await get(`/metrics/${custom}`),
      [{ ...row, revenueCenter: undefined }].map(({ revenueCenter: _, ...rest }) => rest),
    );
    assert.deepEqual(await get(`/metrics/day/${metrics}`), [row]);
  });

  it('fills a warehouse with a month at one retrieval each, and what it keeps is what was sold', async () => {
    // A week of 2 to 8 orders a day, sent as days come in; 9.00 each.
    const sold = new Map<string, number>();
    const loader = await running.login('warehouse');
    const guid = 'b1500000-0000-4000-8000-0000000000f1';
    await putRestaurant(running, loader, guid);
    for (let day = 1; day <= 7; day++) {
      const orders = Array.from({ length: day + 1 }, () => plainOrder({ businessDate: 20260200 + day }));
      await postOrders(running, loader, guid, orders);
      sold.set(`2026020${day}`, orders.length);
    }
    const client = await createClient(running.service.stores.ledger, { group: 'warehouse', dialect: 'live' }, NOW);
    const { body } = await login({ clientId: client.id, clientSecret: client.secret });
    const headers = {
      authorization: `Bearer ${body.token.accessToken}`,
      'content-type': 'application/json',
      'toast-restaurant-external-id': guid,
    };
    const base = `${running.service.origin}/era/v1`;
    const ask = async (path: string, json: object): Promise<string> => {
      const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
      return ((await answer.text()).match(/[0-9a-f-]{36}/) ?? [''])[0];
    };
    const kept = async (path: string): Promise<Record<string, unknown>[]> => {
      const answer = await fetch(`${base}${path}`, { headers });
      const rows = (await answer.json()) as Record<string, unknown>[] | Record<string, unknown>;
      return Array.isArray(rows) ? rows : [rows];
    };
    const month = { startBusinessDate: 20260201, endBusinessDate: 20260228, restaurantIds: [guid] };

    const metrics = await kept(`/metrics/${(await ask('/metrics/month', { ...month, groupBy: [] })).toUpperCase()}/`);
    const checks = await kept(
      `/check/${await ask('/check/day', { ...month, startBusinessDate: '20260207', endBusinessDate: '20260207' })}`,
    );

    assert.deepEqual(
      metrics.map((row) => [row.businessDate, row.ordersCount ?? row.orderCount, row.closedOrdersCount]),
      [...sold].map(([date, orders]) => [date, orders, orders]),
    );
    assert.deepEqual(
      metrics.map((row) => Math.round(Number(row.netSalesAmount) * 100)),
      [...sold.values()].map((orders) => orders * 900),
    );
    assert.equal(checks.length, 8);
    assert.ok(checks.every((check) => check.orderOpenedDate === '20260207' && typeof check.checkNumber === 'string'));
  });

  it('reads the same rows with the SDK in either dialect, from either base and token endpoint', async () => {
    const ask = { range: 'week', start: '20260307', end: '2026-03-13', groupBy: ['DINING_OPTION'] } as const;
    const read = async (dialect: Dialect, auth: 'oauth' | 'login', base: string) => {
      const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g', dialect }, NOW);
      const baseUrl = `${running.service.origin}${base}`;
      const daypart = new Daypart({ baseUrl, auth, clientId: id, clientSecret: secret });
      const { rows } = await daypart.metrics.report(ask);
      const checks = await daypart.checks.report({ range: 'day', start: 20260310 });
      return { rows, checks: checks.rows };
    };

    const reference = await read('reference', 'oauth', '/v1');
    const live = await read('live', 'login', '/era/v1');

    assert.deepEqual(live, reference);
    assert.deepEqual([live.rows.length, live.checks.length], [1, 1]);
    assert.deepEqual([live.checks[0]?.checkNumber, live.rows[0]?.revenueCenter], [31, null]);
  });

  it('is refused with wrong credentials, with the name of the wrong field', async () => {
    const refused = await login({ clientId: credentials.id, clientSecret: 'wrong' });
    assert.deepEqual([refused.status, refused.body.code], [401, 'login_refused']);
    const other = await login({ clientId: credentials.id, clientSecret: credentials.secret, userAccessType: 'HUMAN' });
    assert.deepEqual([other.status, other.body.errors[0].pointer], [400, '/userAccessType']);
  });

  it('gets the errors of a create call by field, over HTTP', async () => {
    const { body } = await login({ clientId: credentials.id, clientSecret: credentials.secret });
    const token = body.token.accessToken;
    const cases: [string, object, string, string][] = [
      ['/metrics/day', { startBusinessDate: 20260321 }, 'date_in_future', '/startBusinessDate'],
      [
        '/metrics/month',
        { startBusinessDate: 20260101, endBusinessDate: 20260201 },
        'span_too_long',
        '/endBusinessDate',
      ],
      ['/metrics', { startBusinessDate: 20250101, endBusinessDate: 20260102 }, 'span_too_long', '/endBusinessDate'],
      ['/check/day', { startBusinessDate: 20260310, endBusinessDate: 20260309 }, 'dates_reversed', '/endBusinessDate'],
      ['/check/week', { startBusinessDate: 20260310 }, 'invalid_body', '/endBusinessDate'],
      ['/check/day?aggregateBy=HOUR', { startBusinessDate: 20260310 }, 'unknown_parameter', 'aggregateBy'],
      [
        '/metrics/year?aggregateBy=HOUR',
        { startBusinessDate: 20260310, endBusinessDate: 20260311 },
        'hour_needs_day',
        'aggregateBy',
      ],
      ['/metrics/day', { startBusinessDate: 20260310, groupby: [] }, 'unknown_field', '/groupby'],
    ];
    for (const [path, json, code, pointer] of cases) {
      const answer = await running.call('POST', path, { token, json });
      assert.deepEqual([answer.status, answer.body.code, answer.body.errors[0].pointer], [400, code, pointer], path);
    }
    const today = await running.call('POST', '/metrics/day', { token, json: { startBusinessDate: 20260320 } });
    assert.equal(today.status, 200);
  });
});
