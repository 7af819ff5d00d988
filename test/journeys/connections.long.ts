import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openLog } from '../../packages/service/src/log.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';
import { claimedElsewhere } from './waiters.ts';

/** What a connection was sent before it was closed. */
interface Heard {
  socket: Socket;
  /** All of it; resolves when the service has closed the connection. */
  closed: Promise<string>;
  text(): string;
}

function talk(running: Running, ...lines: string[]): Heard {
  const socket = connect(Number(new URL(running.service.origin).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  if (lines.length > 0) socket.write(lines.join('\r\n'));
  return { socket, text: () => text, closed: once(socket, 'close').then(() => text) };
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
const problemOf = (text: string): { code: string; status: number } =>
  JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ''));
const HEAD = ['Host: localhost', 'Content-Type: application/json', 'Content-Length: 1000'];

describe('a request that never ends', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney({ headerSeconds: 1, requestSeconds: 2, readSeconds: 2 });
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());
  const bearer = (): string => `Authorization: Bearer ${token}`;

  it('is answered 408 and closed, for any purpose', async () => {
    const heads = [
      ['POST /oauth/token HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded', 'Host: x', 'Content-Length: 9'],
      ['POST /authentication/v1/authentication/login HTTP/1.1', ...HEAD],
      ['POST /v1/metrics/day HTTP/1.1', bearer(), ...HEAD],
      [`PUT /v1/restaurants/${BISTRO} HTTP/1.1`, bearer(), ...HEAD],
    ];

    const answers = await Promise.all(heads.map((head) => talk(running, ...head, '', '{"a').closed));

    for (const answer of answers) {
      assert.deepEqual([statusOf(answer), problemOf(answer).code], [408, 'request_timeout'], answer);
      assert.match(answer, /\r\nconnection: close\r\n/i);
      assert.match(answer, /\r\nx-request-id: /i);
    }
  });

  it('is closed when its headers do not end, and when there are none', async () => {
    const [slow, silent] = await Promise.all([
      talk(running, 'GET /livez HTTP/1.1', 'Host: x', 'X-Slow: ').closed,
      talk(running).closed,
    ]);

    for (const answer of [slow, silent])
      assert.deepEqual([statusOf(answer), problemOf(answer).code], [408, 'request_timeout'], answer);
  });

  it('is closed when it was answered before its body came', async () => {
    const answers = await Promise.all([
      talk(running, `POST /v1/restaurants/${BISTRO}/orders HTTP/1.1`, ...HEAD, '', '').closed,
      talk(running, 'GET /livez HTTP/1.1', ...HEAD, '', '').closed,
    ]);

    // The second takes no body.
    assert.deepEqual(answers.map(statusOf), [401, 400]);
  });

  it('may be a load that takes longer, as long as it sends', async () => {
    const order = `${JSON.stringify(plainOrder())}\n`;
    const load = talk(
      running,
      ...[`POST /v1/restaurants/${BISTRO}/orders HTTP/1.1`, bearer(), 'Host: x', 'Connection: close'],
      ...['Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked', '', ''],
    );
    const fifth = Math.ceil(order.length / 5);
    for (let from = 0; from < order.length; from += fifth) {
      await setTimeout(800);
      const part = order.slice(from, from + fifth);
      load.socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    }
    load.socket.write('0\r\n\r\n');

    const answer = await load.closed;

    assert.equal(statusOf(answer), 200, answer);
    assert.match(answer, /"accepted":1/);
  });

  it('is cut when it is a load that sends nothing', async () => {
    const head = [
      `POST /v1/restaurants/${BISTRO}/orders HTTP/1.1`,
      bearer(),
      'Host: x',
      'Content-Type: application/x-ndjson',
    ];
    const zipped = gzipSync(JSON.stringify(plainOrder())).subarray(0, 20);
    const plain = talk(running, ...head, 'Content-Length: 1000', '', '{"guid"');
    const gzip = talk(running, ...head, 'Content-Encoding: gzip', 'Content-Length: 1000', '', '');
    gzip.socket.write(zipped);

    for (const answer of await Promise.all([plain.closed, gzip.closed]))
      assert.deepEqual([statusOf(answer), problemOf(answer).code], [408, 'request_timeout'], answer);
  });

  it('does not disturb the next one of a connection that is kept', async () => {
    const kept = talk(running, 'GET /livez HTTP/1.1', 'Host: x', '', '');
    await setTimeout(3000);
    kept.socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

    assert.equal((await kept.closed).match(/HTTP\/1\.1 200/g)?.length, 2);
  });
});

describe('a client that closes its side after its request', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  /** What a client hears that sends a whole request and the end of its side with it. */
  function hear(line: string, body = '', ...head: string[]): Promise<string> {
    const all = [
      line,
      'Host: x',
      `Authorization: Bearer ${token}`,
      `Content-Length: ${body.length}`,
      ...head,
      '',
      body,
    ];
    const { socket, closed } = talk(running);
    socket.end(all.join('\r\n'));
    return closed;
  }

  it('hears the answer of a load, a create and a retrieval', async () => {
    const json = 'Content-Type: application/json';
    const load = await hear(`POST /v1/restaurants/${BISTRO}/orders HTTP/1.1`, JSON.stringify([plainOrder()]), json);
    const created = await hear('POST /v1/metrics/day HTTP/1.1', '{"startBusinessDate":"20260310"}', json);
    const guid = /"([0-9a-f-]{36})"\s*$/.exec(created)?.[1];
    await running.call('GET', `/metrics/${guid}`, { token, headers: { prefer: 'wait=30' } });
    const retrieved = await hear(`GET /v1/metrics/${guid} HTTP/1.1`);

    assert.deepEqual([load, created, retrieved].map(statusOf), [200, 200, 200]);
    assert.match(load, /"accepted":1/);
    assert.match(retrieved, /"ordersCount":1/);
  });

  it('has left when its answer takes long', async () => {
    const guid = await claimedElsewhere(running);

    assert.equal(await hear(`GET /v1/metrics/${guid} HTTP/1.1`, '', 'Prefer: wait=30'), '');
  });

  it('has ended a stream of events', async () => {
    const guid = await claimedElsewhere(running);

    const left = await hear(`GET /v1/reports/${guid}/events HTTP/1.1`);
    const stays = talk(running, `GET /v1/reports/${guid}/events HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`);
    stays.socket.write('\r\n\r\n');
    while (!stays.text().includes('event: gathering')) await once(stays.socket, 'data');
    stays.socket.end();

    for (const text of [left, await stays.closed]) assert.match(text, /event: gathering/);
  });
});

describe('connections beyond the limit', () => {
  it('are answered 503 but for /livez, and the log says so', async () => {
    const lines: string[] = [];
    const running = await startJourney({ maxConnections: 5 }, openLog('error', { write: (line) => lines.push(line) }));
    try {
      const held = Array.from({ length: 40 }, () => talk(running));
      await setTimeout(100);

      const refused = await talk(running, 'GET /readyz HTTP/1.1', 'Host: x', '', '').closed;
      const alive = await talk(running, 'GET /livez HTTP/1.1', 'Host: x', '', '').closed;

      assert.deepEqual([statusOf(refused), problemOf(refused).code], [503, 'unavailable']);
      assert.equal(statusOf(alive), 200);
      assert.match(lines.join(''), /"maxConnections":5,"msg":"all connections are taken/);
      for (const { socket } of held.slice(0, 5)) socket.destroy();
      // The service hears of it a little later.
      for (let tries = 1; (await running.call('GET', '/version', { base: '' })).status !== 200; tries++) {
        assert.ok(tries < 200, 'no connection is free');
        await setTimeout(50);
      }
      for (const { socket } of held) socket.destroy();
    } finally {
      await running.stop();
    }
  });
});

describe('readers that do not read', () => {
  let running: Running;
  let token: string;
  let path: string;
  before(async () => {
    running = await startJourney({ readSeconds: 2, clientDownloads: 4 });
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
    // 13 MB of answer: more than the buffers of two sockets take.
    const orders = Array.from({ length: 2000 }, () => plainOrder());
    for (let day = 0; day < 12; day++) {
      const businessDate = 20260301 + day;
      await postOrders(
        running,
        token,
        BISTRO,
        orders.map((order, i) => ({
          ...order,
          businessDate,
          guid: guid(day, i),
          checks: (order.checks as object[]).map((check) => ({ ...check, guid: guid(day + 50, i) })),
        })),
      );
    }
    const span = { startBusinessDate: 20260301, endBusinessDate: 20260312 };
    path = `/v1/check/${await ask(running, token, '/check/month', span)}`;
    await running.call('GET', path, { token, base: '', headers: { 'accept-encoding': 'identity' } });
  });
  after(() => running.stop());
  const guid = (day: number, i: number): string =>
    `0e000000-0000-4000-8${String(day).padStart(3, '0')}-${String(i).padStart(12, '0')}`;
  const get = (): Heard => {
    const heard = talk(running, `GET ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, '', '');
    return heard;
  };

  it('are cut, and give their places to others', async () => {
    const stalled = Array.from({ length: 4 }, () => get());
    for (const { socket } of stalled) {
      await once(socket, 'data');
      socket.pause();
    }

    const fifth = await running.call('GET', path, { token, base: '' });
    assert.deepEqual([fifth.status, fifth.body.code, fifth.headers.get('retry-after')], [429, 'too_many_at_once', '2']);
    assert.equal(fifth.headers.get('content-length'), String(fifth.text.length));
    assert.equal((await running.call('GET', path, { token: await running.login('group'), base: '' })).status, 200);

    // What the kernel holds is read, and then there is an end before the whole.
    await setTimeout(4000);
    for (const { socket } of stalled) socket.resume();
    const texts = await Promise.all(stalled.map(({ closed }) => closed));
    for (const text of texts) assert.ok(text.length < Number(/content-length: (\d+)/i.exec(text)?.[1]));
    assert.equal((await running.call('GET', path, { token, base: '' })).status, 200);
  });

  it('are not cut while they read slowly', async () => {
    const { socket, text, closed } = get();
    await once(socket, 'data');
    const length = Number(/content-length: (\d+)/i.exec(text())?.[1]);
    const body = (): number => text().length - text().indexOf('\r\n\r\n') - 4;
    const timer = setInterval(() => socket.pause(), 50);
    const other = setInterval(() => socket.resume(), 400);
    while (body() < length && !socket.destroyed) await setTimeout(50);
    clearInterval(timer);
    clearInterval(other);

    assert.equal(body(), length);
    socket.destroy();
    await closed;
  });
});

describe('loads at once', () => {
  it('are bounded for each client', async () => {
    const running = await startJourney({ clientLoads: 2 });
    try {
      const token = await running.login('group');
      await putRestaurant(running, token, BISTRO);
      const head = [`POST /v1/restaurants/${BISTRO}/orders HTTP/1.1`, 'Host: x', 'Content-Type: application/x-ndjson'];
      const begun = [1, 2].map(() =>
        talk(
          running,
          ...head,
          `Authorization: Bearer ${token}`,
          'Content-Length: 10',
          'Expect: 100-continue',
          'Connection: close',
          '',
          '',
        ),
      );
      for (const { socket, text } of begun) while (!text().includes('100 Continue')) await once(socket, 'data');
      await setTimeout(200);
      const post = (as: string) =>
        running.call('POST', `/restaurants/${BISTRO}/orders`, { token: as, json: [plainOrder()] });

      const third = await post(token);
      assert.deepEqual(
        [third.status, third.body.code, third.headers.get('retry-after')],
        [429, 'too_many_at_once', '2'],
      );
      assert.equal((await post(await running.login('group'))).status, 200);

      for (const { socket } of begun) socket.write('\n'.repeat(10));
      for (const { closed } of begun) assert.match(await closed, /^HTTP\/1\.1 200 /m);
      assert.equal((await post(token)).status, 200);
    } finally {
      await running.stop();
    }
  });
});
