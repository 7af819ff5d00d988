/** A stream of events whose client has left before it begins. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { fastify } from 'fastify';
import { beginEvents } from './event-stream.ts';

it('begins no stream for a client that left while its token was verified', async (t) => {
  const app = fastify();
  t.after(() => app.close());
  const { promise: begun, resolve } = Promise.withResolvers<unknown>();
  app.get('/', async (request, reply) => {
    client.resetAndDestroy();
    await once(reply.raw, 'close');
    resolve(beginEvents(request, reply));
    return reply;
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client = connect(Number(port), '127.0.0.1');
  client.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

  assert.equal(await begun, undefined);
});
