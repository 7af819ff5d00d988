/** Calls to a point of sale: what follows from each way in which it misbehaves, and how it is signed in to. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { SourceErrorCode } from '@daypart/client/source';
import { realTimers } from '../../packages/service/src/connections/timers.ts';
import { createTransport } from '../../packages/service/src/connections/transport.ts';
import { HOUR_MS, MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { START } from '../upstream/caller.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from '../upstream/faults.ts';
import type { UpstreamOptions } from '../upstream/upstream.ts';
import { type Connected, connected, MOST_BYTES } from './connected.ts';

async function open(t: TestContext, options: UpstreamOptions = {}): Promise<Connected> {
  const one = await connected(options);
  t.after(() => one.close());
  return one;
}
const DATE = { query: { businessDate: 20260309, pageSize: 5 } };
const ask = (one: Connected) => {
  const context = one.context();
  const headers = { 'Toast-Restaurant-External-ID': context.restaurant?.upstreamId ?? '' };
  return one.run(context.request('GET', '/orders/v2/ordersBulk', { ...DATE, headers }));
};
const calls = ({ upstream }: Connected, route: string) => upstream.calls.filter((call) => call.route === route);
const add = ({ upstream }: Connected, fault: Fault, times?: number) =>
  upstream.faults.add({ route: 'ordersBulk', fault, ...(times !== undefined && { times }) });

interface Outcome {
  fault: Fault;
  /** What the call ends with if the fault stays; without, it is answered. */
  fails?: SourceErrorCode;
  /** How many calls were made, if the fault stays. */
  calls: number;
  /** Whether a call is answered after the fault came once. */
  passes: boolean;
}

const OUTCOMES: Record<FaultKind, Outcome> = {
  status: { fault: { kind: 'status', status: 503 }, fails: 'upstream_error', calls: 4, passes: true },
  throttle: { fault: { kind: 'throttle', seconds: 20 }, fails: 'throttled', calls: 10, passes: true },
  disconnect: { fault: { kind: 'disconnect' }, fails: 'upstream_unreachable', calls: 4, passes: true },
  silent: { fault: { kind: 'silent' }, fails: 'upstream_unreachable', calls: 4, passes: true },
  cut: { fault: { kind: 'cut', bytes: 50 }, fails: 'upstream_unreachable', calls: 4, passes: true },
  hang: { fault: { kind: 'hang', bytes: 50 }, fails: 'upstream_unreachable', calls: 4, passes: true },
  slow: { fault: { kind: 'slow', bytesPerSecond: 10 }, fails: 'upstream_unreachable', calls: 4, passes: true },
  text: { fault: { kind: 'text' }, fails: 'upstream_error', calls: 4, passes: true },
  html: { fault: { kind: 'html' }, fails: 'upstream_error', calls: 4, passes: true },
  truncated: { fault: { kind: 'truncated' }, fails: 'upstream_error', calls: 4, passes: true },
  redirect: {
    fault: { kind: 'redirect', to: 'http://169.254.169.254/' },
    fails: 'upstream_changed',
    calls: 1,
    passes: false,
  },
  large: { fault: { kind: 'large', bytes: MOST_BYTES + 1 }, fails: 'upstream_changed', calls: 1, passes: false },
  // What these do to pages is the tail's; a call is answered.
  repeatPage: { fault: { kind: 'repeatPage' }, calls: 1, passes: true },
  emptyPage: { fault: { kind: 'emptyPage' }, calls: 1, passes: true },
  endlessNext: { fault: { kind: 'endlessNext' }, calls: 1, passes: true },
  date: { fault: { kind: 'date', seconds: 3 * 3600 }, calls: 1, passes: true },
  modify: { fault: { kind: 'modify', orders: 1 }, calls: 1, passes: true },
  advance: { fault: { kind: 'advance', seconds: 60 }, calls: 1, passes: true },
  change: { fault: { kind: 'change', change: { publishMenus: true } }, calls: 1, passes: true },
};

describe('a call', () => {
  for (const kind of FAULT_KINDS) {
    const { fault, fails, calls: count, passes } = OUTCOMES[kind];
    it(`is answered or fails as it should with ${kind}`, async (t) => {
      const one = await open(t);
      add(one, fault);
      if (fails) await assert.rejects(ask(one), { code: fails });
      else assert.equal((await ask(one)).status, 200);
      assert.equal(calls(one, 'ordersBulk').length, count);

      one.upstream.faults.remove();
      one.time.advance(10 * MINUTE_MS);
      add(one, fault, 1);
      if (passes) assert.equal((await ask(one)).status, 200);
      else await assert.rejects(ask(one), { code: fails });
    });
  }

  it('is repeated after 1, 4 and 15 s, or when an answer asks for later', async (t) => {
    const one = await open(t);
    add(one, { kind: 'status', status: 500 });
    await assert.rejects(ask(one), (error: Error) => !/padding/.test(error.message));
    const at = calls(one, 'ordersBulk').map((call) => call.at);
    assert.deepEqual(
      at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / 1000),
      [1, 4, 15],
    );

    one.upstream.faults.remove();
    one.upstream.calls.length = 0;
    add(one, { kind: 'status', status: 503, retryAfter: 30 }, 1);
    await ask(one);
    const [first, second] = calls(one, 'ordersBulk');
    assert.equal((second?.at ?? 0) - (first?.at ?? 0), 30_000);
    add(one, { kind: 'status', status: 503, retryAfter: 300 }, 1);
    await assert.rejects(
      ask(one),
      ({ code, retryAt }) => code === 'upstream_error' && retryAt - one.time.timers.now() === 300_000,
    );
  });

  it('that cannot be read twice in a row says that the point of sale has changed', async (t) => {
    const one = await open(t);
    add(one, { kind: 'html' });
    await assert.rejects(ask(one), { code: 'upstream_error' });
    await assert.rejects(ask(one), { code: 'upstream_changed' });
    one.upstream.faults.remove();
    await ask(one);
    add(one, { kind: 'truncated' });
    await assert.rejects(ask(one), { code: 'upstream_error' });
  });

  it('says what is refused, with the request of the point of sale and nothing secret', async (t) => {
    const one = await open(t);
    const secret = one.upstream.world.clients[0]?.clientSecret ?? '';
    add(one, { kind: 'status', status: 403, message: 'No permission' }, 1);
    await assert.rejects(ask(one), {
      code: 'no_permission',
      status: 403,
      message: /: No permission/,
      requestId: /^[\w-]+$/,
    });
    add(one, { kind: 'status', status: 400, message: `wrong ${secret}` }, 1);
    await assert.rejects(ask(one), (error: Error & { code: string }) => {
      assert.equal(error.code, 'upstream_changed');
      return !error.message.includes(secret);
    });
    add(one, { kind: 'status', status: 404 }, 1);
    await assert.rejects(ask(one), { code: 'restaurant_unknown' });
    assert.match(one.upstream.calls.at(-1)?.userAgent ?? '', /^daypart\/\S+ \(\+none\)$/);
  });

  it('fails while the point of sale is away, and is answered when it is back', async (t) => {
    const one = await open(t);
    await ask(one);
    await one.upstream.away();
    await assert.rejects(ask(one), { code: 'upstream_unreachable', message: /no connection/ });
    await one.upstream.back();
    assert.equal((await ask(one)).status, 200);
  });

  it('ends at once when its signal is aborted', async (t) => {
    const one = await open(t);
    add(one, { kind: 'silent' });
    const stop = new AbortController();
    const context = one.connector.context({ restaurant: null, stream: 'orders', signal: stop.signal });
    const asked = context.request('GET', '/orders/v2/ordersBulk', DATE);
    setImmediate(() => stop.abort(new Error('stopped')));
    await assert.rejects(asked, /stopped/);
  });

  it('is made to a public address over TLS only', async () => {
    const transport = createTransport({ allowPrivate: false, timers: realTimers });
    const { signal } = new AbortController();
    const to = (url: string) =>
      transport.send({ method: 'GET', url: new URL(url), headers: {}, body: undefined, signal });
    await assert.rejects(to('https://127.0.0.1/'), /no public address/);
    await assert.rejects(to('https://localhost/'), /no public address/);
    await assert.rejects(to('http://example.com/'), /not https/);
    transport.close();
  });
});

describe('the time of the point of sale', () => {
  it('follows its answers, but not some that are wrong, nor hours', async (t) => {
    const one = await open(t);
    one.upstream.clock.advance(5 * MINUTE_MS);
    for (let at = 0; at < 5; at++) await ask(one);
    assert.ok(Math.abs(one.connector.skewMs - 5 * MINUTE_MS) < 1000);
    add(one, { kind: 'date', seconds: -3 * 3600 }, 2);
    for (let at = 0; at < 2; at++) await ask(one);
    assert.ok(Math.abs(one.connector.skewMs - 5 * MINUTE_MS) < 1000);
    add(one, { kind: 'date', seconds: 3 * 3600 });
    for (let at = 0; at < 9; at++) await ask(one);
    assert.deepEqual([one.connector.skewMs, one.connector.isClockWrong], [0, true]);
    assert.equal(one.context().now(), one.time.timers.now());
  });
});

describe('a session', () => {
  const endTokens = ({ upstream }: Connected): void => upstream.world.change({ endTokens: true });

  it('is kept over calls and restarts', async (t) => {
    const one = await open(t);
    await Promise.all([ask(one), ask(one)]);
    one.restart();
    await ask(one);
    assert.equal(calls(one, 'login').length, 1);
  });

  it('that is refused within half an hour waits until then, and is then renewed once', async (t) => {
    const one = await open(t);
    await ask(one);
    one.time.advance(5 * MINUTE_MS);
    endTokens(one);
    await assert.rejects(ask(one), { code: 'throttled', retryAt: START + 30 * MINUTE_MS });
    one.restart();
    await assert.rejects(ask(one), { code: 'throttled', retryAt: START + 30 * MINUTE_MS });
    assert.equal(calls(one, 'login').length, 1);
    one.time.advance(25 * MINUTE_MS);
    assert.equal((await ask(one)).status, 200);
    assert.equal(calls(one, 'login').length, 2);
  });

  it('that is refused again after it was renewed means that the credentials are refused', async (t) => {
    const one = await open(t);
    one.upstream.faults.add({ route: 'ordersBulk', fault: { kind: 'status', status: 401 } });
    await assert.rejects(ask(one), { code: 'throttled' });
    one.time.advance(30 * MINUTE_MS);
    await assert.rejects(ask(one), { code: 'credentials_refused' });
    assert.equal(calls(one, 'login').length, 2);
  });

  it('that expires early is renewed twice an hour at most', async (t) => {
    const one = await open(t, { tokenSeconds: 600 });
    for (let at = 0; at < 36; at++) {
      await ask(one).catch((error) => assert.equal(error.code, 'throttled'));
      one.time.advance(5 * MINUTE_MS);
    }
    const logins = calls(one, 'login').map(({ at }) => at);
    assert.ok(logins.length >= 4, String(logins.length));
    for (const at of logins) assert.ok(logins.filter((other) => other >= at && other < at + HOUR_MS).length <= 2);
  });

  it('is not begun with a wrong secret, and nothing is tried again', async (t) => {
    const one = await open(t);
    one.upstream.world.change({ clientSecret: 'another' });
    await assert.rejects(ask(one), { code: 'credentials_refused', status: 401 });
    assert.deepEqual([calls(one, 'login').length, one.upstream.calls.length], [1, 1]);
  });
});
