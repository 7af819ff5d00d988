/** The examples of deploy/, run: the service behind nginx and behind Caddy, and systemd's check of the unit. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ask, BISTRO, NOW, plainOrder, putRestaurant, type Running, startJourney } from '../journeys/service.ts';
import { claimedElsewhere } from '../journeys/waiters.ts';
import { freePort } from '../ports.ts';
import { ROOT } from './pack.ts';
import { HOST, PROXY_CASES, type RunningProxy, startProxy } from './proxies.ts';

const LOAD_BYTES = 20_000_000;
const FAILURE = { code: 'report_failed', message: 'It failed elsewhere.' } as const;

for (const { name, skip } of PROXY_CASES) {
  describe(skip ? `the service behind ${name} (left out: ${skip})` : `the service behind ${name}`, { skip }, () => {
    let running: Running;
    let token: string;
    let port: number;
    let proxy: RunningProxy;
    before(async () => {
      port = await freePort();
      running = await startJourney();
      token = await running.login('g');
      await putRestaurant(running, token, BISTRO);
      const service = Number(new URL(running.service.origin).port);
      proxy = await startProxy(name, { port, service });
    });
    after(async () => {
      await proxy?.stop();
      await running?.stop();
    });

    /** Calls the service through the proxy; the body of the answer is unread. */
    async function send(
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: Readable,
    ): Promise<IncomingMessage> {
      const call = request({
        host: '127.0.0.1',
        port,
        servername: HOST,
        ca: proxy.certificate,
        method,
        path,
        headers: { host: HOST, ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      });
      const answered = once(call, 'response');
      if (body) body.pipe(call);
      else call.end();
      const [response] = await answered;
      return response as IncomingMessage;
    }
    const readAll = async (response: IncomingMessage): Promise<Buffer> => Buffer.concat(await response.toArray());
    const fail = (guid: string) => running.service.stores.ledger.failReport(guid, 'elsewhere', 1, NOW, FAILURE);

    it('holds a retrieval until its report ends', async () => {
      const guid = await claimedElsewhere(running);
      const held = send('GET', `/v1/metrics/${guid}`, { prefer: 'wait=30' });
      let isAnswered = false;
      void held.then(() => (isAnswered = true));
      // Calls that were sent later are answered meanwhile.
      for (let call = 0; call < 20; call++) await readAll(await send('GET', '/readyz'));
      assert.equal(isAnswered, false);

      await fail(guid);
      assert.equal((await held).statusCode, 409);
    });

    it('passes an event on while the stream is open', async () => {
      const guid = await claimedElsewhere(running);
      const stream = await send('GET', `/v1/reports/${guid}/events`, { accept: 'text/event-stream' });
      const pieces = stream[Symbol.asyncIterator]();
      let text = '';
      // Nothing more is sent until the report ends: what comes before was not buffered.
      while (!text.includes('event: gathering')) text += (await pieces.next()).value;
      await fail(guid);
      for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) text += piece.value;

      assert.match(text, /event: failed/);
    });

    it('takes a load of 20 MB, sent in chunks, and a compressed download that is the same as without it', async () => {
      const orders = Math.ceil(LOAD_BYTES / JSON.stringify(plainOrder()).length);
      const lines = Array.from({ length: orders }, () => `${JSON.stringify(plainOrder())}\n`);
      const load = await send(
        'POST',
        `/v1/restaurants/${BISTRO}/orders`,
        { 'content-type': 'application/x-ndjson' },
        Readable.from(lines),
      );
      const loaded = JSON.parse(String(await readAll(load)));
      assert.deepEqual([load.statusCode, loaded.accepted], [200, orders]);

      const guid = await ask(running, token, '/check/day', {
        startBusinessDate: '20260310',
        endBusinessDate: '20260310',
      });
      const through = await send('GET', `/v1/check/${guid}`, { prefer: 'wait=30', 'accept-encoding': 'gzip' });
      const compressed = await readAll(through);
      const plain = await running.call('GET', `/check/${guid}`, { token, headers: { 'accept-encoding': 'identity' } });

      assert.deepEqual([through.statusCode, through.headers['content-encoding']], [200, 'gzip']);
      assert.equal(String(gunzipSync(compressed)), plain.text);
      assert.ok(compressed.length < plain.text.length / 3);
    });
  });
}

const ANALYZE = '/usr/bin/systemd-analyze';
const noSystemd = !existsSync(ANALYZE) && 'there is no systemd-analyze';
describe(noSystemd ? `the systemd unit (left out: ${noSystemd})` : 'the systemd unit', { skip: noSystemd }, () => {
  it('has nothing that systemd refuses or warns of', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-unit-'));
    try {
      const unit = await readFile(join(ROOT, 'deploy/daypart.service'), 'utf8');
      const file = join(folder, 'daypart.service');
      // The program must exist: here it is that of the checkout.
      await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
      const { status, stdout, stderr } = spawnSync(ANALYZE, ['verify', '--man=no', file], { encoding: 'utf8' });

      assert.deepEqual([status, `${stdout}${stderr}`.split('\n').filter((line) => line.includes('daypart'))], [0, []]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
