import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { signalEngines } from './engines.ts';
import {
  type Answer,
  ask,
  BISTRO,
  NOW,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';
import { openBrowser } from './session-browser.ts';
import { untilWaitedFor } from './waiters.ts';

const { limitRetrieval, limitMetrics } = readConfig({ limitRetrieval: '5/s,30/min', limitMetrics: '2/min' }, {});
const DAY = { startBusinessDate: 20260310 };
const MINUTE_MS = 60_000;

/** What `RateLimit` says is left of each window, and the seconds until it ends. */
function leftOf({ headers }: Answer): Record<string, { r: number; t: number }> {
  const items = [...(headers.get('ratelimit') ?? '').matchAll(/"([a-z-]+)";r=(\d+);t=(\d+)/g)];
  return Object.fromEntries(items.map(([, name, r, t]) => [name, { r: Number(r), t: Number(t) }]));
}

describe('limits', () => {
  let running: Running;
  let token: string;
  let guid: string;
  let checks: string;
  before(async () => {
    running = await startJourney({ limits: 'on', limitRetrieval, limitMetrics, sandbox: true });
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
    await postOrders(
      running,
      token,
      BISTRO,
      Array.from({ length: 400 }, () => plainOrder()),
    );
    guid = await ask(running, token, '/metrics/day', DAY);
    checks = await ask(running, token, '/check/day', DAY);
    for (const path of [`/metrics/${guid}`, `/check/${checks}`]) await running.call('GET', path, { token });
  });
  after(() => running.stop());
  const retrieve = (path = `/metrics/${guid}`, as = token): Promise<Answer> => running.call('GET', path, { token: as });
  let now = NOW;
  const advance = (ms: number): void => {
    now += ms;
    running.advance(ms);
  };
  /** To the beginning of a minute in which nothing was called. */
  const rest = (): void => advance(2 * MINUTE_MS - (now % MINUTE_MS));

  it('are in the headers of every answer, errors too', async () => {
    rest();

    const answers = [
      await retrieve(),
      await retrieve('/metrics/nonsense'),
      await retrieve(`/metrics/${guid}?fetchRestaurantNames=perhaps`),
      await retrieve('/metrics/00000000-0000-4000-8000-000000000500'),
      await running.call('HEAD', `/metrics/day/${guid}`, { token, base: '/era/v1' }),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404, 400, 500, 200],
    );
    for (const [i, answer] of answers.entries()) {
      assert.equal(answer.headers.get('ratelimit-policy'), '"retrieval-second";q=5;w=1, "retrieval-minute";q=30;w=60');
      assert.deepEqual(leftOf(answer), {
        'retrieval-second': { r: 4 - i, t: 1 },
        'retrieval-minute': { r: 29 - i, t: 60 },
      });
    }
  });

  it('are in the headers of an answer that is streamed past the framework', async () => {
    rest();

    const answer = await retrieve(`/check/${checks}`);

    assert.ok(answer.text.length > 64 * 1024);
    assert.deepEqual(leftOf(answer), { 'retrieval-second': { r: 4, t: 1 }, 'retrieval-minute': { r: 29, t: 60 } });
  });

  it('never refuse a client that obeys RateLimit', async () => {
    rest();

    const statuses = new Set<number>();
    for (let i = 0; i < 70; i++) {
      const answer = await retrieve();
      statuses.add(answer.status);
      const used = Object.values(leftOf(answer)).filter(({ r }) => r === 0);
      advance(Math.max(0, ...used.map(({ t }) => t * 1000)));
    }

    assert.deepEqual([...statuses], [200]);
  });

  it('refuse a client that does not, and say truly how long', async () => {
    rest();
    advance(30_500);

    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await retrieve());
    const refused = answers.at(-1) ?? assert.fail();

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429],
    );
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(refused.body.code, 'rate_limited');
    assert.equal(refused.body.retryable, true);
    // What is refused is not counted: the minute has as much left as after the fifth.
    assert.deepEqual(leftOf(refused), { 'retrieval-second': { r: 0, t: 1 }, 'retrieval-minute': { r: 25, t: 30 } });
    advance(Number(refused.headers.get('retry-after')) * 1000);
    assert.equal((await retrieve()).status, 200);
  });

  it('count a waiting retrieval once, and show the remaining quota when it is answered', async () => {
    rest();
    signalEngines(running, 'SIGSTOP');
    const waiting = await ask(running, token, '/check/day', DAY);
    const answer = retrieve(`/check/${waiting}`);
    await untilWaitedFor(running, waiting);
    advance(MINUTE_MS - 1500);

    signalEngines(running, 'SIGCONT');
    const told = leftOf(await answer);

    assert.equal((await answer).status, 200);
    assert.deepEqual(told, { 'retrieval-second': { r: 5, t: 1 }, 'retrieval-minute': { r: 29, t: 2 } });
  });

  it('are shared by the clients and sessions of a group, not by groups or kinds of report', async () => {
    rest();
    const second = await running.login('group');
    const other = await running.login('another');
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'group' }, now);
    const browser = openBrowser(running);
    await browser.call('POST', '/session', { clientId: id, clientSecret: secret });
    const session = (await browser.call('POST', '/session/token', {})).body.token;
    const create = (as: string, path: string): Promise<Answer> => running.call('POST', path, { token: as, json: DAY });
    for (const as of [token, session]) assert.equal((await create(as, '/metrics/day')).status, 200);

    const statuses = [];
    for (const [as, path] of [
      [token, '/metrics/week'],
      [second, '/metrics/day'],
      [session, '/metrics/day'],
      [other, '/metrics/day'],
      [second, '/check/day'],
    ] as const)
      statuses.push((await create(as, path)).status);

    assert.deepEqual(statuses, [429, 429, 429, 200, 200]);
  });

  it('do not hold for calls without a token, for status, restaurants and loading', async () => {
    rest();

    const answers = [
      await running.call('GET', `/metrics/${guid}`),
      await running.call('POST', '/metrics/decade', { token, json: DAY }),
      await retrieve(`/reports/${guid}`),
      await retrieve('/restaurants-information'),
      await running.call('POST', `/restaurants/${BISTRO}/orders`, { token, json: [] }),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 404, 200, 200, 200],
    );
    for (const { headers } of answers)
      assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null]);
  });

  it('begin again with the process', { skip: onOneNode('limits are kept in PostgreSQL') }, async () => {
    rest();
    for (let i = 0; i < 6; i++) await retrieve();

    await running.restart();

    assert.equal(leftOf(await retrieve())['retrieval-minute']?.r, 29);
  });
});

describe('without limits', () => {
  it('no answer speaks of them', async () => {
    const running = await startJourney();
    const token = await running.login('group');

    const answer = await running.call('GET', '/metrics/nonsense', { token });

    assert.deepEqual([answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')], [null, null]);
    await running.stop();
  });
});

describe('the numbers of limits', () => {
  const policiesOf = async (
    settings: Parameters<typeof readConfig>[0],
    paths: string[],
  ): Promise<(string | null)[]> => {
    const { limits, ...rest } = readConfig(settings, {});
    const running = await startJourney({ limits, limitRetrieval: rest.limitRetrieval, limitCheck: rest.limitCheck });
    const token = await running.login('group');
    const policies: (string | null)[] = [];
    for (const path of paths) {
      const answer = await running.call(path.startsWith('/check/d') ? 'POST' : 'GET', path, { token });
      policies.push(answer.headers.get('ratelimit-policy'));
    }
    await running.stop();
    return policies;
  };

  it('are generous, those of the live system with one word, and each can be set', async () => {
    const generous = '"retrieval-second";q=50;w=1, "retrieval-minute";q=3000;w=60';
    assert.deepEqual(await policiesOf({}, ['/metrics/x']), [generous]);
    assert.deepEqual(await policiesOf({ limits: 'live', limitRetrieval: '7/h' }, ['/check/day', '/metrics/x']), [
      '"check-minute";q=5;w=60, "check-day";q=60;w=86400',
      '"retrieval-hour";q=7;w=3600',
    ]);
    assert.deepEqual(await policiesOf({ limitRetrieval: 'off' }, ['/metrics/x']), [null]);
  });
});
