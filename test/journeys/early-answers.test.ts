/** Clients that send the whole of a request before they read its answer, which came early. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BISTRO, onOneNode, putRestaurant, type Running, startJourney } from './service.ts';

/** More than the buffers of the sockets and of a balancer take. */
const LONG_BYTES = 16 * 1024 * 1024;
const SHORT_BYTES = 512 * 1024;

describe('an answer that comes before the whole request', () => {
  let running: Running;
  let load: string[];
  before(async () => {
    running = await startJourney();
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    const line = `POST /v1/restaurants/${BISTRO}/orders HTTP/1.1`;
    load = [line, 'Host: a', 'Content-Type: application/json', `Authorization: Bearer ${token}`];
  });
  const sockets: Socket[] = [];
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await running.stop();
  });

  /** Sends the head of a request and the first bytes of its body; the rest of `length` bytes is to follow. */
  function begin(head: string[], body: Buffer, length: number): Socket {
    const socket = connect(Number(new URL(running.service.origin).port), '127.0.0.1');
    sockets.push(socket);
    socket.write(`${[...head, `Content-Length: ${length}`].join('\r\n')}\r\n\r\n`);
    socket.write(body);
    return socket;
  }
  const BROKEN = Buffer.from('[1,x{ ');
  const statusesOf = (heard: string): string[] => heard.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

  it('is read at last by a client that reads nothing before, whether or not it closes the connection', async () => {
    const stranger = load.filter((line) => !line.startsWith('Authorization'));
    const create = ['POST /v1/metrics/day HTTP/1.1', ...stranger.slice(1)];
    const cases: [string[], string][] = [
      [load, '400'],
      [stranger, '401'],
      [create, '401'],
    ];
    for (const [head, status] of cases) {
      for (const connection of ['keep-alive', 'close']) {
        const socket = begin([...head, `Connection: ${connection}`], BROKEN, LONG_BYTES);
        const rest = Buffer.alloc(LONG_BYTES - BROKEN.length, ' ');
        const sent = Promise.withResolvers<void>();
        socket.once('error', sent.reject);
        socket.write(rest, (error) => (error ? sent.reject(error) : sent.resolve()));
        await sent.promise;
        const [chunk] = (await once(socket, 'data')) as [Buffer];
        assert.deepEqual(statusesOf(chunk.toString('latin1')), [status], `${head[0]} ${connection}`);
        socket.destroy();
      }
    }
  });

  it('is followed by those of further requests on the connection, once the rest has arrived', async () => {
    const zipped = gzipSync('[1,x{ ');
    const cases: [Buffer, string[]][] = [
      [BROKEN, []],
      [zipped.subarray(0, -8), ['Content-Encoding: gzip']],
    ];
    for (const [body, coding] of cases) {
      const socket = begin([...load, ...coding], body, SHORT_BYTES);
      // The service still waits for more when it answers.
      await once(socket, 'readable');
      socket.write(Buffer.alloc(SHORT_BYTES - body.length, ' '));
      socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      assert.deepEqual(statusesOf(await text(socket)), ['400', '200']);
    }
  });

  const onItsOwn = { skip: onOneNode('a balancer answers what a client expects') };
  it('is the only one to a client that expects 100, which comes once the body is wanted', onItsOwn, async () => {
    const [line = '', ...more] = load;
    const create = ['POST /v1/metrics/day HTTP/1.1', ...more];
    const stranger = create.filter((one) => !one.startsWith('Authorization'));
    const typed = create.map((one) => one.replace('application/json', 'text/plain'));
    const elsewhere = line.replace(BISTRO, 'b1500000-0000-4000-8000-00000000000f');
    const multipart = more.map((one) => one.replace('application/json', 'multipart/form-data; boundary=x'));
    const exports = (type: string[]) => [line.replace('orders', 'exports/20260310'), ...type];
    const cases: [string[], number, string][] = [
      [stranger, 9, '401'],
      [create, 9_000_000, '413'],
      [typed, 9, '415'],
      [[...create, 'Content-Encoding: gzip'], 9, '415'],
      [['POST /v1/metrics/decade HTTP/1.1', ...more], 9, '404'],
      [['POST /v1/reports HTTP/1.1', ...more], 9, '405'],
      [['POST /v1/metrics/day?agregateBy=HOUR HTTP/1.1', ...more], 9, '400'],
      [[elsewhere, ...more], 9, '404'],
      [[line, ...more, 'Content-Encoding: br'], 9, '415'],
      [[elsewhere.replace('POST', 'PUT').replace('orders', 'reference'), ...more], 9, '404'],
      [[elsewhere.replace('POST', 'PUT').replace('orders', 'menus'), ...more], 9, '404'],
      [exports(more), 9, '415'],
      [exports(multipart), 90_000_000, '413'],
    ];
    for (const [head, length, status] of cases) {
      const socket = begin([...head, 'Expect: 100-continue'], Buffer.alloc(0), length);
      assert.deepEqual(statusesOf(await text(socket)), [status], head.join());
    }
    const socket = begin([...create, 'Expect: 100-Continue'], Buffer.alloc(0), 2);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.equal(chunk.toString('latin1'), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.deepEqual(statusesOf(await text(socket)), ['400', '200']);
  });
});
