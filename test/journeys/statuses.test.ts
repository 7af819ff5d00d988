/** The statuses 202, 404, 409, 500 and 504, each by a real cause. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { enginePids, signalEngines, untilEnginesAnswer } from './engines.ts';
import {
  ask,
  BISTRO,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';
import { untilWaitedFor } from './waiters.ts';

const DAY = { startBusinessDate: '20260310' };

async function loaded(changes: Parameters<typeof startJourney>[0] = {}): Promise<{ running: Running; token: string }> {
  const running = await startJourney(changes);
  const token = await running.login('g');
  await putRestaurant(running, token, BISTRO);
  await postOrders(running, token, BISTRO, [plainOrder()]);
  return { running, token };
}

/** The files of a report's published attempt. */
async function reportFolder(running: Running, guid: string): Promise<string> {
  const folder = join(running.config.data, 'results', guid.slice(0, 2), guid);
  const [attempt = ''] = await readdir(folder);
  return join(folder, attempt);
}

describe('statuses by cause', () => {
  let running: Running;
  let token: string;
  before(async () => {
    ({ running, token } = await loaded({ answerSeconds: 0.5, leaseSeconds: 3, waitSeconds: 0.2, gatherSeconds: 20 }));
  });
  afterEach(() => signalEngines(running, 'SIGCONT'));
  after(() => running.stop());

  /** The answer once it is neither 202 nor a 504 of the short deadline. */
  async function retrieved(guid: string) {
    for (;;) {
      const answer = await running.call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=10' } });
      if (answer.status !== 202 && answer.status !== 504) return answer;
    }
  }

  it('404 for the GUIDs of the sandbox unless it is turned on', async () => {
    for (const status of [202, 409, 500, 504]) {
      const guid = `00000000-0000-4000-8000-000000000${status}`;
      assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).status, 404);
    }
  });

  it('202 while the engine is slow, never empty and exactly its three fields, then 200', async () => {
    signalEngines(running, 'SIGSTOP');
    const guid = await ask(running, token, '/metrics/day', DAY);

    const waiting = await running.call('GET', `/metrics/${guid}`, { token });
    const atOnce = await running.call('GET', `/metrics/day/${guid}`, { token, headers: { prefer: 'respond-async' } });

    for (const { status, body, headers } of [waiting, atOnce]) {
      assert.equal(status, 202);
      assert.deepEqual(Object.keys(body), ['message', 'reportStatus', 'reportRequestGuid']);
      assert.deepEqual([body.reportStatus, body.reportRequestGuid], ['IN_PROGRESS', guid]);
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    assert.match(atOnce.headers.get('deprecation') ?? '', /^@/);
    signalEngines(running, 'SIGCONT');
    const done = await retrieved(guid);
    assert.deepEqual([done.status, done.body.length], [200, 1]);
  });

  it('504 when the engine is slower than the deadline of an answer', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    assert.equal((await retrieved(guid)).status, 200);
    signalEngines(running, 'SIGSTOP');

    const late = await running.call('GET', `/metrics/${guid}?fetchRestaurantNames=true`, { token });

    assert.deepEqual([late.status, late.body.code, late.body.retryable], [504, 'engine_timeout', true]);
    // What is rendered already needs no engine.
    assert.equal((await running.call('GET', `/metrics/${guid}`, { token })).status, 200);
  });

  it('500 with the requestId when a thrown fault is unforeseen, and nothing internal in it', {
    skip: onOneNode('it breaks the ledger of one node'),
  }, async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    assert.equal((await retrieved(guid)).status, 200);
    const { ledger } = running.service.stores;
    const { report } = ledger;
    ledger.report = async () => {
      throw new Error('select failed in results/snapshot.parquet (sqlite.ts)');
    };
    const { status, body, headers, text } = await running.call('GET', `/metrics/${guid}`, { token }).finally(() => {
      ledger.report = report;
    });

    assert.deepEqual([status, body.code, body.status], [500, 'internal_error', 500]);
    assert.equal(body.requestId, headers.get('x-request-id'));
    assert.doesNotMatch(text, /parquet|duckdb|select|results|\.ts/i);
  });

  it('404 that says so when the GUID has expired and its files are deleted', {
    skip: onOneNode('it looks for files in the data folder'),
  }, async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    assert.equal((await retrieved(guid)).status, 200);
    const folder = await reportFolder(running, guid);

    running.advance(7 * 86_400_000 + 1);
    const fresh = await running.login('g');

    const { status, body } = await running.call('GET', `/metrics/${guid}`, { token: fresh });
    assert.deepEqual([status, body.code], [404, 'report_expired']);
    assert.match(body.message, /expired at 2026-03-27T/);
    for (let tries = 0; tries < 100; tries++) {
      if ((await readdir(folder).catch(() => [])).length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(await readdir(folder).catch(() => []), []);
    const stranger = await running.login('other');
    const theirs = await running.call('GET', `/metrics/${guid}`, { token: stranger });
    assert.equal(theirs.body.code, 'report_not_found');
  });
});

describe('409', () => {
  it('when the attempts are used up, with the POST that asks again', async () => {
    const { running, token } = await loaded({ gatherSeconds: 0.2, attempts: 2, waitSeconds: 10 });
    try {
      signalEngines(running, 'SIGSTOP');
      const json = { ...DAY, groupBy: ['DINING_OPTION'] };
      const guid = await ask(running, token, '/metrics/day?aggregateBy=HOUR', json);

      const { status, body } = await running.call('GET', `/metrics/${guid}`, {
        token,
        base: '/era/v1',
        headers: { prefer: 'wait=20' },
      });

      assert.deepEqual([status, body.code, body.status], [409, 'report_failed', 409]);
      assert.deepEqual(body.replacement, { method: 'POST', path: '/era/v1/metrics/day?aggregateBy=HOUR', body: json });
      signalEngines(running, 'SIGCONT');
      const { method, path, body: again } = body.replacement;
      const fresh = await running.call(method, path, { token, json: again, base: '' });
      assert.equal(fresh.status, 200);
    } finally {
      signalEngines(running, 'SIGCONT');
      await running.stop();
    }
  });

  describe('not', () => {
    let running: Running;
    let token: string;
    before(async () => {
      ({ running, token } = await loaded({ waitSeconds: 20 }));
    });
    after(() => running.stop());

    it('when the engine is killed in the middle: it is started again and the report gathered', async () => {
      const pids = enginePids(running);
      signalEngines(running, 'SIGSTOP');
      const guid = await ask(running, token, '/metrics/day', DAY);
      signalEngines(running, 'SIGKILL');

      const { status, body } = await running.call('GET', `/metrics/${guid}`, { token });

      assert.deepEqual([status, body.length], [200, 1]);
      assert.notDeepEqual(enginePids(running), pids);
      // Of other nodes, too: a process that starts after the next test has stopped them would gather its report.
      await untilEnginesAnswer(running);
    });

    it('when the service stops while it gathers: the report is handed back and gathered at the next start', async () => {
      signalEngines(running, 'SIGSTOP');
      const guid = await ask(running, token, '/metrics/day', DAY);
      const held = running.call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=30' } });
      await Promise.race([untilWaitedFor(running, guid), held]);

      await running.restart();

      assert.equal((await held).status, 202);
      assert.deepEqual([(await running.call('GET', `/metrics/${guid}`, { token })).status], [200]);
      assert.equal((await running.service.stores.ledger.report(guid))?.attempt, 1);
    });
  });
});

describe('the sandbox', () => {
  const reserved = (status: number): string => `00000000-0000-4000-8000-000000000${status}`;
  let running: Running;
  before(async () => {
    running = await startJourney({ sandbox: true });
  });
  after(() => running.stop());

  it('answers each reserved GUID with its status on every retrieval path, with a token', async () => {
    const token = await running.login('g');
    for (const status of [202, 401, 403, 404, 409, 410, 412, 429, 500, 503, 504]) {
      for (const path of ['/metrics/', '/metrics/day/', '/check/']) {
        const answer = await running.call('GET', path + reserved(status), { token });
        assert.equal(answer.status, status, path);
        if (status === 202) assert.equal(answer.body.reportRequestGuid, reserved(202));
        else assert.equal(answer.body.status, status);
        assert.equal((await running.call('GET', path + reserved(status))).status, 401);
      }
    }
  });

  it('answers its 409 with a POST whose report is found where the GUID was asked for, under both bases', async () => {
    const token = await running.login('g');
    const ranged = ['day', 'week', 'month', 'year'].map((range) => `/metrics/${range}`);
    for (const base of ['/v1', '/era/v1'] as const) {
      for (const path of ['/metrics', '/check', ...ranged]) {
        const { body } = await running.call('GET', `${path}/${reserved(409)}`, { token, base });

        const { method, path: again, body: json } = body.replacement;
        const made = await running.call(method, again, { token, json, base: '' });
        const found = await running.call('GET', `${path}/${made.body}`, { token, base });

        assert.equal(again, base + (path.split('/').length > 2 ? path : `${path}/day`));
        assert.deepEqual([made.status, found.status], [200, 200], base + path);
      }
    }
  });

  it('answers with the headers that the real answers have', async () => {
    const token = await running.login('g');
    const get = (status: number) => running.call('GET', `/check/${reserved(status)}`, { token });
    const real = await running.call('GET', '/reports', { token: 'not-a-token' });
    const unscoped = await running.login('g', { scopes: ['ingest:write'] });
    const forbidden = await running.call('GET', '/reports', { token: unscoped });

    for (const [sandboxed, expected] of [
      [await get(401), real],
      [await get(403), forbidden],
    ] as const) {
      assert.equal(sandboxed.headers.get('www-authenticate'), expected.headers.get('www-authenticate'));
      assert.deepEqual([sandboxed.body.code, sandboxed.body.message], [expected.body.code, expected.body.message]);
    }
    const limited = await get(429);
    assert.equal(limited.body.code, 'rate_limited');
    assert.match(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.match(
      limited.headers.get('ratelimit') ?? '',
      /^"retrieval-second";r=0;t=1, "retrieval-minute";r=\d+;t=\d+$/,
    );
    assert.match(limited.headers.get('ratelimit-policy') ?? '', /^"retrieval-second";q=\d+;w=1, /);
    const waited = await running.call('GET', `/check/${reserved(202)}`, { token, headers: { prefer: 'wait=0' } });
    assert.deepEqual([waited.status, waited.headers.get('preference-applied')], [202, 'wait=0']);
    const gone = await running.call('GET', `/check/${reserved(410)}?format=ndjson`, { token });
    assert.match(gone.headers.get('deprecation') ?? '', /^@\d+$/);
    assert.match(gone.headers.get('sunset') ?? '', /GMT$/);
    const [, successor = ''] = /^<(.+)>; rel="successor-version"$/.exec(gone.headers.get('link') ?? '') ?? [];
    const followed = await fetch(successor, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([followed.status, await followed.text()], [200, '']);
    assert.match(successor, /200\?format=ndjson$/);
    const codes = await Promise.all([412, 503].map(async (status) => (await get(status)).body.code));
    assert.deepEqual(codes, ['precondition_failed', 'unavailable']);
  });

  it('answers 202 twice and then 200, for each client and path, whatever Prefer says', {
    skip: onOneNode('each node counts for itself'),
  }, async () => {
    // The sandbox creates a report once for a group: this one has orders.
    const first = await running.login('loaded');
    await putRestaurant(running, first, BISTRO);
    // Yesterday of the journey's clock.
    await postOrders(running, first, BISTRO, [plainOrder({ businessDate: 20260319 })]);
    const second = await running.login('loaded');
    for (const path of ['/metrics/', '/metrics/week/', '/check/']) {
      for (const token of [first, second]) {
        const get = (query = '', headers = {}) =>
          running.call('GET', `${path}00000000-0000-4000-8000-000202202200${query}`, { token, headers });
        const statuses = [];
        for (let i = 0; i < 4; i++) {
          const { status, headers, body } = await get('', { prefer: 'respond-async' });
          statuses.push(status);
          if (status === 202) assert.deepEqual([headers.get('retry-after'), body.reportStatus], ['1', 'IN_PROGRESS']);
        }
        assert.deepEqual(statuses, [202, 202, 200, 200], path);
        const csv = await get('?format=csv&fetchRestaurantNames=true');
        assert.match(csv.text, /^restaurantGuid,.*\r\n.*Bistro\r\n$/);
      }
    }
  });

  it('answers slowly after the seconds of the GUID, while others are answered', async () => {
    const token = await running.login('g');
    const slowly = (seconds: string) => `/metrics/00000000-0000-4000-8000-0000000${seconds}200`;
    const ends: string[] = [];
    const wait = async (name: string, seconds: string) => {
      const { status } = await running.call('GET', slowly(seconds), { token });
      ends.push(`${name} ${status}`);
    };
    await wait('at once', '00');
    const slow = wait('slow', '04');
    await wait('less slow', '01');
    await running.call('GET', '/reports', { token });
    ends.push('another');
    await slow;
    assert.deepEqual(ends, ['at once 200', 'less slow 200', 'another', 'slow 200']);
    assert.equal((await running.call('GET', slowly('31'), { token })).status, 404);
    // A service that stops waits for nobody who waits on purpose. It is the last test: none is left to answer another.
    const last = running.call('GET', slowly('30'), { token });
    await running.call('GET', '/reports', { token });
    await running.service.close();
    assert.equal((await last).status, 200);
  });
});
