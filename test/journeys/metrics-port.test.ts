/** The port of OpenMetrics, which anybody who reaches it may call. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { openLog } from '../../packages/service/src/log.ts';
import { nodesOf, type Running, startJourney } from './service.ts';

describe('the metrics port', () => {
  let running: Running;
  let port: number;
  const lines: string[] = [];
  before(async () => {
    running = await startJourney({ metricsPort: 0 }, openLog('error', { write: (line) => lines.push(line) }));
    port = nodesOf(running.service)[0]?.metricsPort ?? 0;
  });
  after(() => running.stop());

  it('answers GET and HEAD of /metrics, and nothing else', async () => {
    const call = (method: string, path = '/metrics') => fetch(`http://127.0.0.1:${port}${path}`, { method });

    const [got, head] = [await call('GET'), await call('HEAD')];
    assert.match(await got.text(), /# EOF\n$/);
    assert.deepEqual([got.status, head.status, await head.text()], [200, 200, '']);
    assert.equal(head.headers.get('content-type'), got.headers.get('content-type'));
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const refused = await call(method);
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], method);
    }
    for (const method of ['GET', 'POST']) assert.equal((await call(method, '/other')).status, 404);
  });

  it('holds at most 32 connections, closes the oldest beyond 16 for newer ones, and still answers', async () => {
    const half = Array.from({ length: 100 }, () => {
      const socket = connect(port, '127.0.0.1').resume();
      socket.on('error', () => undefined);
      socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\nX-Slow: ');
      return socket;
    });
    const left = (): Socket[] => half.filter((socket) => !socket.closed);
    while (left().length > 32) await Promise.race(left().map((socket) => once(socket, 'close')));

    const scrape = connect(port, '127.0.0.1');
    scrape.write('GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');

    assert.match(await text(scrape), /^HTTP\/1\.1 200 /);
    assert.match(lines.join(''), /"maxConnections":16,"msg":"all connections to the metrics port are taken/);
    for (const socket of half) socket.destroy();
  });
});
