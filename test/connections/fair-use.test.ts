/**
 * Law: whatever is read and whatever happens, a point of sale is never asked more often than it allows, and not before
 * it says.
 */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { isWithin, unfairUse } from '../../packages/service/src/connections/suite/fair-use.ts';
import { MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import type { RecordedCall } from '../upstream/call.ts';
import { small } from '../upstream/caller.ts';
import type { Fault } from '../upstream/faults.ts';
import { type Connected, connected } from './connected.ts';

const PER_SECOND = 8;
const FAULTS: Fault[] = [
  { kind: 'throttle', seconds: 7, by: 'GLOBAL' },
  { kind: 'throttle', seconds: 20, by: 'ENDPOINT' },
  { kind: 'throttle', seconds: 11, by: 'API', retryAfter: false },
  { kind: 'status', status: 503 },
  { kind: 'disconnect' },
  { kind: 'truncated' },
];

/** What is unfair in a recording, in words. */
function unfairIn(calls: readonly RecordedCall[]): string[] {
  const fair = calls.map((call) =>
    // One that failed without an answer began no session.
    Object.assign({}, call, { isSignIn: call.route === 'login' && call.status === 200 }),
  );
  const unfair = unfairUse(fair, PER_SECOND);
  for (const [restaurant, of] of Map.groupBy(calls, ({ restaurant }) => restaurant)) {
    const menus = of.filter(({ route }) => route === 'menus').map(({ at }) => at);
    if (!isWithin(menus, 0.5, 1)) unfair.push(`the menus of ${restaurant} are asked for too often`);
  }
  if (calls.some(({ status, faults }) => status === 429 && !faults.includes('throttle')))
    unfair.push('a limit of the point of sale was exceeded');
  return unfair;
}

/** Calls before the end of a slice that a throttle named; the first call that is too early, if any. */
function tooEarly(calls: readonly RecordedCall[], seconds: number, isOfPath: boolean): RecordedCall | undefined {
  const at = calls.findIndex(({ faults }) => faults.includes('throttle'));
  const throttled = calls[at];
  return calls.slice(at + 1).find((call) => {
    const isSame = call.route === throttled?.route && call.restaurant === throttled?.restaurant;
    return (isSame || !isOfPath) && call.at < (throttled?.at ?? 0) + seconds * 1000;
  });
}

async function trade(t: TestContext, seed: string): Promise<Connected> {
  const random = createRandom(`fair ${seed}`);
  const restaurants = [0, 1, 2, 3, 4, 5].map((index) => small(index, { ordersPerDay: 3 }));
  const one = await connected({ restaurants, tokenSeconds: 900 }, { requestsPerSecond: PER_SECOND });
  t.after(() => one.close());
  for (const fault of FAULTS) one.upstream.faults.add({ probability: 0.02, fault });
  const paths = [
    '/orders/v2/ordersBulk',
    '/labor/v1/timeEntries',
    '/labor/v1/jobs',
    '/menus/v2/menus',
    '/menus/v2/metadata',
  ];
  for (let round = 0; round < 4; round++) {
    const asked = Array.from({ length: 40 }, () => {
      const context = one.context(Math.floor(random.next() * restaurants.length));
      const path = paths[Math.floor(random.next() * paths.length)] ?? '';
      return context
        .request('GET', path, {
          query: /Bulk|Entries/.test(path) ? { businessDate: 20260309 } : {},
          headers: { 'Toast-Restaurant-External-ID': context.restaurant?.upstreamId ?? '' },
          ...(path === '/menus/v2/menus' && { everySeconds: 2 }),
        })
        .catch((error) => assert.match(error.code, /^(throttled|upstream_)/));
    });
    await one.run(Promise.all(asked));
    one.time.advance(Math.floor(random.next() * 20 * MINUTE_MS));
  }
  return one;
}

describe('fair use', () => {
  it('is kept by many calls at once, with faults of all kinds', async (t) => {
    for (let seed = 0; seed < 4; seed++) {
      const { upstream } = await trade(t, String(seed));
      assert.deepEqual(unfairIn(upstream.calls), [], `seed ${seed}`);
      assert.ok(upstream.calls.length > 100);
    }
  });

  for (const [by, isOfPath] of [
    ['GLOBAL', false],
    ['API', false],
    ['ENDPOINT', true],
  ] as const)
    it(`waits for a limit of ${by}, ${isOfPath ? 'for one path of one restaurant' : 'with all calls'}`, async (t) => {
      for (const retryAfter of [true, false]) {
        const one = await connected({ restaurants: [small(0), small(1)] });
        t.after(() => one.close());
        one.upstream.faults.add({ route: 'jobs', times: 1, fault: { kind: 'throttle', seconds: 30, by, retryAfter } });
        const ask = (index: number, path: string) => {
          const context = one.context(index);
          const headers = { 'Toast-Restaurant-External-ID': context.restaurant?.upstreamId ?? '' };
          return context.request('GET', path, { headers });
        };
        const others = async () => {
          await ask(0, '/labor/v1/jobs');
          await Promise.all([ask(0, '/labor/v1/employees'), ask(1, '/labor/v1/jobs')]);
        };
        await one.run(Promise.all([others(), ask(1, '/labor/v1/employees')]));
        assert.equal(tooEarly(one.upstream.calls, 30, isOfPath), undefined);
        const last = one.upstream.calls.at(-1);
        assert.equal(last?.status, 200);
      }
    });

  it('ends a call that would wait for longer than a minute, and says when to try again', async (t) => {
    const one = await connected();
    t.after(() => one.close());
    one.upstream.faults.add({ route: 'jobs', times: 1, fault: { kind: 'throttle', seconds: 600 } });
    const context = one.context();
    const headers = { 'Toast-Restaurant-External-ID': context.restaurant?.upstreamId ?? '' };
    // The slice of the limit ends with a whole second.
    const end = one.time.timers.now() + 601_000;
    const refused = one.run(context.request('GET', '/labor/v1/jobs', { headers }));
    await assert.rejects(refused, { code: 'throttled', retryAt: end });
    assert.equal(one.connector.throttledUntil, end);
    one.time.advance(601_000);
    assert.equal((await one.run(context.request('GET', '/labor/v1/jobs', { headers }))).status, 200);
  });

  it('lets urgent calls come first', async (t) => {
    const one = await connected();
    t.after(() => one.close());
    const { restaurant } = one.context();
    const headers = { 'Toast-Restaurant-External-ID': restaurant?.upstreamId ?? '' };
    const ask = (path: string, priority: number) =>
      one.connector
        .context({ restaurant, stream: path, priority, signal: one.signal })
        .request('GET', path, { headers });
    const late = Array.from({ length: 6 }, () => ask('/labor/v1/jobs', 5));
    await one.run(Promise.all([...late, ask('/labor/v1/employees', 1)]));
    const routes = one.upstream.calls.map(({ route }) => route);
    assert.deepEqual(routes.slice(0, 3).includes('employees'), true);
  });

  it('is missed where it is not kept', () => {
    const call = (at: number) => ({
      at,
      route: 'menus',
      restaurant: 'one',
      status: 200,
      faults: [],
      atOnce: 5,
      atOnceOfRestaurant: 2,
    });
    const recorded = [0, 0, 0, 0].map((at) => call(at) as unknown as RecordedCall);
    assert.equal(unfairIn(recorded).length, 5);
  });
});
