import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { Webhook } from 'standardwebhooks';
import { RETRY_SECONDS } from '../../packages/service/src/webhooks/send.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import {
  ask,
  BISTRO,
  NOW,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  settle,
  startJourney,
} from './service.ts';

const DAY = { startBusinessDate: '20260310' };

/** Signed by the secret; the time that the library looks at is the machine's, so an old one is signed again instead. */
function isSignedBy(secret: string, { headers, text }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, text);
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

describe('webhooks', () => {
  let running: Running;
  let receiver: Receiver;
  let token: string;
  before(async () => {
    running = await startJourney({ webhookPrivate: true, tokenSeconds: 30 * 86_400 });
    // The library that verifies looks at the machine's clock.
    running.advance(Date.now() - NOW);
    const loader = await running.login('g');
    await putRestaurant(running, loader, BISTRO);
    await postOrders(running, loader, BISTRO, [plainOrder()]);
  });
  beforeEach(async () => {
    token = await running.login('g');
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());
  after(() => running.stop());

  const put = (json: object) => running.call('PUT', '/webhook', { token, json });
  const got = async () => (await running.call('GET', '/webhook', { token })).body;
  /** The last delivery, once it is so. */
  async function untilLast(isSo: (delivery: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (const since = Date.now(); Date.now() - since < 20_000; await sleep(50)) {
      const [last] = (await got()).deliveries;
      if (last && isSo(last)) return last;
    }
    throw new Error(JSON.stringify(await got()));
  }

  it('call the client that asked when its report is completed, signed, with what the report is', async () => {
    const { status, body } = await put({ url: receiver.url });
    const guid = await ask(running, token, '/metrics/day', DAY);
    const stranger = await running.login('g');
    await ask(running, stranger, '/metrics/day', DAY);

    const [call] = (await receiver.until(1)) as [Received];

    await sleep(300);
    assert.equal(receiver.received.length, 1);
    assert.equal(status, 201);
    assert.match(body.secret, /^whsec_/);
    const event = new Webhook(body.secret).verify(call.text, call.headers as Record<string, string>);
    // Its files are in the status alone.
    const { files, ...report } = (await running.call('GET', `/reports/${guid}`, { token })).body;
    assert.equal(files.length, 1);
    assert.deepEqual(event, { type: 'report.completed', timestamp: report.completedAt, data: report });
    assert.equal(call.headers['webhook-id'], `msg_${guid}`);
    assert.match(String(call.headers['content-type']), /^application\/json/);
    const last = await untilLast(({ state }) => state === 'DELIVERED');
    assert.deepEqual([last.status, last.attempts, last.error, last.reportRequestGuid], [204, 1, null, guid]);
  });

  it('are tried again, each later than the one before, with the same id and body, until they are delivered', async () => {
    const { secret } = (await put({ url: receiver.url })).body;
    receiver.answer(500);
    await ask(running, token, '/check/day', { ...DAY, endBusinessDate: '20260310' });
    for (const [tried, seconds] of [5, 30, 120].entries()) {
      await receiver.until(tried + 1);
      const last = await untilLast(({ error, attempts }) => error !== null && attempts === tried + 1);
      assert.deepEqual([last.status, last.state], [500, 'WAITING']);
      const wait = (Date.parse(String(last.nextAttemptAt)) - Date.parse(String(last.attemptedAt))) / 1000;
      assert.ok(wait >= seconds && wait <= seconds * 1.2 + 1, `${wait} s`);
      if (tried === 2) receiver.answer(204);
      running.advance(seconds * 1200);
    }

    const calls = await receiver.until(4);

    await untilLast(({ state }) => state === 'DELIVERED');
    assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(calls.map(({ text }) => text)).size, 1);
    assert.equal(new Set(calls.map(({ headers }) => headers['webhook-timestamp'])).size, 4);
    assert.ok(calls.every((call) => isSignedBy(secret, call)));
  });

  it('are tried again after as long as the receiver asks, if that is longer', async () => {
    await put({ url: receiver.url });
    for (const [at, [status, retryAfter, least]] of (
      [
        [429, '15', 15],
        [503, '7', 30],
        [503, new Date(NOW + running.passed() + 3_600_000).toUTCString(), 3000],
      ] as const
    ).entries()) {
      receiver.answer(status, { 'retry-after': retryAfter });
      if (at === 0) await running.call('POST', '/webhook/test', { token });
      const last = await untilLast(({ attempts, error }) => attempts === at + 1 && error !== null);
      const wait = Date.parse(String(last.nextAttemptAt)) - Date.parse(String(last.attemptedAt));
      assert.ok(wait >= least * 1000 && wait < least * 1500, `${retryAfter}: ${wait} ms`);
      running.advance(wait);
    }
  });

  it('of one group leave places for others, however many receivers of it do not answer', {
    skip: onOneNode('each node makes 32 calls at a time for a group'),
  }, async () => {
    const silent = await startReceiver();
    silent.answer(0);
    const clients = await Promise.all(Array.from({ length: 40 }, () => running.login('crowd')));
    for (const one of clients) await running.call('PUT', '/webhook', { token: one, json: { url: silent.url } });
    for (const one of [...clients, ...clients]) await running.call('POST', '/webhook/test', { token: one });
    await silent.until(32);
    await put({ url: receiver.url });

    await running.call('POST', '/webhook/test', { token });

    await receiver.until(1);
    // Had a call to it ended, another would have come.
    assert.equal(silent.received.length, 32);
    await silent.close();
  });

  it('count a receiver that wants another protocol as one that refused', async () => {
    await put({ url: receiver.url });
    receiver.answer(101, { connection: 'upgrade', upgrade: 'websocket' });
    await ask(running, token, '/metrics/day', DAY);

    const last = await untilLast(({ attempts, error }) => attempts === 1 && error !== null);

    assert.deepEqual([last.status, last.state, last.error], [101, 'WAITING', 'the receiver answered 101']);
  });

  it('wait for a receiver that is down, and are dropped after the last attempt', async () => {
    const { url } = receiver;
    await put({ url });
    await receiver.close();
    const posted = await running.call('POST', '/webhook/test', { token });
    for (const [tried, seconds] of RETRY_SECONDS.entries()) {
      const { error } = await untilLast(({ error, attempts }) => error !== null && attempts === tried + 1);
      assert.equal(error, 'no connection');
      running.advance(seconds * 1200);
    }

    const last = await untilLast(({ state }) => state === 'GIVEN_UP');

    assert.equal(posted.status, 202);
    assert.deepEqual([last.webhookId, last.attempts], [posted.body.webhookId, RETRY_SECONDS.length + 1]);
    const back = await startReceiver(Number(new URL(url).port));
    token = await running.login('g');
    await put({ url });
    await running.call('POST', '/webhook/test', { token });
    assert.equal((await back.until(1))[0]?.body.type, 'webhook.test');
    await back.close();
  });

  it('follow no redirect, and stop permanently when the receiver answers 410', async () => {
    await put({ url: receiver.url });
    receiver.answer(302, { location: `${receiver.url}/elsewhere` });
    await running.call('POST', '/webhook/test', { token });
    const redirected = await untilLast(({ error }) => error !== null);
    receiver.answer(410);
    await running.call('POST', '/webhook/test', { token });

    await untilLast(({ state, status }) => state === 'GIVEN_UP' && status === 410);

    assert.deepEqual([redirected.status, redirected.error], [302, 'the receiver answered 302']);
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/hook', '/hook'],
    );
    const { active, deliveries } = await got();
    assert.deepEqual(
      [active, deliveries.map(({ state }: { state: string }) => state)],
      [false, ['GIVEN_UP', 'GIVEN_UP']],
    );
    assert.equal((await running.call('POST', '/webhook/test', { token })).body.code, 'webhook_not_found');
    assert.equal((await put({ url: receiver.url })).body.active, true);
  });

  it('keep what came of their own last attempt when the 410 to another turns the webhook off', async () => {
    await put({ url: receiver.url });
    receiver.answer(500);
    await running.call('POST', '/webhook/test', { token });
    await untilLast(({ status }) => status === 500);
    receiver.answer(410);
    await running.call('POST', '/webhook/test', { token });

    await untilLast(({ status }) => status === 410);

    const { deliveries } = await got();
    assert.deepEqual(
      deliveries.map(({ status, error }: { status: number; error: string }) => [status, error]),
      [
        [410, 'the receiver answered 410'],
        [
          500,
          'the receiver answered 500, and before it could be tried again the webhook was disabled by a 410 to another delivery',
        ],
      ],
    );
  });

  it('are signed by the old secret too for a day after it was rotated', async () => {
    const first = (await put({ url: receiver.url })).body.secret;
    const again = (await put({ url: receiver.url })).body;
    const rotated = (await put({ url: receiver.url, rotateSecret: true })).body;
    await running.call('POST', '/webhook/test', { token });
    await receiver.until(1);
    running.advance(24 * 3_600_000);
    token = await running.login('g');
    const [before] = receiver.received as [Received];

    assert.deepEqual([again.secret, again.oldSecretUntil], [undefined, null]);
    assert.notEqual(rotated.secret, first);
    assert.ok(rotated.oldSecretUntil);
    assert.deepEqual([isSignedBy(first, before), isSignedBy(rotated.secret, before)], [true, true]);
  });

  it('are signed by every old secret until its own promised time, however often it was rotated', async () => {
    const rotate = async () => (await put({ url: receiver.url, rotateSecret: true })).body;
    const tested = async (count: number) => {
      await running.call('POST', '/webhook/test', { token });
      return (await receiver.until(count)).at(-1) as Received;
    };
    const first = (await put({ url: receiver.url })).body.secret;
    const second = await rotate();
    running.advance(3_600_000);
    const third = await rotate();

    const early = await tested(1);
    running.advance(23 * 3_600_000 + 1000);
    const afterFirst = await tested(2);
    running.advance(3_600_000);
    const afterSecond = await tested(3);

    const signers = (call: Received) => [first, second.secret, third.secret].map((secret) => isSignedBy(secret, call));
    assert.equal(Date.parse(third.oldSecretUntil) - Date.parse(second.oldSecretUntil), 3_600_000);
    assert.deepEqual(signers(early), [true, true, true]);
    assert.deepEqual(signers(afterFirst), [false, true, true]);
    assert.deepEqual(signers(afterSecond), [false, false, true]);
  });

  it('are not held up by a receiver that never answers', {
    skip: onOneNode('each node makes two calls at a time to a client'),
  }, async () => {
    await put({ url: receiver.url });
    receiver.answer(0);
    for (let i = 0; i < 10; i++) await running.call('POST', '/webhook/test', { token });
    await receiver.until(2);
    const quick = await startReceiver();
    const other = await running.login('g');
    await running.call('PUT', '/webhook', { token: other, json: { url: quick.url } });

    await running.call('POST', '/webhook/test', { token: other });

    await quick.until(1);
    await sleep(1500);
    assert.equal(receiver.received.length, 2);
    await quick.close();
  });

  it('are set, shown without the secret and removed by the client alone', async () => {
    const none = await running.call('GET', '/webhook', { token });
    const made = await put({ url: receiver.url });
    const other = await running.login('g');
    const shown = await running.call('GET', '/webhook', { token });

    assert.deepEqual([none.status, none.body.code], [404, 'webhook_not_found']);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    assert.deepEqual(Object.keys(shown.body), ['url', 'createdAt', 'active', 'oldSecretUntil', 'deliveries']);
    assert.ok(!shown.text.includes('whsec_'));
    assert.equal((await running.call('GET', '/webhook', { token: other })).status, 404);
    assert.equal((await running.call('DELETE', '/webhook', { token })).status, 204);
    assert.equal((await running.call('DELETE', '/webhook', { token })).status, 204);
    assert.equal((await running.call('GET', '/webhook', { token })).status, 404);
    assert.equal((await running.call('POST', '/webhook/test', { token })).status, 404);
    assert.equal((await running.call('PUT', '/webhook', { json: { url: receiver.url } })).status, 401);
    const loader = await running.login('g', { scopes: ['ingest:write'] });
    assert.equal((await running.call('GET', '/webhook', { token: loader })).status, 403);
  });

  it('name the field that is wrong', async () => {
    const refused = async (json: unknown) => {
      const { status, body } = await running.call('PUT', '/webhook', { token, json });
      return [status, body.code, body.errors?.[0]?.pointer];
    };

    assert.deepEqual(await refused({}), [400, 'invalid_body', '/url']);
    assert.deepEqual(await refused({ url: 'hook' }), [400, 'invalid_body', '/url']);
    assert.deepEqual(await refused({ url: 'ftp://example.com' }), [400, 'invalid_body', '/url']);
    assert.deepEqual(await refused({ url: receiver.url, rotateSecret: 'yes' }), [400, 'invalid_body', '/rotateSecret']);
    assert.deepEqual(await refused({ url: receiver.url, secret: 'mine' }), [400, 'unknown_field', '/secret']);
    assert.deepEqual(await refused([]), [400, 'invalid_body', '']);
  });

  it('send nothing more to a client that was revoked', async () => {
    await put({ url: receiver.url });
    const { ledger } = running.service.stores;
    const revoked = String(decodeJwt(token).client_id);
    receiver.answer(500);
    await running.call('POST', '/webhook/test', { token });
    await untilLast(({ error }) => error !== null);

    await ledger.revokeClient(revoked, NOW);
    await settle(running.service);
    running.advance(10_000);

    const lastDelivery = async () => (await ledger.deliveries('g', revoked, 1))[0];
    while ((await lastDelivery())?.state === 'waiting') await sleep(50);
    assert.equal(receiver.received.length, 1);
    const last = await lastDelivery();
    assert.deepEqual([last?.state, last?.error], ['given_up', 'the client was revoked']);
  });
});

it('webhooks call no private address unless they may', async () => {
  const running = await startJourney({ webhookPrivate: true });
  const token = await running.login('g');
  const receiver = await startReceiver();
  await running.call('PUT', '/webhook', { token, json: { url: receiver.url } });
  const { port } = new URL(receiver.url);

  await running.restart({ webhookPrivate: false });

  const refused = await running.call('PUT', '/webhook', { token, json: { url: `https://127.0.0.1:${port}/` } });
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/url']);
  await running.call('POST', '/webhook/test', { token });
  const got = async () => (await running.call('GET', '/webhook', { token })).body.deliveries;
  while ((await got())[0].error === null) await sleep(50);
  const deliveries = await got();
  assert.deepEqual([deliveries[0].error, deliveries[0].status], ['the host has no public address', null]);
  assert.equal(receiver.received.length, 0);
  await Promise.all([running.stop(), receiver.close()]);
});
