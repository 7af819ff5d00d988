/** Idempotency-Key on creates and loads: docs/idempotency.md. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { BISTRO, plainOrder, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: '20260310' };
const HOURS = 3_600_000;

let running: Running;
let token: string;
let keys = 0;
const newKey = (): string => `key-${++keys}`;
before(async () => {
  running = await startJourney({ tokenSeconds: 7 * 86_400 });
  token = await running.login('g');
  await putRestaurant(running, token, BISTRO);
});
after(() => running.stop());

describe('Idempotency-Key on creates', () => {
  const create = (key: string, json: object = DAY, more: object = {}, path = '/metrics/day') =>
    running.call('POST', path, { token, json, headers: { 'idempotency-key': key }, ...more });
  const count = async (): Promise<number> =>
    Object.values(await running.service.stores.ledger.reportCounts()).reduce((sum, some) => sum + some, 0);

  it('answers the same call again with the same GUID, under both bases, and says so', async () => {
    const key = newKey();
    const first = await create(key);
    const reports = await count();

    const again = await create(key, DAY, { base: '/era/v1' });

    assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body]);
    assert.deepEqual(
      [first, again].map(({ headers }) => headers.get('idempotency-replayed')),
      [null, 'true'],
    );
    assert.equal(again.headers.get('location'), `${running.service.origin}/era/v1/metrics/${first.body}`);
    assert.equal(await count(), reports);
  });

  it('takes a body for the same however it was written, and quoted and bare for one key', async () => {
    const key = newKey();
    const { body } = await create(key, { startBusinessDate: '20260310', endBusinessDate: '20260310' });
    const headers = { 'content-type': 'application/json', 'idempotency-key': `"${key}"` };
    const written = '{ "endBusinessDate":"20260310",  "startBusinessDate":"20260310" }';

    const again = await running.call('POST', '/metrics/day', { token, body: written, headers });

    assert.deepEqual([again.status, again.body], [200, body]);
  });

  it('refuses another body or query under the key, and makes nothing', async () => {
    const key = newKey();
    await create(key);
    const reports = await count();

    const others = [
      await create(key, { startBusinessDate: '20260311' }),
      await create(key, { startBusinessDate: 20260310 }),
      await create(key, DAY, {}, '/metrics/day?aggregateBy=HOUR'),
    ];

    for (const { status, body } of others)
      assert.deepEqual([status, body.code, body.retryable], [422, 'idempotency_key_reused', false]);
    assert.equal(await count(), reports);
  });

  it('keeps keys apart by client and path', async () => {
    const key = newKey();
    const other = await running.login('g');
    const week = { ...DAY, endBusinessDate: '20260311' };

    const guids = [
      (await create(key)).body,
      (await create(key, DAY, { token: other })).body,
      (await create(key, week, {}, '/metrics/week')).body,
      (await create(key, { ...DAY, endBusinessDate: '20260310' }, {}, '/check/day')).body,
    ];

    assert.equal(new Set(guids).size, 4);
  });

  it('does not use a key up with a create that is refused', async () => {
    const key = newKey();
    const future = await create(key, { startBusinessDate: '20270101' });
    const unknown = await create(key, { ...DAY, restaurantIds: ['b1500000-0000-4000-8000-0000000000ff'] });

    const { status } = await create(key);

    assert.deepEqual([future.status, unknown.status, status], [400, 400, 200]);
  });

  it('gives parallel calls with one key one report', async () => {
    const key = newKey();
    const reports = await count();

    const answers = await Promise.all(Array.from({ length: 12 }, () => create(key)));

    for (const { status } of answers) assert.equal(status, 200);
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1);
    assert.equal(await count(), reports + 1);
  });

  it('remembers a key over a restart and the end of its report, for 24 hours', async () => {
    const key = newKey();
    const { body } = await create(key);
    await running.call('DELETE', `/reports/${body}`, { token });
    await running.restart();

    running.advance(24 * HOURS - 1);
    assert.equal((await create(key)).body, body);
    running.advance(1);
    assert.notEqual((await create(key, { startBusinessDate: '20260311' })).body, body);
  });

  it('refuses an invalid key', async () => {
    for (const key of ['', ' ', 'two words', '"open', '""', '"a" b', 'x'.repeat(256), 'é']) {
      const { status, body } = await create(key);
      assert.deepEqual([status, body.code], [400, 'invalid_idempotency_key'], JSON.stringify(key));
    }
    assert.equal((await create(`"${'y'.repeat(255)}"`)).status, 200);
  });
});

describe('Idempotency-Key on loads', () => {
  const load = (key: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    running.call('POST', `/restaurants/${BISTRO}/orders`, {
      token,
      body,
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    });
  /** How many orders are counted on a date. */
  async function orders(date: number): Promise<number> {
    const { body: guid } = await running.call('POST', '/metrics/day', { token, json: { startBusinessDate: date } });
    const { status, body } = await running.call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=30' } });
    assert.equal(status, 200);
    return body[0]?.ordersCount ?? 0;
  }

  it('answers the same load again without merging it, plain or compressed', async () => {
    const key = newKey();
    const order = plainOrder({ businessDate: 20260301 });
    const body = JSON.stringify([order, { guid: 'none' }]);
    const first = await load(key, body);
    // Were the first merged again, it would take this one's place: equal versions replace.
    await load(newKey(), JSON.stringify([{ ...order, businessDate: 20260302 }]));

    const answers = [await load(key, body), await load(key, gzipSync(body), { 'content-encoding': 'gzip' })];

    assert.deepEqual([first.status, first.body.accepted, first.body.rejected.length], [200, 1, 1]);
    for (const again of answers) {
      assert.deepEqual([again.status, again.body], [200, first.body]);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
    }
    assert.deepEqual([await orders(20260301), await orders(20260302)], [0, 1]);
  });

  it('refuses another body under the key, and stores nothing from it', async () => {
    const key = newKey();
    await load(key, JSON.stringify([plainOrder({ businessDate: 20260303 })]));

    const { status, body } = await load(key, JSON.stringify([plainOrder({ businessDate: 20260303 })]));

    assert.deepEqual([status, body.code], [422, 'idempotency_key_reused']);
    assert.equal(await orders(20260303), 1);
  });

  it('merges one of many bodies that come at once under one key', async () => {
    const key = newKey();
    const bodies = Array.from({ length: 6 }, () => JSON.stringify([plainOrder({ businessDate: 20260304 })]));

    const answers = await Promise.all(bodies.map((body) => load(key, body)));

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422, 422]);
    assert.equal(await orders(20260304), 1);
  });

  it('keeps a key for orders apart from the same for time entries', async () => {
    const key = newKey();
    await load(key, JSON.stringify([plainOrder({ businessDate: 20260305 })]));

    const { status, body } = await running.call('POST', `/restaurants/${BISTRO}/time-entries`, {
      token,
      json: [],
      headers: { 'idempotency-key': key },
    });

    assert.deepEqual([status, body], [200, { accepted: 0, unchanged: 0, rejected: [], rejectedCount: 0 }]);
  });

  it('does not use a key up with a load that is refused or cut off', async () => {
    const key = newKey();
    const body = JSON.stringify([plainOrder({ businessDate: 20260306 })]);
    assert.equal((await load(key, `${body}]`)).status, 400);
    await new Promise<void>((resolve) => {
      const cut = request(`${running.service.origin}/v1/restaurants/${BISTRO}/orders`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
          'content-length': String(Buffer.byteLength(body) + 100),
        },
      });
      cut.on('error', () => resolve());
      cut.write(body, () => setTimeout(50).then(() => cut.destroy()));
    });

    const { status, headers } = await load(key, body);

    assert.deepEqual([status, headers.get('idempotency-replayed')], [200, null]);
    assert.equal(await orders(20260306), 1);
  });

  it('remembers over a restart, for 24 hours', async () => {
    const key = newKey();
    const body = JSON.stringify([plainOrder({ businessDate: 20260307 })]);
    const first = await load(key, body);
    await running.restart();

    const again = await load(key, body);
    running.advance(24 * HOURS);
    const later = await load(key, JSON.stringify([plainOrder({ businessDate: 20260307 })]));

    assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [first.body, 'true']);
    assert.deepEqual([later.status, later.headers.get('idempotency-replayed')], [200, null]);
  });

  it('refuses an invalid key before it reads the body', async () => {
    const { status, body } = await load('two words', '[');

    assert.deepEqual([status, body.code], [400, 'invalid_idempotency_key']);
  });
});
