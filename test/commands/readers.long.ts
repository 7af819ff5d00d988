/** Slow readers of a large report cost little memory, measured on the service in its own process. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { plainOrder } from '../journeys/service.ts';
import { serve, stop, tokenOf } from './process.ts';

const RESTAURANT = 'b1500000-0000-4000-8000-000000000001';
const READERS = 50;
/** Some 18 MB of JSON: three times what the system itself takes in for a connection of this machine. */
const ORDERS = 30_000;
const SLOW_MS = 3000;

async function residentMegabytes(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Reads what comes in one go, five times a second. */
function readSlowly(url: URL, headers: Record<string, string>): Socket {
  const socket = connect(Number(url.port), url.hostname);
  const lines = Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.on('error', () => undefined);
  socket.on('data', () => {
    socket.pause();
    global.setTimeout(() => socket.resume(), 200);
  });
  return socket;
}

it('sends parts of a large report to many slow readers in little memory', {
  skip: process.platform !== 'linux',
}, async () => {
  const data = await mkdtemp(join(tmpdir(), 'daypart-readers-'));
  const limits = { DAYPART_LIMITS: 'off' };
  const { child, base } = await serve(['--data', data], { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group', ...limits });
  try {
    const { access_token: token } = (await (await tokenOf(base, 'me', 'secret')).json()) as { access_token: string };
    const bearer = { authorization: `Bearer ${token}` };
    const headers = { ...bearer, 'content-type': 'application/json' };
    const send = (method: string, path: string, body: string) => fetch(`${base}${path}`, { method, headers, body });
    await send('PUT', `/restaurants/${RESTAURANT}`, JSON.stringify({ name: 'Bistro', timeZone: 'America/New_York' }));
    const order = plainOrder();
    const text = JSON.stringify(order);
    const orders = Array.from({ length: ORDERS }, (_, i) =>
      text.replaceAll(
        /0d000000-0000-4000-8000-(\d{12})/g,
        (_guid, end) => `0d000000-0000-4000-${end.slice(8)}-${String(i).padStart(12, '0')}`,
      ),
    );
    const loaded = await send('POST', `/restaurants/${RESTAURANT}/orders`, `[${orders.join()}]`);
    assert.equal(((await loaded.json()) as { accepted: number }).accepted, ORDERS);
    const guid = await (await send('POST', '/check/day', '{"startBusinessDate":20260310}')).json();
    const url = new URL(`${base}/check/${guid}`);
    const whole = await fetch(url, { headers: { ...bearer, prefer: 'wait=30', 'accept-encoding': 'identity' } });
    const { byteLength } = await whole.arrayBuffer();
    assert.ok(byteLength > 15_000_000);
    const pid = child.pid ?? 0;
    const before = await residentMegabytes(pid);

    const readers = Array.from({ length: READERS }, (_, i) =>
      readSlowly(url, { ...bearer, range: `bytes=${1000 * i}-` }),
    );
    let most = before;
    const isServed = (): boolean => readers.every(({ bytesRead, destroyed }) => bytesRead > 0 || destroyed);
    for (const until = Date.now() + SLOW_MS; Date.now() < until || !isServed(); await setTimeout(100)) {
      most = Math.max(most, await residentMegabytes(pid));
    }

    assert.ok(readers.every(({ bytesRead, destroyed }) => bytesRead > 0 && !destroyed));
    assert.ok(
      readers.some(({ bytesRead }) => bytesRead < byteLength - 1000 * READERS),
      'they were not slow',
    );
    for (const reader of readers) reader.destroy();
    assert.ok(most - before < 64, `the service grew by ${(most - before).toFixed(0)} MB`);
    console.log(`the service grew by ${(most - before).toFixed(0)} MB with ${READERS} slow readers`);
  } finally {
    await stop(child);
    await rm(data, { recursive: true, force: true });
  }
});
