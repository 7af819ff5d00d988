/** The events of a management group: loads and the moves of reports, resumed after what a client saw last. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Daypart, type GroupEvent } from '@daypart/client';
import { createClient } from '../../packages/service/src/access/clients.ts';
import {
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
import { type Event, type EventStream, openStream } from './stream.ts';

describe('the events of a group', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());
  const open = (lastEventId?: string, by = token): Promise<EventStream> =>
    openStream(`${running.service.baseUrl}/events`, by, lastEventId);
  const load = (...orders: object[]): Promise<void> => postOrders(running, token, BISTRO, orders);

  it('say which dates of a restaurant a load has changed, and nothing if it changed none', async () => {
    const stream = await open();
    try {
      const order = plainOrder();
      await load(order, plainOrder({ businessDate: 20260311 }));
      const first = (await stream.next()) as Event;
      assert.deepEqual(
        [first.event, { ...first.data, at: undefined }],
        ['loaded', { restaurantGuid: BISTRO, businessDates: ['20260310', '20260311'], kind: 'orders', at: undefined }],
      );
      assert.equal(Date.parse(first.data.at), NOW + running.passed());
      assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);

      // An older version changes nothing.
      await load({ ...order, modifiedDate: '2026-03-09T00:00:00.000+0000' }).catch(() => undefined);
      await running.call('DELETE', `/restaurants/${BISTRO}/orders/${order.guid}`, { token });
      assert.deepEqual(((await stream.next()) as Event).data.businessDates, ['20260310']);
    } finally {
      stream.close();
    }
  });

  it('say each status that a report moves to, once', async () => {
    const stream = await open();
    try {
      const guid = await ask(running, token, '/metrics/day', { startBusinessDate: '20260310' });
      const begun = [await stream.next(), await stream.next()];
      await running.call('DELETE', `/reports/${guid}`, { token });

      const seen = [...begun, await stream.next()].map((event) => event?.data);
      assert.deepEqual(
        seen.map(({ reportRequestGuid, status }) => [reportRequestGuid, status]),
        [
          [guid, 'IN_PROGRESS'],
          [guid, 'COMPLETED'],
          [guid, 'CANCELLED'],
        ],
      );
    } finally {
      stream.close();
    }
  });

  it('are those of the own group alone', async () => {
    const other = await running.login('other');
    const strange = 'b1500000-0000-4000-8000-000000000077';
    await putRestaurant(running, other, strange);
    const stream = await open();
    try {
      await postOrders(running, other, strange, [plainOrder()]);
      await load(plainOrder({ businessDate: 20260312 }));
      assert.equal(((await stream.next()) as Event).data.restaurantGuid, BISTRO);
    } finally {
      stream.close();
    }
  });

  it('resume after the last one that a client saw, even when it saw none', {
    skip: onOneNode('on another node a stream begins with a reset'),
  }, async () => {
    const before = await open();
    await load(plainOrder({ businessDate: 20260313 }));
    const seen = (await before.next()) as Event;
    before.close();
    await load(plainOrder({ businessDate: 20260314 }));
    await load(plainOrder({ businessDate: 20260315 }));

    const resumed = await open(seen.id);
    try {
      const dates = [await resumed.next(), await resumed.next()].map((event) => event?.data.businessDates);
      assert.deepEqual(dates, [['20260314'], ['20260315']]);
      await load(plainOrder({ businessDate: 20260316 }));
      assert.deepEqual((await resumed.next())?.data.businessDates, ['20260316']);
    } finally {
      resumed.close();
    }
  });

  it('begin with a reset after an hour, after a restart and after an invalid id', async () => {
    const stream = await open();
    await load(plainOrder({ businessDate: 20260317 }));
    const { id } = (await stream.next()) as Event;
    await load(plainOrder({ businessDate: 20260318 }));
    // A node dates what another loaded when it hears of it, which must not be after the hour.
    await stream.next();
    stream.close();
    running.advance(3_600_000);
    const isReset = async (lastEventId: string): Promise<boolean> => {
      const opened = await open(lastEventId);
      try {
        return (await opened.next())?.event === 'reset';
      } finally {
        opened.close();
      }
    };
    assert.deepEqual([await isReset(id), await isReset('1-42'), await isReset('x')], [true, true, true]);
    running.advance(1000);
    await running.restart();
    assert.equal(await isReset(id), true);
  });

  it('are open at most 16 times for a client', { skip: onOneNode('each node counts its own streams') }, async () => {
    const streams = await Promise.all(Array.from({ length: 16 }, () => open()));
    const refused = await running.call('GET', '/events', { token });
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_at_once']);
    for (const stream of streams) stream.close();
  });

  it('reach an iterator of the client, which resumes by itself', {
    skip: onOneNode('on another node a stream begins with a reset'),
  }, async (t) => {
    const { id: clientId, secret: clientSecret } = await createClient(
      running.service.stores.ledger,
      { group: 'group' },
      NOW,
    );
    let broken = 0;
    const fetchThatBreaks: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).endsWith('/events') || broken++ > 0) return response;
      // The first stream ends after its first event.
      const reader = response.body?.getReader();
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = (await reader?.read()) ?? {};
          controller.enqueue(value);
          if (String(Buffer.from(value ?? [])).includes('event: loaded')) {
            controller.close();
            await reader?.cancel();
          }
        },
      });
      return new Response(stream, { status: response.status, headers: response.headers });
    };
    const daypart = new Daypart({ baseUrl: running.service.baseUrl, clientId, clientSecret, fetch: fetchThatBreaks });
    const abort = new AbortController();
    t.after(() => abort.abort());
    const events = daypart.events({ signal: abort.signal });
    const first = events.next();
    while (broken === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await load(plainOrder({ businessDate: 20260319 }));
    const seen: GroupEvent[] = [(await first).value];
    const second = events.next();
    await load(plainOrder({ businessDate: 20260320 }));
    seen.push((await second).value);

    assert.deepEqual(
      seen.map((event) => event.event === 'loaded' && event.businessDates),
      [['20260319'], ['20260320']],
    );
    abort.abort(new Error('enough'));
    await assert.rejects(events.next(), /enough/);
  });
});

describe('a stream of events', () => {
  // A service of its own: what closes while timers are mocked would leave its real ones behind.
  it('ends within a second after its session was ended, and with the service', {
    skip: onOneNode('its mocked timers would be those of all nodes'),
  }, async (t) => {
    const running = await startJourney();
    t.after(() => running.stop());
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'group' }, NOW);
    const browser = openBrowser(running);
    await browser.call('POST', '/session', { clientId: id, clientSecret: secret });
    const session = (await browser.call('POST', '/session/token', {})).body.token;
    t.mock.timers.enable({ apis: ['setInterval'] });
    const ended = await openStream(`${running.service.baseUrl}/events`, session);
    await browser.call('DELETE', '/session');
    t.mock.timers.tick(1000);
    assert.equal(await ended.next(), undefined);
    t.mock.timers.reset();

    const open = await openStream(`${running.service.baseUrl}/events`, await running.login('group'));
    const next = open.next();
    await running.restart();
    assert.equal(await next, undefined);
  });
});
