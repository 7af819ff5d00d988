import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ask,
  BISTRO,
  type CallOptions,
  NOW,
  nodesOf,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';
import { type EventStream, openStream } from './stream.ts';
import { claimedElsewhere, holdMany, whileEngineStands } from './waiters.ts';

const DAY = { startBusinessDate: '20260310' };
const FAILURE = { code: 'report_failed', message: 'It failed elsewhere.' } as const;

describe('the events of a report', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
  });
  after(() => running.stop());

  const watch = (guid: string, last?: string): Promise<EventStream> =>
    openStream(`${running.service.baseUrl}/reports/${guid}/events`, token, last);
  const fail = (guid: string): Promise<boolean> =>
    running.service.stores.ledger.failReport(guid, 'elsewhere', 1, NOW, FAILURE);

  it('says that it is queued, its progress, and that it is completed; then ends', {
    skip: onOneNode('another node may gather it before its stream is open'),
  }, async () => {
    let stream: EventStream | undefined;
    let guid = '';
    await whileEngineStands(running, async () => {
      // More than are claimed at once: the last is queued.
      for (let i = 0; i < 20; i++) await ask(running, token, '/metrics/day', DAY);
      guid = await ask(running, token, '/metrics/day', DAY);
      stream = await watch(guid);
    });

    const events = (await stream?.rest()) ?? [];

    const [first] = events;
    const last = events.at(-1);
    const between = events.slice(1, -1);
    assert.deepEqual(first?.data, { reportRequestGuid: guid, status: 'IN_PROGRESS', progress: 0 });
    assert.deepEqual([first?.event, last?.event], ['queued', 'completed']);
    const { files, ...status } = (await running.call('GET', `/reports/${guid}`, { token })).body;
    assert.ok(Array.isArray(files));
    assert.deepEqual(last?.data, status);
    assert.ok(between.length > 0 && between.every(({ event }) => event === 'gathering'), JSON.stringify(between));
    const progress = between.map(({ data }) => data.progress);
    assert.deepEqual(progress, [...new Set(progress)].sort());
    assert.ok(progress.every((done) => done >= 0 && done <= 1));
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
  });

  it('is a stream that nobody on the way keeps or holds back', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);

    const stream = await watch(guid);

    await stream.rest();
    assert.equal(stream.status, 200);
    assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(stream.headers.get('cache-control'), 'no-store');
    assert.equal(stream.headers.get('x-accel-buffering'), 'no');
    assert.ok(stream.headers.get('x-request-id'));
    const head = await running.call('HEAD', `/reports/${guid}/events`, { token });
    assert.deepEqual(
      [head.status, head.headers.get('content-type'), head.headers.get('content-length')],
      [200, 'text/event-stream; charset=utf-8', null],
    );
  });

  it('resumes after the last event that was seen, and says when there is nothing to reconnect for', {
    skip: onOneNode('a worker of another node would take the report'),
  }, async () => {
    const guid = await claimedElsewhere(running);
    const before = await watch(guid);
    const seen = await before.next();
    before.close();

    const again = await watch(guid, seen?.id);
    await sleep(100);
    await fail(guid);
    const events = await again.rest();

    assert.deepEqual([seen?.event, seen?.data.progress], ['gathering', null]);
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.status, data.failure]),
      [['failed', 'FAILED', FAILURE]],
    );
    assert.equal((await watch(guid, events[0]?.id)).status, 204);
    assert.deepEqual((await (await watch(guid, 'made up')).rest()).length, 1);
  });

  it('shows one that has ended at once, and one that another process cancels within two seconds', {
    skip: onOneNode('it writes to the SQLite file'),
  }, async () => {
    const done = await ask(running, token, '/metrics/day', DAY);
    await running.call('GET', `/metrics/${done}`, { token });
    const cancelled = await claimedElsewhere(running);
    const stream = await watch(cancelled);
    await stream.next();

    const db = new DatabaseSync(`${running.config.data}/ledger.sqlite`);
    db.prepare(`update report_request set state = 'cancelled', worker = null, lease_until = null where guid = ?`).run(
      cancelled,
    );
    db.close();

    assert.deepEqual(
      (await (await watch(done)).rest()).map(({ event }) => event),
      ['completed'],
    );
    assert.deepEqual(
      (await stream.rest()).map(({ event, data }) => [event, data]),
      [['cancelled', { reportRequestGuid: cancelled, status: 'CANCELLED', progress: null }]],
    );
  });

  it('is not found if its retrieval is not, and needs the same scope', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const stranger = await running.login('other');
    const loader = await running.login('g', { scopes: ['ingest:write'] });
    const unknown = 'aaaaaaaa-0000-4000-8000-00000000000a';
    const status = async (path: string, options: CallOptions) => (await running.call('GET', path, options)).status;

    assert.equal(await status(`/reports/${guid}/events`, { token: stranger }), 404);
    assert.equal(await status(`/reports/${unknown}/events`, { token }), 404);
    assert.equal(await status('/reports/nonsense/events', { token }), 404);
    assert.equal(await status(`/reports/${guid}/events`, {}), 401);
    assert.equal(await status(`/reports/${guid}/events`, { token: loader }), 403);
  });

  it('notifies three hundred at once, and drops those that disconnected', {
    skip: onOneNode('a worker of another node would take the report'),
  }, async () => {
    const { ledger } = running.service.stores;
    const guid = await claimedElsewhere(running);
    const streams = await Promise.all(Array.from({ length: 300 }, () => watch(guid)));
    await Promise.all(streams.map((stream) => stream.next()));
    const requested: string[][] = [];
    const { reportStates } = ledger;
    const left = await claimedElsewhere(running);
    const paths = Array.from({ length: 50 }, () => `/v1/reports/${left}/events`);

    await (await holdMany({ port: Number(new URL(running.service.origin).port), token, paths })).answers;
    await fail(guid);

    const ends = await Promise.all(streams.map((stream) => stream.rest()));
    assert.ok(ends.every((events) => events.length === 1 && events[0]?.event === 'failed'));
    ledger.reportStates = (guids) => {
      requested.push(guids);
      return reportStates(guids);
    };
    // Of the last of them the service hears a little later.
    for (let tries = 1; ; tries++) {
      requested.length = 0;
      await sleep(1200);
      if (requested.length === 0) break;
      assert.ok(tries < 15, JSON.stringify(requested));
    }
    ledger.reportStates = reportStates;
  });
});

describe('the events of a report that does not end', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());
  const open = (guid: string): Promise<EventStream> =>
    openStream(`${running.service.baseUrl}/reports/${guid}/events`, token);

  it('end with the service when it stops, and resume at the same point after its next start', {
    skip: onOneNode('a worker of another node would take the report'),
  }, async () => {
    const guid = await claimedElsewhere(running);
    const stream = await open(guid);
    const seen = await stream.next();

    await running.restart();

    assert.deepEqual(await stream.rest(), []);
    const again = await openStream(`${running.service.baseUrl}/reports/${guid}/events`, token, seen?.id);
    // The lease of a worker that is gone is released at the start, and the report gathered there.
    const rest = await again.rest();
    assert.ok(rest.length > 0 && rest.every(({ id }) => id !== seen?.id));
    assert.equal(rest.at(-1)?.event, 'completed');
  });

  it('end when it expires', async () => {
    await whileEngineStands(running, async () => {
      // More than are claimed at once.
      for (let i = 0; i < 20 * nodesOf(running.service).length; i++) await ask(running, token, '/metrics/day', DAY);
      const queued = await open(await ask(running, token, '/metrics/day', DAY));
      const first = await queued.next();

      running.advance(8 * 86_400_000);

      assert.equal(first?.event, 'queued');
      assert.deepEqual(
        (await queued.rest()).map(({ event }) => event),
        ['expired'],
      );
    });
  });
});
