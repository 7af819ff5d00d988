/**
 * What nodes over one ledger in PostgreSQL share: waiting, events, webhooks, tokens, sessions, limits, an unavailable
 * server.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readWindows } from '../../packages/service/src/contract/limits.ts';
import { startReceiver } from '../journeys/receiver.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant } from '../journeys/service.ts';
import { openBrowser } from '../journeys/session-browser.ts';
import { openStream } from '../journeys/stream.ts';
import { startLedgerDatabases } from './ledger-databases.ts';
import { type LedgerNode, newClient, tokenOf, withNodes } from './ledger-nodes.ts';
import { again } from './three-nodes.ts';

const databases = await startLedgerDatabases();
after(() => databases.close());

type Configs = Parameters<typeof withNodes>[1];
const DAY = { startBusinessDate: '20260310' };

/** Two nodes whose facts are alike, and a token of the first. */
const withTwo = async (
  configs: Configs,
  work: (one: LedgerNode, other: LedgerNode, token: string) => Promise<void>,
): Promise<void> =>
  withNodes(await databases.create(), configs, async ([one, other]) => {
    if (!one || !other) assert.fail();
    const token = await tokenOf(one, await newClient(one, 'g'));
    const order = plainOrder();
    await putRestaurant(one, token, BISTRO);
    for (const node of [one, other]) await postOrders(node, token, BISTRO, [order]);
    await work(one, other, token);
  });

describe('nodes over one ledger in PostgreSQL', () => {
  it('take the tokens of each other, hold a retrieval that another gathers, and send its events', () =>
    withTwo([{ waitSeconds: 20 }, { waitSeconds: 20, gathers: false }], async (one, other, token) => {
      // Asked of the node that gathers nothing: it waits for the other.
      const guid = await ask(other, token, '/check/day', DAY);
      const events = await openStream(`${other.service.baseUrl}/reports/${guid}/events`, token);
      const answer = await other.call('GET', `/check/${guid}`, { token });

      assert.equal(answer.status, 200);
      assert.equal(answer.body.length, 1);
      assert.equal((await events.rest()).at(-1)?.event, 'completed');
      const same = await one.call('GET', `/check/${guid}`, { token });
      assert.equal(same.text, answer.text);
      assert.equal((await one.call('DELETE', `/reports/${guid}`, { token })).status, 204);
      const read = async () => (await other.call('GET', `/check/${guid}`, { token })).status;
      // It may still have the row for a moment.
      for (let tries = 0; tries < 100 && (await read()) !== 404; tries++) await sleep(20);
      assert.equal(await read(), 404);
    }));

  it('give one report to a key that is used on both at once', () =>
    withTwo([{}, {}], async (one, other, token) => {
      const headers = { 'idempotency-key': 'k1' };
      const answers = await Promise.all(
        [one, other, one, other].map((node) => node.call('POST', '/check/day', { token, json: DAY, headers })),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      assert.equal(new Set(answers.map(({ body }) => body)).size, 1);
    }));

  it('call a webhook once for each report, no matter which node gathered it', () =>
    withTwo([{ webhookPrivate: true }, { webhookPrivate: true }], async (one, other, token) => {
      const receiver = await startReceiver();
      try {
        assert.equal((await one.call('PUT', '/webhook', { token, json: { url: receiver.url } })).status, 201);
        const guids = await Promise.all(
          Array.from({ length: 12 }, (_, i) => ask(i % 2 ? one : other, token, '/check/day', DAY)),
        );
        const received = await receiver.until(guids.length);
        await sleep(1500);
        const told = received.map(({ body }) => body.data.reportRequestGuid);
        assert.deepEqual(told.toSorted(), guids.toSorted());
      } finally {
        await receiver.close();
      }
    }));

  it('refuse a client that another revoked within a second', () =>
    withTwo([{}, {}], async (one, other) => {
      const client = await newClient(one, 'g');
      const token = await tokenOf(one, client);
      assert.equal((await other.call('GET', '/restaurants', { token })).status, 200);
      assert.equal(await one.ledger.revokeClient(client.id, one.ledger.clock()), true);
      await sleep(1000);
      assert.equal((await other.call('GET', '/restaurants', { token })).status, 401);
    }));

  it('end what they hold open for a client that another revokes: retrievals with 401, event streams', () =>
    withTwo([{ gathers: false }, { gathers: false }], async (one, other) => {
      const client = await newClient(one, 'g');
      const token = await tokenOf(one, client);
      const guid = await ask(other, token, '/check/day', DAY);
      const headers = { prefer: 'wait=30' };
      const held = other.call('GET', `/check/${guid}`, { token, headers });
      const url = other.service.baseUrl;
      const ofReport = await openStream(`${url}/reports/${guid}/events`, token);
      const ofGroup = await openStream(`${url}/events`, token);
      await sleep(200);
      assert.equal(await one.ledger.revokeClient(client.id, one.ledger.clock()), true);

      const ended = AbortSignal.timeout(25_000);
      const late = new Promise<never>((_, reject) => ended.addEventListener('abort', () => reject(new Error('late'))));
      const { status, body } = await Promise.race([held, late]);
      assert.deepEqual([status, body.code], [401, 'token_invalid']);
      await Promise.race([Promise.all([ofReport.rest(), ofGroup.rest()]), late]);
    }));

  it('count the limit of a client together, and never let more pass', () => {
    const limited = { limits: 'on', limitMetrics: readWindows('30/day') } as const;
    return withTwo([limited, limited], async (one, other, token) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => (i % 2 ? one : other).call('POST', '/metrics/day', { token, json: DAY })),
      );
      const passed = answers.filter(({ status }) => status === 200).length;
      const refused = answers.filter(({ status }) => status === 429).length;
      assert.equal(passed + refused, 50);
      assert.ok(passed <= 30 && passed >= 25, `${passed}`);
    });
  });

  it('take the session of the console that began on another', () =>
    withTwo([{}, {}], async (one, other) => {
      const { id: clientId, secret: clientSecret } = await newClient(one, 'g');
      const first = openBrowser(one);
      assert.equal((await first.call('POST', '/session', { clientId, clientSecret })).status, 204);
      // Behind a load balancer both have one origin, and so one name for the cookie.
      const [, value] = first.cookie().split('=');
      const second = openBrowser(other, `daypart_${new URL(other.service.origin).port}=${value}`);
      assert.equal((await second.call('GET', '/session')).status, 200);
      const { token } = (await second.call('POST', '/session/token', {})).body;
      assert.equal((await other.call('GET', '/restaurants', { token })).status, 200);
      assert.equal((await first.call('DELETE', '/session')).status, 204);
      assert.equal((await second.call('GET', '/session')).status, 401);
      await sleep(1000);
      assert.equal((await other.call('GET', '/restaurants', { token })).status, 401);
    }));

  it('answer 503 while PostgreSQL is unavailable, and continue by themselves afterwards', () =>
    withTwo([{ waitSeconds: 20 }, { waitSeconds: 20 }], async (one, other, token) => {
      const client = await newClient(one, 'g');
      await databases.cluster.stop();
      try {
        // Longer than the rows of the caller are held.
        await sleep(1000);
        for (const node of [one, other]) {
          const read = await node.call('GET', '/restaurants', { token });
          assert.deepEqual([read.status, read.body.code], [503, 'store_unavailable']);
          assert.notEqual(read.headers.get('retry-after'), null);
          const { id, secret } = client;
          const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
          const login = await fetch(`${node.service.origin}/oauth/token`, { method: 'POST', body });
          assert.deepEqual([login.status, await login.json()].slice(0, 1), [503]);
          assert.notEqual(login.headers.get('retry-after'), null);
          assert.equal((await node.call('GET', '/livez', { base: '' })).status, 200);
          assert.equal((await node.call('GET', '/readyz', { base: '' })).status, 503);
        }
      } finally {
        await databases.cluster.start();
      }
      for (const node of [one, other]) {
        await again(() => node.call('GET', '/readyz', { base: '' }));
        const guid = await ask(node, await tokenOf(node, client), '/check/day', DAY);
        assert.equal((await node.call('GET', `/check/${guid}`, { token })).status, 200);
      }
    }));
});
