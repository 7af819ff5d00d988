/** The upload of an export that is refused, and of one whose client leaves. */
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

it('refuses a part without a name of its own, wherever it is and whatever is still being written', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-receive-'));
  let count = 0;
  const server = createServer((request, response) => {
    // Read to its end, or the connection is reset before the client has the answer.
    const ended = (answer: unknown): void => {
      const end = (): void => void response.end(String(answer));
      if (request.readableEnded) end();
      else request.resume().once('end', end);
    };
    const options = { folder: join(folder, `${count++}`), date: 20260310, silenceMs: 30_000 };
    receiveExport(request, options).then(
      () => ended('received'),
      (error: { code?: string }) => ended(error.code),
    );
  });
  t.after(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const odd = "MenuExport_Joe's.json";
  const bodies: [name: string, bytes: number][][] = [
    [[odd, 2]],
    [
      [odd, 2],
      ['A.csv', 100],
      ['B.csv', 10],
    ],
    [
      ['A.csv', 100],
      ['B.csv', 10],
      [odd, 2],
    ],
    [
      ['A.csv', 0],
      [odd, 2],
    ],
    [
      ['A.csv', 1_000_000],
      [odd, 2],
      ['B.csv', 1_000_000],
    ],
    [
      ['A.csv', 100],
      ['A.csv', 100],
    ],
    [
      ['A.csv', 100],
      ['B.csv', 0],
    ],
  ];
  const answers: string[] = [];
  for (const files of bodies) {
    const form = new FormData();
    for (const [name, bytes] of files) form.append('file', new Blob(['x'.repeat(bytes)]), name);
    const answer = await fetch(url, { method: 'POST', body: form, signal: AbortSignal.timeout(30_000) });
    answers.push(await answer.text());
  }

  assert.deepEqual(answers, [...Array(6).fill('invalid_body'), 'received']);
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
