/** The upload of an export whose client leaves. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { receiveExport } from './receive.ts';

const HEAD =
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n--b\r\n';

it('ends for a client that sends nothing more, as a load does', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-receive-'));
  const server = createServer();
  const client = new Socket();
  t.after(async () => {
    client.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client.on('error', () => undefined).connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(HEAD);
  client.write('Content-Disposition: form-data; name="f"; filename="OrderDetails.csv"\r\n\r\nOrder Id,Op');
  const [request] = await once(server, 'request');

  const received = receiveExport(request, { folder, date: 20260310, silenceMs: 200 });

  await assert.rejects(received, { code: 'request_timeout' });
  assert.equal(client.destroyed, false, 'the answer can be sent');
});

it('ends for a client that left before or while its files were read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-receive-'));
  const server = createServer();
  t.after(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const leaves of ['before', 'while'] as const) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).write(HEAD);
    const [request] = await once(server, 'request');
    request.on('error', () => undefined);
    if (leaves === 'before') {
      const { promise: left, resolve } = Promise.withResolvers<void>();
      // `once` would reject, for the error that comes first.
      request.on('close', () => resolve());
      client.resetAndDestroy();
      await left;
    }

    const received = receiveExport(request, { folder, date: 20260310, silenceMs: 30_000 });
    if (leaves === 'while') client.resetAndDestroy();

    await assert.rejects(received, { code: 'invalid_body' }, leaves);
  }
});
