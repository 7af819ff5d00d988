/** Connections that are closed: between requests, and under one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { openAgent } from './agent.ts';

const GET = { method: 'GET', url: '/', headers: {}, body: undefined };

/** A server that answers its first request, and destroys the connections of as many later ones as `faults` says. */
async function startServer(t: TestContext, faults: number) {
  const sockets: Socket[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    if (requests++ > 0 && requests <= 1 + faults) request.socket.destroy();
    else response.end();
  });
  server.on('connection', (socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = openAgent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1);
  t.after(() => {
    agent.close();
    server.close();
    server.closeAllConnections();
  });
  return { agent, sockets, requests: () => requests };
}

it('sends a request again whose kept connection the server closed before it began it', async (t) => {
  const { agent, sockets, requests } = await startServer(t, 0);
  await agent.send(GET);

  // The client hears of it after it has sent the next request.
  sockets[0]?.destroy();
  const { status } = await agent.send(GET);

  assert.deepEqual([status, sockets.length, requests()], [200, 2, 2]);
});

it('fails when the server closes the connection under a request that it has begun', async (t) => {
  const { agent, requests } = await startServer(t, 1);
  await agent.send(GET);

  await assert.rejects(agent.send(GET), ({ cause }: Error) => (cause as NodeJS.ErrnoException).code === 'ECONNRESET');

  assert.equal(requests(), 2);
});
