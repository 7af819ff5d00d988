import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { EngineTimeout, FactsGone } from '../errors.ts';
import { openServer } from './server.ts';

/** What a statement throws that is answered with an error of ClickHouse. */
async function thrownFor(code: number, text: string): Promise<unknown> {
  const http = createServer((_, response) => {
    response.writeHead(500, { 'x-clickhouse-exception-code': String(code) });
    response.end(`Code: ${code}. DB::Exception: ${text}. (NAME) (version 25.3)`);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = openServer(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, 'daypart');
  try {
    return await server.run('optimize table loads').then(
      () => assert.fail('it succeeded'),
      (error: unknown) => error,
    );
  } finally {
    await server.close();
    http.close();
  }
}

/** Texts are those of ClickHouse. */
const AWAY: [number, string][] = [
  [209, 'Timeout exceeded while reading from socket (10.0.0.2:9000, 300000 ms)'],
  [210, 'Connection reset by peer'],
  [236, 'Server is shutting down'],
  [394, 'Query was cancelled'],
  [439, 'Cannot schedule a task: no free thread (timeout=0)'],
  [202, 'Too many simultaneous queries. Maximum: 100'],
  [745, 'The server is overloaded'],
];

describe('the facts server', () => {
  for (const [code, text] of AWAY)
    it(`is unavailable if it answers error ${code}, so that nothing is at fault`, async () => {
      assert.ok((await thrownFor(code, text)) instanceof FactsGone);
    });

  it('is available if a statement takes too long, or is wrong', async () => {
    assert.ok((await thrownFor(159, 'Timeout exceeded: elapsed 60.1 seconds')) instanceof EngineTimeout);
    const wrong = await thrownFor(62, 'Syntax error: failed at position 1');
    assert.ok(wrong instanceof Error && !(wrong instanceof FactsGone), String(wrong));
  });
});
