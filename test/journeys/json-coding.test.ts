/** JSON answers in the content codings that clients take: lists, totals and the description of the API. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decoded, receive } from './bytes.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';
import { CODINGS } from './transfers.ts';

const RESTAURANTS = 12;
const guidOf = (nth: number): string => `b1500000-0000-4000-8000-0000000001${String(nth).padStart(2, '0')}`;
const dateOf = (day: number): number => 20260201 + day;

describe('a JSON answer', () => {
  let running: Running;
  let token: string;
  let totals: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group', { scopes: ['enterprise-metrics:read', 'ingest:write'] });
    await putRestaurant(running, token, BISTRO);
    for (let nth = 0; nth < RESTAURANTS; nth++) await putRestaurant(running, token, guidOf(nth));
    const orders = Array.from({ length: 20 }, (_, day) => plainOrder({ businessDate: dateOf(day) }));
    await postOrders(running, token, BISTRO, orders);
    const month = { startBusinessDate: '20260201', endBusinessDate: '20260228' };
    const guid = await ask(running, token, '/metrics/month', month);
    totals = `/reports/${guid}/totals?by=businessDate`;
  });
  after(() => running.stop());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    receive(running, path, { authorization: `Bearer ${token}`, ...headers }, { method });
  const tagged = () => ['/restaurants', `/restaurants/${BISTRO}/days`, totals, '/restaurants-information'];
  const short = () => [
    ...['/reports', '/imports', '/dayparts'],
    ...['', '/reference', '/menus'].map((path) => `/restaurants/${BISTRO}${path}`),
  ];
  const lists = () => [...tagged(), ...short()];

  it('is compressed as the client takes it, the same once decoded, with a length and a Vary', async () => {
    for (const path of lists()) {
      const plain = await get(path);
      assert.equal(plain.status, 200, path);
      assert.equal(plain.headers['content-encoding'], undefined, path);
      assert.match(plain.headers.vary ?? '', /Accept-Encoding/);
      assert.equal(plain.headers['cache-control'], 'private, no-cache');
      if (plain.body.length < 1024) continue;
      for (const coding of CODINGS) {
        const coded = await get(path, { 'accept-encoding': coding });
        assert.equal(coded.headers['content-encoding'], coding, path);
        assert.equal(coded.headers['content-length'], String(coded.body.length), path);
        assert.match(coded.headers.vary ?? '', /Accept-Encoding/, path);
        assert.ok(coded.body.length < plain.body.length / 2, path);
        assert.deepEqual(decoded(coded), plain.body, path);
        const head = await get(path, { 'accept-encoding': coding }, 'HEAD');
        assert.deepEqual([head.status, head.headers['content-encoding'], head.body.length], [200, coding, 0], path);
      }
      const refused = await get(path, { 'accept-encoding': 'gzip;q=0, zstd;q=0, br;q=0' });
      assert.equal(refused.headers['content-encoding'], undefined, path);
      const odd = await get(path, { 'accept-encoding': 'deflate, identity;q=0' });
      assert.deepEqual([odd.status, odd.headers['content-encoding']], [200, undefined], path);
    }
    assert.ok((await get('/restaurants')).body.length > 1024);
    assert.ok((await get(`/restaurants/${BISTRO}/days`)).body.length > 1024);
    assert.ok((await get(totals)).body.length > 1024);
  });

  it('has a separate entity tag in each coding, and is 304 only for that one', async () => {
    for (const path of tagged()) {
      const tags = new Map<string, string>();
      for (const coding of ['identity', ...CODINGS])
        tags.set(coding, (await get(path, { 'accept-encoding': coding })).headers.etag ?? '');
      assert.equal(new Set(tags.values()).size, 4, path);
      for (const [held, tag] of tags) {
        for (const coding of tags.keys()) {
          const { status, headers, body } = await get(path, { 'accept-encoding': coding, 'if-none-match': tag });
          assert.equal(status, coding === held ? 304 : 200, `${path} ${held} ${coding}`);
          assert.equal(headers.etag, tags.get(coding), path);
          if (status === 304) assert.equal(body.length, 0);
        }
      }
    }
  });

  it('is 304 without a length, for HEAD too', async () => {
    for (const path of lists()) {
      const { etag = '' } = (await get(path)).headers;
      assert.match(etag, /^"/, path);
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await get(path, { 'if-none-match': etag }, method);
        assert.deepEqual(
          [status, headers.etag, headers['content-length']],
          [304, etag, undefined],
          `${method} ${path}`,
        );
        assert.ok(headers['x-request-id']);
      }
    }
  });

  it('is compressed again once the data changed', async () => {
    const before = await get('/restaurants', { 'accept-encoding': 'gzip' });
    await putRestaurant(running, token, BISTRO, { name: 'Another name' });
    const now = await get('/restaurants', {
      'accept-encoding': 'gzip',
      'if-none-match': String(before.headers.etag),
    });

    assert.equal(now.status, 200);
    assert.match(decoded(now).toString(), /Another name/);
    assert.deepEqual(decoded(now), (await get('/restaurants')).body);
  });

  it('is not compressed if it is short, or if it is a problem', async () => {
    for (const path of ['/dayparts', '/reports/ffffffff-0000-4000-8000-000000000000']) {
      const { headers } = await get(path, { 'accept-encoding': 'gzip, br, zstd' });
      assert.equal(headers['content-encoding'], undefined, path);
    }
  });

  it('of the description is compressed too', async () => {
    const answer = await fetch(`${running.service.origin}/openapi.json`, { headers: { 'accept-encoding': 'br' } });

    assert.equal(answer.headers.get('content-encoding'), 'br');
    assert.match(((await answer.json()) as { openapi: string }).openapi, /^3\.1/);
    const etag = answer.headers.get('etag') ?? '';
    for (const [query, status] of [
      ['', 304],
      ['?dialect=live', 200],
    ]) {
      const again = await fetch(`${running.service.origin}/openapi.json${query}`, {
        headers: { 'accept-encoding': 'br', 'if-none-match': etag },
      });
      assert.equal(again.status, status);
      assert.equal((await again.text()).length > 0, status === 200);
    }
  });

  it('has another entity tag once it has other bytes', async () => {
    const tagOf = async (path: string) => (await get(path)).headers.etag;
    const paths = ['/reports', `/restaurants/${BISTRO}`, '/restaurants-information'];
    const before = await Promise.all(paths.map(tagOf));
    assert.deepEqual(await Promise.all(paths.map(tagOf)), before);
    await putRestaurant(running, token, BISTRO, { name: 'A third name' });
    await ask(running, token, '/metrics/day', { startBusinessDate: '20260202' });
    const after = await Promise.all(paths.map(tagOf));
    for (const [at, path] of paths.entries()) assert.notEqual(after[at], before[at], path);
  });
});
