/** Another group's restaurants and reports are answered exactly as unknown ones, on every route that takes a GUID. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Answer,
  ask,
  BISTRO,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const UNKNOWN = 'eeeeeeee-0000-4000-8000-00000000000e';
const DAY = { startBusinessDate: '20260310', endBusinessDate: '20260310' };

describe('tenancy', () => {
  let running: Running;
  let owner: string;
  let stranger: string;
  before(async () => {
    running = await startJourney();
    owner = await running.login('owner');
    stranger = await running.login('stranger');
    await putRestaurant(running, owner, BISTRO);
    await postOrders(running, owner, BISTRO, [plainOrder()]);
  });
  after(() => running.stop());

  /** Everything of an answer that may not differ: all but the request's id and the GUID that was asked for. */
  function shape({ status, headers, text }: Answer, guid: string): string {
    const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
    const stripped = text.replaceAll(guid, 'GUID').replace(/"requestId":"[^"]*"/, '');
    return JSON.stringify([status, kept, stripped]).replaceAll(guid, 'GUID');
  }

  it('hides reports and restaurants of another group on every route', async () => {
    const metrics = await ask(running, owner, '/metrics/day', DAY);
    const check = await ask(running, owner, '/check/day', DAY);
    assert.equal((await running.call('GET', `/check/${check}`, { token: owner })).status, 200);
    const bodies: Record<string, unknown> = {
      'POST /v1/restaurants/:restaurantGuid/orders': [plainOrder()],
      'POST /v1/restaurants/:restaurantGuid/time-entries': [],
      'PUT /v1/restaurants/:restaurantGuid/reference': { jobs: [] },
    };
    let tried = 0;
    for (const { method, url } of running.service.routes) {
      const route = `${method} ${url}`.replace('/era/v1', '/v1');
      const parameter = /:(guid|restaurantGuid)\b/.exec(url)?.[1];
      // PUT of a restaurant is the one place where a taken GUID shows; it has its own test below.
      if (!parameter || route === 'PUT /v1/restaurants/:restaurantGuid') continue;
      const theirs = parameter === 'restaurantGuid' ? [BISTRO] : [metrics, check];
      for (const guid of theirs) {
        const call = (id: string): Promise<Answer> =>
          running.call(method, url.replace(`:${parameter}`, id).replace(':timeRange', 'day'), {
            token: stranger,
            base: '',
            ...(bodies[route] === undefined ? {} : { json: bodies[route] }),
          });
        const [their, unknown] = [await call(guid), await call(UNKNOWN)];
        assert.equal(their.status, 404, route);
        assert.equal(shape(their, guid), shape(unknown, UNKNOWN), route);
        tried++;
      }
    }
    assert.ok(tried >= 16, `only ${tried} routes were tried`);
  });

  it('answers a restaurant of another group as unknown in every create call', async () => {
    for (const path of ['/metrics', '/metrics/day', '/metrics/week', '/check/day']) {
      for (const list of ['restaurantIds', 'excludedRestaurantIds']) {
        const call = (id: string) => running.call('POST', path, { token: stranger, json: { ...DAY, [list]: [id] } });
        const [their, unknown] = [await call(BISTRO), await call(UNKNOWN)];
        assert.deepEqual([their.status, their.body.code], [400, 'unknown_restaurant']);
        assert.equal(shape(their, BISTRO), shape(unknown, UNKNOWN));
      }
    }
  });

  it('refuses to take over a restaurant, and changes nothing', async () => {
    const json = { name: 'Mine now', timeZone: 'Asia/Tokyo' };
    const { status, body } = await running.call('PUT', `/restaurants/${BISTRO}`, { token: stranger, json });
    assert.deepEqual([status, body.code], [409, 'restaurant_guid_taken']);
    assert.equal((await running.call('GET', `/restaurants/${BISTRO}`, { token: owner })).body.name, 'Bistro');
  });

  it('reports on the restaurants of the own group only', async () => {
    const guid = await ask(running, stranger, '/metrics/day', DAY);
    assert.deepEqual((await running.call('GET', `/metrics/${guid}`, { token: stranger })).body, []);
    assert.deepEqual((await running.call('GET', '/restaurants-information', { token: stranger })).body, []);
  });

  it('lets every credential of the group read its reports', async () => {
    const colleague = await running.login('owner');
    const guid = await ask(running, owner, '/metrics/day', DAY);
    assert.equal((await running.call('GET', `/metrics/${guid}`, { token: colleague })).body.length, 1);
  });

  it('asks every route under the base for a token and for its scope', async () => {
    const reader = await running.login('owner', { scopes: ['enterprise-metrics:read'] });
    const scopeless = await running.login('owner', { scopes: [] });
    for (const { method, url } of running.service.routes) {
      if (!/^\/(era\/)?v1\//.test(url)) continue;
      const path = url.replace(/:\w+/g, BISTRO);
      const none = await running.call(method, path, { base: '' });
      assert.equal(none.status, 401, `${method} ${url}`);
      assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer (?!.*error=)/);
      const bad = await running.call(method, path, { base: '', token: 'not.a.token' });
      assert.match(bad.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
      const writes = /restaurants\//.test(url) && (method === 'PUT' || method === 'POST');
      const reads = !/restaurants\//.test(url);
      if (writes || reads) {
        const { status, headers } = await running.call(method, path, { base: '', token: writes ? reader : scopeless });
        assert.equal(status, 403, `${method} ${url}`);
        assert.match(headers.get('www-authenticate') ?? '', /error="insufficient_scope"/);
      }
    }
  });
});
