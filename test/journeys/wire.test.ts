/**
 * The common properties of all answers: problem bodies, request ids, unknown routes, wrong methods, operations, docs
 * pages.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { PROBLEMS } from '../../packages/service/src/contract/problems.ts';
import {
  ask,
  BISTRO,
  isBalanced,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const AT_BALANCER = 'a balancer answers what is no valid HTTP itself';

describe('the wire', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  it('has one problem body, whose type is a page of the service', async () => {
    const json = { startBusinessDate: 20260301, endBusinessDate: 20260309 };

    const { status, headers, body } = await running.call('POST', '/metrics/week', { token, json });

    assert.equal(status, 400);
    assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(
      Object.keys(body).join(' '),
      'type title status detail instance message requestId code retryable errors',
    );
    assert.deepEqual(
      [body.status, body.instance, body.code, body.retryable, body.errors[0].pointer],
      [400, '/v1/metrics/week', 'span_too_long', false, '/endBusinessDate'],
    );
    assert.equal(body.message, body.detail);
    assert.equal(body.requestId, headers.get('x-request-id'));
    const page = await fetch(body.type);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /The span is too long/);
  });

  it('has a docs page for every code', async () => {
    const index = await (await fetch(`${running.service.origin}/docs/problems`)).text();
    for (const [code, { status }] of Object.entries(PROBLEMS)) {
      const page = await running.call('GET', `/docs/problems/${code}`, { base: '' });
      assert.equal(page.status, 200);
      assert.match(page.text, new RegExp(`Status ${status}`));
      assert.ok(index.includes(`/docs/problems/${code}`));
    }
    assert.equal((await running.call('GET', '/docs/problems/none', { base: '' })).status, 404);
  });

  it('keeps a request id that the client sends, when it can be logged', async () => {
    const kept = await running.call('GET', '/livez', { base: '', headers: { 'x-request-id': 'trace-7.a' } });
    const replaced = await running.call('GET', '/livez', { base: '', headers: { 'x-request-id': 'a b"' } });
    assert.equal(kept.headers.get('x-request-id'), 'trace-7.a');
    assert.match(replaced.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  });

  it('answers unknown routes with a JSON 404 and wrong methods with a 405 and Allow', async () => {
    for (const [path, base] of [
      ['/nothing', '/v1'],
      ['/metrics/a/b/c', '/v1'],
      ['/v2/metrics', ''],
      ['/metrics/%ZZ', '/v1'],
    ] as const) {
      const { status, body } = await running.call('GET', path, { token, base });
      assert.deepEqual([status, body.code, body.status], [404, 'route_not_found', 404], path);
    }
    const cases = [
      ['DELETE', '/metrics/x', 'GET, HEAD, OPTIONS, POST'],
      ['GET', '/metrics', 'OPTIONS, POST'],
      ['PATCH', `/restaurants/${BISTRO}`, 'GET, HEAD, OPTIONS, PUT'],
      ['POST', `/metrics/day/${BISTRO}`, 'GET, HEAD, OPTIONS'],
    ] as const;
    for (const [method, path, allow] of cases) {
      const { status, headers, body } = await running.call(method, path, { token });
      assert.deepEqual([status, body.code, headers.get('allow')], [405, 'method_not_allowed', allow], path);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    // Also with a body that no operation would take.
    const malformed = { token, body: '{', headers: { 'content-type': 'application/json' } };
    for (const path of ['/metrics/decade', '/payout/year', '/guest/payments/month', '/nothing', '/labor/day/x/y']) {
      const { status, body } = await running.call('POST', path, malformed);
      assert.deepEqual([status, body.code], [404, 'route_not_found'], path);
    }
    assert.equal((await running.call('PUT', '/metrics/day', malformed)).status, 405);
  });

  it('sends a browser, and a program that takes a page, from / to the docs, and shows the browser a page for what does not exist', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
    const open = (path: string, init: RequestInit = {}) =>
      fetch(running.service.origin + path, { headers: { accept }, redirect: 'manual', ...init });

    const start = await open('/?from=bookmark');
    assert.deepEqual([start.status, start.headers.get('location')], [302, '/docs']);
    for (const accept of ['', ' , ', '*/*', 'text/*', 'application/json;q=0.5, */*', 'image/png, text/html;q=0.1']) {
      const { status, headers } = await open('/', { headers: { accept } });
      assert.deepEqual([status, headers.get('location'), headers.get('vary')], [302, '/docs', 'Accept'], accept);
    }
    for (const path of ['/nothing', '/docs/nothing', '/docs/problems/nothing', '/v1/nothing', '/v1/%ZZ']) {
      const page = await open(path);
      const text = await page.text();
      assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(text, /<h1>Page not found<\/h1>[\s\S]*<a href="\/docs">/);
      assert.ok(text.includes(page.headers.get('x-request-id') ?? 'no request id'));
    }
    const named = await (await open('/%3Cscript%3Ealert(1)%3C/script%3E"><b>')).text();
    assert.ok(!named.includes('<script>alert') && !named.includes('"><b>'));
    for (const path of ['/', '/nothing', '/docs/nothing']) {
      const posted = await open(path, { method: 'POST' });
      const fetched = await open(path, { headers: { accept: path === '/' ? 'application/json' : '*/*' } });
      const programs = await open(path, { headers: { accept: 'application/json, text/html' } });
      for (const { headers } of [posted, fetched, programs])
        assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/, path);
      for (const { headers } of [fetched, programs]) assert.match(headers.get('vary') ?? '', /Accept/, path);
    }
  });

  it('refuses bodies that are not JSON, too large or of another type, naming what is wrong', async () => {
    const headers = { 'content-type': 'application/json' };
    const post = (body: string, more: Record<string, string> = headers) =>
      running.call('POST', '/metrics/day', { token, body, headers: more });
    assert.deepEqual([(await post('{')).status, (await post('{')).body.code], [400, 'invalid_json']);
    assert.equal((await post('')).body.code, 'invalid_json');
    assert.equal((await post('[]')).body.code, 'invalid_body');
    assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
    const large = await post(JSON.stringify({ startBusinessDate: 'x'.repeat(1024 * 1024) }));
    assert.deepEqual([large.status, large.body.code], [413, 'body_too_large']);
    // Closed before the body has arrived, a proxy in between would lose the answer.
    assert.notEqual(large.headers.get('connection'), 'close');
    const hidden = await post('{"__proto__":{"x":1},"startBusinessDate":20260301}');
    assert.deepEqual([hidden.body.code, hidden.body.errors[0].pointer], ['unknown_field', '/__proto__']);
    const long = await post(JSON.stringify({ ['x'.repeat(5000)]: 1 }));
    assert.ok(long.body.code === 'unknown_field' && long.text.length < 2000);
    for (const coding of ['gzip', 'br', 'x']) {
      const coded = await post('{"startBusinessDate":20260301}', { ...headers, 'content-encoding': coding });
      assert.deepEqual([coded.status, coded.body.code], [415, 'unsupported_media_type'], coding);
      assert.equal(coded.headers.get('accept-encoding'), 'identity');
      for (const path of ['orders', 'time-entries', 'payouts']) {
        const load = { token, body: '[]', headers: { ...headers, 'content-encoding': coding } };
        const loaded = await running.call('POST', `/restaurants/${BISTRO}/${path}`, load);
        const taken = [loaded.status, loaded.headers.get('accept-encoding')];
        // Not gzip: it says so, so it is taken.
        assert.deepEqual(taken, coding === 'gzip' ? [400, null] : [415, 'gzip, identity'], `${path} ${coding}`);
      }
    }
    // A media type is refused without it (RFC 9110 12.5.3).
    assert.equal((await post('{}', { 'content-type': 'text/plain' })).headers.get('accept-encoding'), null);
  });

  it('refuses small bodies that are not UTF-8, and stores nothing from them', async () => {
    const restaurant = '5f0c1c1e-7a3b-4c55-9d4f-0a1b2c3d4e99';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = Buffer.from('{"name":"Caf\xe9","timeZone":"UTC"}', 'latin1');

    const answer = await fetch(`${running.service.baseUrl}/restaurants/${restaurant}`, {
      method: 'PUT',
      headers,
      body,
    });

    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [400, 'invalid_json']);
    assert.equal((await running.call('GET', `/restaurants/${restaurant}`, { token })).status, 404);
  });

  it('counts characters as JSON Schema does, and says what a text may be', async () => {
    const put = (name: string) =>
      running.call('PUT', `/restaurants/${BISTRO}`, { token, json: { name, timeZone: 'America/New_York' } });

    const [emoji, long, broken] = [await put('🍜'.repeat(200)), await put('🍜'.repeat(201)), await put('\ud800')];
    await put('Bistro');

    assert.deepEqual([emoji.status, long.status, broken.status], [200, 400, 400]);
    assert.match(broken.body.detail, /Unicode text/);
  });

  it('answers bytes that are not HTTP, and continues', { skip: onOneNode(AT_BALANCER) }, async () => {
    const { port } = new URL(running.service.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('NOT HTTP AT ALL\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 [\s\S]*"code":"malformed_request"/);
    assert.equal((await running.call('GET', '/livez', { base: '' })).status, 200);
  });

  it('answers no request whose Host is missing, twice or none, and ignores expectations that it does not know', {
    skip: onOneNode(AT_BALANCER),
  }, async () => {
    const { port } = new URL(running.service.origin);
    const send = async (...lines: string[]): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      return await text(socket);
    };
    const get = 'GET /livez HTTP/1.1';

    const refused = await Promise.all([
      send(get, 'X: y'),
      send(get, 'Host: a', 'host: b'),
      send(get, 'Host: a b/c'),
      send(get, 'Host: evil">x; rel="x"'),
    ]);
    const answered = await Promise.all([
      send('GET /livez HTTP/1.0', 'X: y'),
      send(get, 'Host: [::1]:80'),
      send(get, 'Host: reports.example.com'),
      send(get, 'Host: a', 'Expect: 200-ok'),
    ]);

    for (const one of refused) {
      assert.match(one, /^HTTP\/1\.1 400 [\s\S]*x-request-id: [\s\S]*"code":"malformed_request"/i);
      assert.match(one, /^x-content-type-options: nosniff\r$/im);
      assert.doesNotMatch(one, /evil/);
    }
    for (const one of answered) assert.match(one, /^HTTP\/1\.[01] 200 /);
  });

  it('says on every answer that its type is not to be guessed', async () => {
    const token = await running.login('g');
    const { port } = new URL(running.service.origin);
    const raw = async (...lines: string[]): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      return await text(socket);
    };
    const get = (line: string, ...more: string[]): Promise<string> =>
      raw(`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...more);

    const answers = await Promise.all([
      ...(isBalanced ? [] : [raw('nonsense')]),
      raw('GET /livez HTTP/1.1', 'Connection: close'),
      ...['GET /v1/%zz', 'GET /docs', 'GET /docs/assets/0/none.js', 'GET /none', 'GET /livez'].map((line) => get(line)),
      ...['DELETE /livez', 'OPTIONS /livez', 'GET /v1/reports', 'POST /oauth/token'].map((line) => get(line)),
      get('GET /v1/restaurants', `Authorization: Bearer ${token}`),
      get('GET /', 'Accept: text/html'),
    ]);

    for (const answer of answers)
      assert.equal(answer.match(/^x-content-type-options: nosniff\r$/gim)?.length, 1, answer);
  });

  it('challenges a login that is refused', async () => {
    const json = { clientId: 'x', clientSecret: 'y', userAccessType: 'TOAST_MACHINE_CLIENT' };

    const answer = await running.call('POST', '/authentication/v1/authentication/login', { base: '', json });

    assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer realm="daypart"']);
  });

  it('says whether it lives, is ready, and which version it is, without a token', async () => {
    const live = await running.call('GET', '/livez', { base: '' });
    const ready = await running.call('GET', '/readyz', { base: '' });
    const version = await running.call('GET', '/version', { base: '' });
    assert.deepEqual([live.status, ready.status, version.status], [200, 200, 200]);
    assert.deepEqual(
      ready.body.checks.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`),
      ['ledger ok', 'facts ok', 'results ok'],
    );
    assert.match(version.body.version, /^\d+\.\d+\.\d+/);
    assert.equal((await running.call('GET', '/readyz?exclude=ledger', { base: '' })).status, 200);
    const wrong = await running.call('GET', '/readyz?exclude=disk', { base: '' });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, 'exclude']);
  });

  it('answers create calls with a bare JSON string and the place of the retrieval', async () => {
    for (const base of ['/v1', '/era/v1'] as const) {
      const json = { startBusinessDate: 20260310 };
      const { status, body, headers } = await running.call('POST', '/metrics/day', { token, json, base });
      assert.equal(status, 200);
      assert.match(body, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(headers.get('location'), `${running.service.origin}${base}/metrics/${body}`);
    }
  });

  it('reports by hour and by group, in the order of the contract', async () => {
    const at = (time: string, changes: object = {}) =>
      plainOrder({ openedDate: `2026-03-0${time}.000Z`, businessDate: 20260305, ...changes });
    await postOrders(running, token, BISTRO, [
      at('6T06:30:00', { diningOption: { name: 'Take Out' } }),
      at('5T17:30:00'),
      at('5T17:40:00', { revenueCenter: null, diningOption: null, source: null }),
      at('5T23:30:00', { source: 'Order-and-Pay-at-Table' }),
    ]);
    const rows = async (path: string, groupBy: string[], fields: string[]) => {
      const guid = await ask(running, token, path, { startBusinessDate: 20260305, groupBy });
      const { body } = await running.call('GET', `/metrics/${guid}`, { token });
      return body.map((row: Record<string, unknown>) => fields.map((field) => row[field]).join('|'));
    };

    assert.deepEqual(await rows('/metrics/day?aggregateBy=HOUR', [], ['businessHour', 'ordersCount']), [
      '12|2',
      '18|1',
      '1|1',
    ]);
    assert.deepEqual(await rows('/metrics/day', ['DINING_OPTION'], ['diningOption', 'ordersCount']), [
      'Dine In|2',
      'No Dining Option|1',
      'Take Out|1',
    ]);
    assert.deepEqual(
      await rows(
        '/metrics/day',
        ['ORDER_SOURCE', 'REVENUE_CENTER'],
        ['revenueCenter', 'orderSource', 'netSalesAmount'],
      ),
      ['Dining Room|IN_STORE|18', 'Dining Room|ORDER_AND_PAY_AT_TABLE|9', 'No Revenue Center|UNKNOWN|9'],
    );
    assert.deepEqual(
      await rows(
        '/metrics/day?aggregateBy=HOUR',
        ['DINING_OPTION', 'ORDER_SOURCE'],
        ['businessHour', 'diningOption', 'orderSource'],
      ),
      [
        '12|Dine In|IN_STORE',
        '12|No Dining Option|UNKNOWN',
        '18|Dine In|ORDER_AND_PAY_AT_TABLE',
        '1|Take Out|IN_STORE',
      ],
    );
  });
});
