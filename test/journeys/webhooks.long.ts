/** Webhooks of services that are stopped or killed, and started again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { serve, stop, tokenOf } from '../commands/process.ts';
import { type Received, startReceiver } from './receiver.ts';
import { ask, BISTRO, onOneNode, putRestaurant, startJourney } from './service.ts';

const DAY = { startBusinessDate: '20260310' };

describe('webhooks and services that end', () => {
  it('report after the next start, once, what was completed before a stop', {
    skip: onOneNode('it starts the service again on its port'),
  }, async (t) => {
    const running = await startJourney({ webhookPrivate: true });
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    const receiver = await startReceiver();
    t.after(async () => {
      await running.stop();
      await receiver.close();
    });
    receiver.answer(0);
    await running.call('PUT', '/webhook', { token, json: { url: receiver.url } });
    const guid = await ask(running, token, '/metrics/day', DAY);
    await receiver.until(1);
    const { port } = new URL(running.service.origin);

    // The stop calls off the attempt that is under way.
    receiver.answer(204);
    await running.restart({ port: Number(port), publicUrl: `http://127.0.0.1:${port}` });

    const [, call] = (await receiver.until(2)) as [Received, Received];
    assert.equal(call.headers['webhook-id'], receiver.received[0]?.headers['webhook-id']);
    const answer = await fetch(call.body.data.retrievalUrl, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([answer.status, await answer.text()], [200, '[]']);
    assert.equal(call.body.data.retrievalUrl, `http://127.0.0.1:${port}/v1/metrics/${guid}`);
    await sleep(1500);
    assert.equal(receiver.received.length, 2);
  });

  it('report after a kill what was completed before it', async () => {
    const data = await mkdtemp(join(tmpdir(), 'daypart-webhooks-'));
    const settings = ['--data', data, '--webhook-private', '--bootstrap-client', 'me:secret:g'];
    const receiver = await startReceiver();
    await receiver.close();
    const first = await serve(settings);
    const { access_token } = (await (await tokenOf(first.base, 'me', 'secret')).json()) as { access_token: string };
    const call = async (method: string, path: string, json?: object) => {
      const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
      const body = json ? JSON.stringify(json) : null;
      return await (await fetch(`${first.base}${path}`, { method, headers, body })).json();
    };
    const { secret } = (await call('PUT', '/webhook', { url: receiver.url })) as { secret: string };
    const guid = await call('POST', '/metrics/day', DAY);
    await call('GET', `/metrics/${guid}`);

    await stop(first.child, 'SIGKILL');
    const back = await startReceiver(Number(new URL(receiver.url).port));
    const second = await serve(settings);

    const [told] = (await back.until(1)) as [Received];
    const event = new Webhook(secret).verify(told.text, told.headers as Record<string, string>) as { type: string };
    assert.deepEqual([event.type, told.headers['webhook-id']], ['report.completed', `msg_${guid}`]);
    await Promise.all([stop(second.child), back.close()]);
    await rm(data, { recursive: true, force: true });
  });
});
