import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSendQueues } from './send-queues.ts';
import { LOOKS, watchUnread } from './unread-answers.ts';

const CHUNK = Buffer.alloc(64 * 1024);
const takenOf = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** Resolves once the system takes nothing more for the connection. */
async function untilFull(socket: Socket): Promise<void> {
  for (let before = -1; before !== takenOf(socket) || socket.writableLength === 0; await sleep(200))
    before = takenOf(socket);
}

const hasV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const HOSTS = ['127.0.0.1', ...(hasV6 ? ['::1', '::ffff:127.0.0.1'] : [])];

for (const host of HOSTS)
  it(`a reader over ${host} that takes little is kept though the system accepts nothing more, one that takes nothing is cut`, {
    skip: process.platform !== 'linux' && 'only Linux says what readers have acknowledged',
  }, async (t) => {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    t.after(() => server.close());
    const client = connect({ port: (server.address() as AddressInfo).port, host });
    t.after(() => client.destroy());
    const [socket] = (await once(server, 'connection')) as [Socket];
    t.after(() => socket.destroy());
    socket.on('error', () => undefined);
    Readable.from(Array.from({ length: 1000 }, () => CHUNK)).pipe(socket);
    await untilFull(socket);
    const queueOf = async () => (await readSendQueues([socket])).get(socket);
    const look = watchUnread();
    const lookFor = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) await look([socket]);
    };

    // The first notes what was taken.
    await lookFor(LOOKS);
    assert.equal(socket.destroyed, false);
    const queued = await queueOf();
    assert.ok(queued && queued > CHUNK.length);
    while ((await queueOf()) === queued) {
      client.resume();
      await once(client, 'data');
      client.pause();
      await sleep(5);
    }
    await lookFor(LOOKS);
    assert.equal(socket.destroyed, false);

    await lookFor(1);

    assert.equal(socket.destroyed, true);
  });
