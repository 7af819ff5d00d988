import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import {
  ask,
  BISTRO,
  NOW,
  nodesOf,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';
import { openStream } from './stream.ts';
import { claimedElsewhere, holdMany, sharedNow, untilWaitedFor, whileEngineStands } from './waiters.ts';

const DAY = { startBusinessDate: '20260310' };
const WAITERS = 1000;

/** When each report was ready, by GUID. */
function noteReadiness(running: Running): Map<string, number> {
  const readyAt = new Map<string, number>();
  for (const { stores } of nodesOf(running.service)) {
    const complete = stores.ledger.completeReport;
    stores.ledger.completeReport = async (guid, ...rest) => {
      const done = await complete(guid, ...rest);
      readyAt.set(guid, sharedNow());
      return done;
    };
  }
  return readyAt;
}

const portOf = (running: Running): number => Number(new URL(running.service.origin).port);

describe('waiting', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
  });
  after(() => running.stop());

  /**
   * Asks for `reports` reports and holds a thousand retrievals of them; how long after its report each was answered.
   */
  async function wakeThousand(reports: number): Promise<number[]> {
    const { ledger } = running.service.stores;
    const { reportStates } = ledger;
    // Whoever is not woken by the completion itself is answered 202 after 30 s, and not at the next look at the ledger.
    ledger.reportStates = async () => [];
    const readyAt = noteReadiness(running);
    let guids: string[] = [];
    let held: Awaited<ReturnType<typeof holdMany>> | undefined;
    await whileEngineStands(running, async () => {
      guids = await Promise.all(Array.from({ length: reports }, () => ask(running, token, '/metrics/day', DAY)));
      const paths = Array.from({ length: WAITERS }, (_, i) => `/v1/metrics/${guids[i % reports]}`);
      held = await holdMany({ port: portOf(running), token, paths });
      await sleep(1500);
    });
    const woken = (await held?.answers) ?? [];
    ledger.reportStates = reportStates;
    assert.deepEqual([woken.length, woken.every(({ status }) => status === 200)], [WAITERS, true]);
    return woken.map(({ at, path }) => at - (readyAt.get(path.slice(-36)) ?? 0)).sort((one, other) => one - other);
  }
  const told = (late: number[]): string =>
    `the first waiter woke after ${late[0]?.toFixed(0)} ms, the middle one after ${late[WAITERS / 2]?.toFixed(0)} ms, ` +
    `the last after ${late.at(-1)?.toFixed(0)} ms`;

  it('wakes a thousand retrievals of one report', {
    skip: onOneNode(
      'it bounds the time of a thousand answers, and the nodes, their stores and a balancer share the cores',
    ),
  }, async (t) => {
    t.diagnostic(told(await wakeThousand(1)));
  });

  it('wakes a thousand retrievals of a hundred reports, each when its own is ready', {
    skip: onOneNode(
      'it bounds the time of a thousand answers, and the nodes, their stores and a balancer share the cores',
    ),
  }, async (t) => {
    t.diagnostic(told(await wakeThousand(100)));
  });

  it('ends with 401 for a client that is revoked meanwhile, and so do its event streams', {
    skip: onOneNode('a worker of another node would take the report'),
  }, async () => {
    const { ledger } = running.service.stores;
    const its = await running.login('g');
    const clientId = String(decodeJwt(its).client_id);
    const guid = await claimedElsewhere(running);
    const held = running.call('GET', `/metrics/${guid}`, { token: its, headers: { prefer: 'wait=30' } });
    const other = running.call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=3' } });
    const streams = [`/reports/${guid}/events`, '/events'].map((path) =>
      openStream(`${running.service.baseUrl}${path}`, its),
    );
    const opened = await Promise.all(streams);
    await untilWaitedFor(running, guid);

    assert.equal(await ledger.revokeClient(clientId, NOW), true);

    const { status, body, headers } = await held;
    assert.deepEqual([status, body.code], [401, 'token_invalid']);
    assert.match(headers.get('www-authenticate') ?? '', /invalid_token/);
    for (const stream of opened) await stream.rest();
    assert.equal((await other).status, 202);
  });

  it('looks at the ledger once a second for all who wait, and wakes them for what another process completed', {
    skip: onOneNode('a worker of another node would take the report'),
  }, async () => {
    const { ledger } = running.service.stores;
    const guid = await claimedElsewhere(running);
    let looks = 0;
    const began = performance.now();
    const twice = Promise.withResolvers<void>();
    const { reportStates } = ledger;
    ledger.reportStates = (guids) => {
      if (++looks === 2) twice.resolve();
      return reportStates(guids);
    };
    const paths = Array.from({ length: 200 }, () => `/v1/metrics/${guid}`);
    const held = await holdMany({ port: portOf(running), token, paths });
    await twice.promise;
    const [seen, seconds] = [looks, (performance.now() - began) / 1000];

    await ledger.failReport(guid, 'elsewhere', 1, NOW, { code: 'report_failed', message: 'It failed elsewhere.' });

    const woken = await held.answers;
    assert.deepEqual(new Set(woken.map(({ status }) => status)), new Set([409]));
    assert.ok(seen <= seconds + 1, `${seen} looks in ${seconds} s`);
    ledger.reportStates = reportStates;
  });

  it('says which preference it followed when nothing had to be waited for, too', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    await running.call('GET', `/metrics/${guid}`, { token });

    const { status, headers } = await running.call('GET', `/metrics/${guid}`, {
      token,
      headers: { prefer: 'wait=40' },
    });

    assert.deepEqual([status, headers.get('preference-applied')], [200, 'wait=30']);
  });

  it('answers at once when asked to, and says which preference it followed', {
    skip: onOneNode('a worker of another node would take the report'),
  }, async () => {
    const guid = await claimedElsewhere(running);
    for (const [prefer, applied] of [
      ['respond-async', 'respond-async'],
      ['wait=0', 'wait=0'],
      ['foo; wait=30, respond-async', 'respond-async'],
      ['handling="lenient, wait=30", WAIT = 0', 'wait=0'],
    ]) {
      const { status, headers, body } = await running.call('GET', `/metrics/${guid}`, {
        token,
        headers: { prefer: prefer ?? '' },
      });

      assert.deepEqual([status, headers.get('preference-applied')], [202, applied], prefer);
      assert.match(headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
      assert.deepEqual(Object.keys(body), ['message', 'reportStatus', 'reportRequestGuid']);
    }
  });

  it('lets go of those who wait when the service stops: 202, to ask again', {
    skip: onOneNode('a worker of another node would take the report'),
  }, async () => {
    const stopped = await startJourney();
    const other = await stopped.login('g');
    await putRestaurant(stopped, other, BISTRO);
    const guid = await claimedElsewhere(stopped);
    const waiting = stopped.call('GET', `/metrics/${guid}`, { token: other, headers: { prefer: 'wait=30' } });
    await untilWaitedFor(stopped, guid);

    await stopped.stop();

    assert.equal((await waiting).status, 202);
  });
});
