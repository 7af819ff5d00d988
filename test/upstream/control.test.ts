/** What moves the stand-in and shows its state over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, houseOf, START, signIn, startSmall } from './caller.ts';
import type { Upstream } from './upstream.ts';

describe('the stand-in is moved and read over HTTP', () => {
  let upstream: Upstream;
  before(async () => {
    upstream = await startSmall();
  });
  after(() => upstream.close());

  const get = (path: string) => call(upstream, `/stand-in${path}`);
  const send = (method: string, path: string, body?: object) =>
    call(upstream, `/stand-in${path}`, { method, body: JSON.stringify(body) });
  const ORDERS = '/orders/v2/ordersBulk?businessDate=20260309';

  it('says what it is, with credentials and restaurants', async () => {
    const { status, body } = await get('');
    assert.equal(status, 200);
    assert.match(body.note, /stand-in .* public documentation/);
    assert.deepEqual([body.clients[0].clientId, body.restaurants[0].guid], ['rehearsal-group', houseOf(upstream).guid]);
  });

  it('moves its clock forward, and says why not back', async () => {
    const { body } = await send('POST', '/clock', { advance: 90 });
    assert.deepEqual(body, { now: '2026-03-10T23:01:30.000Z', speed: 0 });
    const back = await send('POST', '/clock', { advance: -1 });
    assert.deepEqual([back.status, back.body.message], [400, 'the clock moves forward only']);
    assert.equal((await send('POST', '/clock', { speed: 'fast' })).status, 400);
  });

  it('takes rules and says how often each applied', async () => {
    const rule = { route: 'ordersBulk', times: 1, fault: { kind: 'status', status: 500 } };
    const { body } = await send('POST', '/rules', rule);
    const read = await signIn(upstream);
    assert.deepEqual([(await read(ORDERS)).status, (await read(ORDERS)).status], [500, 200]);
    assert.deepEqual((await get('/rules')).body, [{ ...rule, id: body.id, matched: 2, applied: 1 }]);
    assert.equal((await send('POST', '/rules', { fault: { kind: 'explode' } })).status, 400);
    assert.match((await send('POST', '/rules', { ...rule, often: 1 })).body.message, /unknown: often/);
    assert.deepEqual((await send('DELETE', `/rules?id=${body.id}`)).body, []);
  });

  it('changes an order, a time entry, settings and credentials, as a test in the same process does', async () => {
    const house = houseOf(upstream);
    const now = upstream.clock.now();
    const [order] = house.ofDate('orders', 20260309, now);
    const [entry] = house.ofDate('entries', 20260309, now);
    await send('POST', '/changes', { order: { guid: order?.guid, voided: true, source: null } });
    await send('POST', '/changes', { entry: { guid: entry?.guid, deleted: true } });
    await send('POST', '/changes', { settings: { closeoutHour: 5 }, clientSecret: 'other' });
    const read = await signIn(upstream);
    const { body } = await read(`/orders/v2/orders/${order?.guid}`);
    assert.deepEqual(
      [body.voided, 'source' in body, Date.parse(body.modifiedDate.replace('+0000', 'Z'))],
      [true, false, now],
    );
    assert.deepEqual(house.find('entries', entry?.guid ?? '', now)?.deleted, true);
    assert.equal(house.settings.closeoutHour, 5);
    assert.equal((await send('POST', '/changes', { order: { guid: 'none' } })).status, 400);
    assert.equal((await send('POST', '/changes', { restaurant: 'none' })).status, 400);
    assert.equal((await send('POST', '/changes', { clientId: 'none' })).status, 400);
  });

  it('adds an order, which is modified now', async () => {
    const guid = '0b6f0a52-6f2e-4a39-8a3f-0d8a3f1c2b01';
    const addOrder = { guid, openedDate: '2026-03-10T22:00:00.000+0000', businessDate: 20260310, checks: [] };
    await send('POST', '/changes', { addOrder });
    const read = await signIn(upstream);
    const { body } = await read('/orders/v2/ordersBulk?businessDate=20260310');
    assert.ok(body.some((one: { guid: string }) => one.guid === guid));
  });

  it('shows all orders and time entries of a date, and the calls that were made', async () => {
    const { guid } = houseOf(upstream);
    const orders = await get(`/orders?restaurant=${guid}&businessDate=20260309`);
    assert.deepEqual(orders.body.length, houseOf(upstream).ofDate('orders', 20260309, START).length);
    assert.ok((await get(`/timeEntries?restaurant=${guid}&businessDate=20260309`)).body.length > 5);
    assert.equal((await get('/orders?restaurant=none&businessDate=20260309')).status, 400);
    const { body } = await get('/calls');
    assert.deepEqual(
      [body.at(-1).route, body.at(-1).query, body.at(-1).status],
      ['ordersBulk', { businessDate: '20260310' }, 200],
    );
    assert.deepEqual((await send('DELETE', '/calls')).body, []);
    assert.equal(upstream.calls.length, 0);
  });

  it('is away for a while on request', async () => {
    assert.deepEqual((await send('POST', '/away', { seconds: 0.3 })).body, { seconds: 0.3 });
    let refused = 0;
    for (;;) {
      const answer = await get('').catch(() => undefined);
      if (answer && refused > 0) break;
      if (!answer) refused++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(refused > 0);
  });

  it('has nothing else there', async () => {
    assert.equal((await get('/other')).status, 400);
    assert.equal((await send('POST', '/changes', { unknown: 1 })).status, 400);
    assert.equal((await call(upstream, '/stand-in/clock', { method: 'POST', body: '{' })).status, 400);
  });
});
