import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { gunzippedBody, plainBody } from './body.ts';

const SENT = Buffer.from(Array.from({ length: 150_000 }, (_, i) => `order ${(i * 7919) % 100_003}, `).join(''));

const FORMS: [string, Buffer, (request: IncomingMessage) => AsyncGenerator<Buffer>][] = [
  ['a body', SENT, (request) => plainBody(request, 30_000)],
  ['a body with gzip', gzipSync(SENT), (request) => gunzippedBody(request, 100, 30_000)],
];

for (const [form, body, piecesOf] of FORMS)
  test(`the memory of a piece of ${form} is freed when the next one is requested, and not before`, async () => {
    const read: Buffer[] = [];
    const pieces: Buffer[] = [];
    // Node gives small buffers parts of a larger one, which must not be freed.
    const small: Buffer[] = [];
    const server = createServer((request, response) => {
      const reading = async (): Promise<void> => {
        for await (const piece of piecesOf(request)) {
          assert.ok(piece.length > 0);
          pieces.push(piece);
          for (let i = 0; i < 100; i++) small.push(Buffer.from(`check ${small.length}`));
          // As while the thread that reads bodies is busy.
          if (pieces.length % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
          read.push(Buffer.from(piece));
        }
      };
      reading().then(
        () => response.end(),
        (error) => response.destroy(error),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
      assert.equal(response.status, 200);
      assert.ok(Buffer.concat(read).equals(SENT));
      for (const [at, one] of small.entries()) assert.equal(one.toString(), `check ${at}`);
      // Pieces that share their memory have none once one of them was freed.
      const left = pieces.reduce((sum, { length }) => sum + length, 0);
      // Node 20 cannot free memory at once.
      if ('transfer' in ArrayBuffer.prototype) assert.ok(left < SENT.length / 4, `${left} bytes are left`);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
