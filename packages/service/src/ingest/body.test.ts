import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { plainBody } from './body.ts';

test('the memory of a piece of a body is freed when the next one is requested, and not before', async () => {
  const sent = Buffer.alloc(3_000_000, 'order by order, ');
  const read: Buffer[] = [];
  const pieces: Buffer[] = [];
  const server = createServer((request, response) => {
    const reading = async (): Promise<void> => {
      for await (const piece of plainBody(request, 30_000)) {
        assert.ok(piece.length > 0);
        pieces.push(piece);
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
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: sent });
    assert.equal(response.status, 200);
    assert.ok(Buffer.concat(read).equals(sent));
    const left = pieces.reduce((sum, { length }) => sum + length, 0);
    // Node 20 cannot free memory at once.
    if ('transfer' in ArrayBuffer.prototype) assert.ok(left < sent.length / 4, `${left} bytes are left`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
