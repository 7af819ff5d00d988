/** Stores that do not answer: 503 with Retry-After, never 401 or 500, and nothing needs a restart. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReclaim, type ReclaimDeps } from '../../packages/service/src/gather/reclaim.ts';
import { createSignals } from '../../packages/service/src/gather/signals.ts';
import { LedgerGone } from '../../packages/service/src/ledger/ledger.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { runChecks } from '../../packages/service/src/observability/checks.ts';
import { ResultsGone } from '../../packages/service/src/results/results.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: '20260310' };

describe('a store that does not answer', () => {
  let running: Running;
  let token: string;
  const restored: (() => void)[] = [];
  before(async () => {
    running = await startJourney({ waitSeconds: 20 });
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
  });
  afterEach(() => {
    for (const restore of restored.splice(0)) restore();
  });
  after(() => running?.stop());

  /** Replaces a method of a store of the running service until the test has ended. */
  function failing<Store extends object, Name extends keyof Store>(store: Store, name: Name, work: Store[Name]): void {
    const before = store[name];
    store[name] = work;
    restored.push(() => {
      store[name] = before;
    });
  }

  it('is 503 store_unavailable with Retry-After, which is no loss of the token', async () => {
    const { ledger } = running.service.stores;
    const gone = async () => Promise.reject(new LedgerGone(new Error('refused'), false));
    failing(ledger, 'report', gone);
    failing(ledger, 'client', gone);
    failing(ledger, 'addReport', async () => Promise.reject(new LedgerGone(new Error('cut'), true)));

    const guid = '0d000000-0000-4000-8000-00000000ffff';
    const read = await running.call('GET', `/check/${guid}`, { token });
    assert.deepEqual([read.status, read.body.code, read.headers.get('retry-after')], [503, 'store_unavailable', '2']);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' });
    const login = await fetch(`${running.service.origin}/oauth/token`, { method: 'POST', body });
    const refusal = (await login.json()) as { error: string };
    assert.deepEqual(
      [login.status, refusal.error, login.headers.get('retry-after')],
      [503, 'temporarily_unavailable', '2'],
    );

    for (const restore of restored.splice(0)) restore();
    failing(ledger, 'addReport', async () => Promise.reject(new LedgerGone(new Error('cut'), true)));
    const created = await running.call('POST', '/check/day', { token, json: DAY });
    assert.deepEqual([created.status, created.body.code], [503, 'store_unavailable']);
    assert.match(created.body.detail, /unknown whether this call was carried out/);
  });

  it('does not say that nothing was changed if the load is stored and its idempotency key is not', async () => {
    const { ledger } = running.service.stores;
    failing(ledger, 'addKeyUse', async () => Promise.reject(new LedgerGone(new Error('refused'), false)));

    const headers = { 'idempotency-key': 'load-1' };
    const path = `/restaurants/${BISTRO}/orders`;
    const { status, body } = await running.call('POST', path, { token, json: [plainOrder()], headers });

    assert.deepEqual([status, body.code], [503, 'store_unavailable']);
    assert.match(body.detail, /unknown whether this call was carried out/);
  });

  it('costs a report no attempt while its results cannot be kept', async () => {
    const { results, ledger } = running.service.stores;
    let failed = 0;
    const keep = results.keep;
    failing(results, 'keep', async (...args) => {
      if (++failed <= 2) throw new ResultsGone(new Error('refused'));
      return await keep(...args);
    });

    const guid = await ask(running, token, '/check/day', DAY);
    const { status } = await running.call('GET', `/check/${guid}`, { token });

    assert.deepEqual([status, failed, (await ledger.report(guid))?.attempt], [200, 3, 1]);
  });

  it('costs a report no attempt while the ledger is unavailable that has to publish it, or to take it back', async () => {
    const { ledger } = running.service.stores;
    const gone = async () => Promise.reject(new LedgerGone(new Error('refused'), false));
    failing(ledger, 'completeReport', gone);
    let released = 0;
    const release = ledger.releaseReport;
    failing(ledger, 'releaseReport', async (...args) => {
      if (++released === 1) return await gone();
      for (const restore of restored.splice(0)) restore();
      return await release(...args);
    });
    const guid = await ask(running, token, '/check/day', DAY);
    const { status } = await running.call('GET', `/check/${guid}`, { token });

    assert.deepEqual([status, released, (await ledger.report(guid))?.attempt], [200, 2, 1]);
  });

  it('costs a report no attempt if it was claimed and the answer to the claim was lost', async () => {
    const { ledger } = running.service.stores;
    const claim = ledger.claimReports;
    let lost = 0;
    failing(ledger, 'claimReports', async (...args) => {
      const claimed = await claim(...args);
      if (claimed.short.length + claimed.long.length === 0 || ++lost > 1) return claimed;
      throw new LedgerGone(new Error('cut'), true);
    });

    const guid = await ask(running, token, '/check/day', DAY);
    const { status } = await running.call('GET', `/check/${guid}`, { token });

    assert.deepEqual([status, lost, (await ledger.report(guid))?.attempt], [200, 2, 1]);
  });

  it('leaves reports in the queue while the results do not answer, without gathering them again and again', async () => {
    const { results, ledger } = running.service.stores;
    let [gathered, pings] = [0, 0];
    failing(results, 'keep', async () => {
      gathered++;
      throw new ResultsGone(new Error('refused'));
    });
    failing(results, 'ping', async () => {
      pings++;
      throw new ResultsGone(new Error('refused'));
    });
    const guids = await Promise.all(Array.from({ length: 3 }, () => ask(running, token, '/check/day', DAY)));
    const areQueued = async () => (await ledger.reportStates(guids)).every(({ state }) => state === 'queued');
    while (pings < 3 || !(await areQueued())) await sleep(20);

    // Each of them once at most, although two seconds have passed.
    assert.ok(gathered <= guids.length, String(gathered));

    for (const restore of restored.splice(0)) restore();
    for (const guid of guids) {
      const { status } = await running.call('GET', `/check/${guid}`, { token });
      assert.deepEqual([status, (await ledger.report(guid))?.attempt], [200, 1]);
    }
  });

  it('leaves leases alone that expired while the ledger was unavailable, until their workers could extend them', async () => {
    let [isAway, reclaims, elapsed] = [false, 0, 0];
    const ledger = Object.assign(Object.create(running.service.stores.ledger) as ReclaimDeps['ledger'], {
      async expireReports() {
        if (isAway) throw new LedgerGone(new Error('refused'), false);
        return [];
      },
      async reclaimReports() {
        reclaims++;
        return [];
      },
    });
    const { results } = running.service.stores;
    const deps = { ledger, results, signals: createSignals(), log: openLog('silent'), seeTime: async () => undefined };
    const tick = createReclaim({ ...deps, config: { attempts: 1, leaseSeconds: 30 } }, () => elapsed);
    /** Whether a tick at the time, in seconds, takes reports back. */
    const takesBack = async (seconds: number): Promise<boolean> => {
      elapsed = seconds * 1000;
      const before = reclaims;
      await tick();
      return reclaims > before;
    };

    assert.equal(await takesBack(1), true);
    isAway = true;
    assert.equal(await takesBack(2), false);
    isAway = false;
    assert.deepEqual([await takesBack(40), await takesBack(69), await takesBack(70)], [false, false, true]);
  });

  it('leaves a node ready, and degraded, unless it is the ledger, or the stores are in its own folder', async () => {
    const { stores } = running.service;
    const away = { ping: async () => Promise.reject(new Error('away')) };
    const deps = { ...stores, log: openLog('silent'), stopping: () => false };
    const statusOf = async (more: Partial<Parameters<typeof runChecks>[0]>): Promise<string> =>
      (await runChecks({ ...deps, hasServers: true, ...more })).status;

    assert.equal(await statusOf({}), 'ok');
    assert.equal(await statusOf({ results: away }), 'degraded');
    assert.equal(await statusOf({ results: away, facts: away }), 'degraded');
    assert.equal(await statusOf({ results: away, hasServers: false }), 'failed');
    assert.equal(await statusOf({ ledger: away }), 'failed');
    assert.equal(await statusOf({ results: away, stopping: () => true }), 'failed');
  });
});
