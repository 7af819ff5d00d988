/** Each way in which the stand-in misbehaves. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Called, login, START, signIn, startSmall } from './caller.ts';
import { createFaults, FAULT_KINDS, type Fault, type FaultKind } from './faults.ts';
import type { Upstream } from './upstream.ts';

const DATE = '/orders/v2/ordersBulk?businessDate=20260309';

describe('the stand-in misbehaves by rule', () => {
  let upstream: Upstream;
  let get: (path: string, restaurant?: string) => Promise<Called>;
  before(async () => {
    upstream = await startSmall({ limits: 'off' });
    get = await signIn(upstream);
  });
  after(() => upstream.close());
  afterEach(() => upstream.faults.remove());

  const oneTime = (fault: Fault): void => void upstream.faults.add({ route: 'ordersBulk', times: 1, fault });
  const failed = async (path = DATE): Promise<boolean> => (await get(path).catch(() => undefined)) === undefined;
  /** What a reader sees of each kind. A kind without a row fails below. */
  const SEEN: Record<FaultKind, () => Promise<void>> = {
    async status() {
      oneTime({ kind: 'status', status: 503, retryAfter: 7 });
      const { status, headers, body } = await get(DATE);
      assert.deepEqual([status, headers.get('retry-after'), body.code], [503, '7', 10022]);
      oneTime({ kind: 'status', status: 500, message: 'Internal' });
      const other = await get(DATE);
      assert.deepEqual([other.status, other.headers.get('retry-after'), other.body.message], [500, null, 'Internal']);
    },
    async throttle() {
      oneTime({ kind: 'throttle', seconds: 30, by: 'ENDPOINT' });
      const { status, headers } = await get(DATE);
      const names = ['x-toast-ratelimit-by', 'x-toast-ratelimit-remaining', 'x-toast-ratelimit-reset', 'retry-after'];
      const shown = names.map((name) => headers.get(name));
      assert.deepEqual([status, ...shown], [429, 'ENDPOINT', '0', String(START / 1000 + 30), '30']);
      oneTime({ kind: 'throttle', seconds: 30, retryAfter: false });
      assert.equal((await get(DATE)).headers.get('retry-after'), null);
    },
    async disconnect() {
      oneTime({ kind: 'disconnect' });
      assert.ok(await failed());
      assert.equal(upstream.calls.at(-1)?.status, 0);
    },
    async cut() {
      oneTime({ kind: 'cut', bytes: 100 });
      assert.ok(await failed());
      assert.deepEqual([upstream.calls.at(-1)?.status, upstream.calls.at(-1)?.faults], [200, ['cut']]);
    },
    async hang() {
      oneTime({ kind: 'hang', bytes: 100 });
      const { received, ended } = await begun(upstream, DATE);
      assert.deepEqual([received, ended], [100, false]);
    },
    async silent() {
      oneTime({ kind: 'silent' });
      const { received, ended } = await begun(upstream, DATE);
      assert.deepEqual([received, ended], [0, false]);
    },
    async slow() {
      const whole = await get('/config/v2/diningOptions');
      upstream.faults.add({ route: 'diningOptions', times: 1, fault: { kind: 'slow', bytesPerSecond: 2000 } });
      const response = await get('/config/v2/diningOptions');
      assert.equal(response.text, whole.text);
    },
    async text() {
      oneTime({ kind: 'text' });
      const { status, headers, body } = await get(DATE);
      assert.deepEqual([status, headers.get('content-type'), body], [200, 'text/plain', undefined]);
    },
    async html() {
      oneTime({ kind: 'html' });
      const { status, text } = await get(DATE);
      assert.equal(status, 200);
      assert.match(text, /^<!doctype html>/);
    },
    async truncated() {
      const whole = await get(DATE);
      oneTime({ kind: 'truncated' });
      const { status, text, body, headers } = await get(DATE);
      assert.deepEqual([status, body], [200, undefined]);
      assert.ok(whole.text.startsWith(text));
      assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text));
    },
    async repeatPage() {
      const first = await get(`${DATE}&pageSize=10`);
      oneTime({ kind: 'repeatPage' });
      const second = await get(`${DATE}&pageSize=10&page=2`);
      assert.deepEqual(second.body, first.body);
      assert.notDeepEqual((await get(`${DATE}&pageSize=10&page=2`)).body, first.body);
    },
    async emptyPage() {
      oneTime({ kind: 'emptyPage' });
      const { body, headers } = await get(`${DATE}&page=3`);
      assert.deepEqual(body, []);
      assert.match(headers.get('link') ?? '', /page=4.*rel="next"/);
    },
    async endlessNext() {
      upstream.faults.add({ route: 'ordersBulk', fault: { kind: 'endlessNext' } });
      for (const page of [1, 50])
        assert.match((await get(`${DATE}&page=${page}`)).headers.get('link') ?? '', /rel="next"/);
      assert.ok((await get(DATE)).body.length > 0);
    },
    async date() {
      oneTime({ kind: 'date', seconds: -3 * 3600 });
      assert.equal((await get(DATE)).headers.get('date'), 'Tue, 10 Mar 2026 20:00:00 GMT');
      assert.equal((await get(DATE)).headers.get('date'), 'Tue, 10 Mar 2026 23:00:00 GMT');
    },
    async large() {
      oneTime({ kind: 'large', bytes: 3_000_000 });
      const { text, body } = await get(DATE);
      assert.ok(text.length > 3_000_000);
      assert.equal(body.length, 1);
    },
    async redirect() {
      oneTime({ kind: 'redirect', to: 'http://169.254.169.254/latest/meta-data/' });
      const { status, headers } = await get(DATE);
      assert.deepEqual([status, headers.get('location')], [302, 'http://169.254.169.254/latest/meta-data/']);
    },
    async modify() {
      const before = await get(`${DATE}&pageSize=1`);
      upstream.clock.advance(1000);
      oneTime({ kind: 'modify', orders: 1 });
      const after = await get(`${DATE}&pageSize=1`);
      assert.equal(after.body[0].guid, before.body[0].guid);
      assert.equal(after.body[0].modifiedDate, new Date(upstream.clock.now()).toISOString().replace('Z', '+0000'));
    },
    async advance() {
      const at = upstream.clock.now();
      oneTime({ kind: 'advance', seconds: 90 });
      assert.equal((await get(DATE)).status, 200);
      assert.equal(upstream.clock.now(), at + 90_000);
    },
    async change() {
      const [restaurant = ''] = upstream.world.houses.keys();
      oneTime({ kind: 'change', change: { restaurants: [] } });
      assert.equal((await get(DATE)).status, 403);
      oneTime({ kind: 'change', change: { restaurants: [restaurant], endTokens: true } });
      assert.equal((await get(DATE)).status, 401);
      get = await signIn(upstream);
      assert.equal((await get(DATE)).status, 200);
    },
  };
  for (const kind of FAULT_KINDS) it(kind, () => SEEN[kind]());

  it('refuses connections while it is away, and has its state when it is back', async () => {
    const { text } = await get(DATE);
    await upstream.away();
    const [refused] = await once(connect(Number(new URL(upstream.url).port), '127.0.0.1'), 'error');
    await upstream.back();
    assert.equal(refused.code, 'ECONNREFUSED');
    // The first call may find its kept connection closed.
    await get(DATE).catch(() => undefined);
    assert.equal((await get(DATE)).text, text);
  });
});

/**
 * Sends a call and waits until its answer has begun or, where none comes, until the stand-in has recorded it; then
 * cancels it.
 */
async function begun(upstream: Upstream, path: string): Promise<{ received: number; ended: boolean }> {
  const { body } = await login(upstream);
  const [restaurant = ''] = upstream.world.houses.keys();
  const headers = { Authorization: `Bearer ${body.token.accessToken}`, 'Toast-Restaurant-External-ID': restaurant };
  const cancel = new AbortController();
  const count = upstream.calls.length;
  let [received, ended] = [0, false];
  const reading = fetch(upstream.url + path, { headers, signal: cancel.signal })
    .then(async (response) => {
      for await (const chunk of response.body ?? []) {
        received += chunk.length;
        cancel.abort();
      }
      ended = true;
    })
    .catch(() => undefined);
  while (upstream.calls.length === count) await new Promise((resolve) => setImmediate(resolve));
  if (upstream.calls.at(-1)?.faults.includes('silent')) cancel.abort();
  await reading;
  return { received, ended };
}

it('the tour of the docs names every fault, call and place of the stand-in', () => {
  const docs = readFileSync(new URL('../../docs/connect.md', import.meta.url), 'utf8');
  const places = ['clock', 'rules', 'changes', 'orders', 'timeEntries', 'calls', 'away'].map(
    (name) => `/stand-in/${name}`,
  );
  for (const name of [...FAULT_KINDS, ...places]) assert.ok(docs.includes(`\`${name}\``), name);
});

describe('a rule', () => {
  const hits = (rule: object, calls: object[]): number[] => {
    const faults = createFaults('seed');
    faults.add({ fault: { kind: 'disconnect' }, ...rule });
    return calls.flatMap((call, index) =>
      faults.of({ route: 'ordersBulk', restaurant: 'one', page: 1, ...call }).length > 0 ? [index] : [],
    );
  };
  const many = Array.from({ length: 10 }, () => ({}));

  it('is for the nth call, for each nth, or for some at most', () => {
    assert.deepEqual(hits({ skip: 3, times: 1 }, many), [3]);
    assert.deepEqual(hits({ every: 3 }, many), [2, 5, 8]);
    assert.deepEqual(hits({ times: 2 }, many), [0, 1]);
  });

  it('is for routes, a restaurant, or a page', () => {
    assert.deepEqual(hits({ route: ['jobs', 'ordersBulk'] }, [{}, { route: 'menus' }, { route: 'jobs' }]), [0, 2]);
    assert.deepEqual(hits({ restaurant: 'two' }, [{}, { restaurant: 'two' }, { restaurant: undefined }]), [1]);
    assert.deepEqual(hits({ page: 2 }, [{}, { page: 2 }]), [1]);
  });

  it('by chance hits the same calls of the same seed', () => {
    const calls = Array.from({ length: 1000 }, () => ({}));
    const some = hits({ probability: 0.05 }, calls);
    assert.deepEqual(hits({ probability: 0.05 }, calls), some);
    assert.ok(some.length > 20 && some.length < 100);
  });

  it('takes precedence over later ones, but all that happens before a call does', () => {
    const faults = createFaults('seed');
    for (const kind of ['disconnect', 'silent'] as const) faults.add({ fault: { kind } });
    faults.add({ fault: { kind: 'advance', seconds: 1 } });
    const kinds = faults.of({ route: 'jobs', restaurant: undefined, page: 1 }).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['disconnect', 'advance']);
    assert.deepEqual(
      faults.rules.map(({ matched, applied }) => [matched, applied]),
      [
        [1, 1],
        [1, 0],
        [1, 1],
      ],
    );
    faults.remove(1);
    assert.equal(faults.rules.length, 2);
    assert.throws(() => faults.add({ fault: { kind: 'explode' } as unknown as Fault }), RangeError);
  });
});
