/** A body of any length is loaded in constant memory, measured on the service in its own process. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { it } from 'node:test';
import { plainOrder } from '../journeys/service.ts';
import { serve, stop, tokenOf } from './process.ts';

/** LOAD_TEST_MB=2048 is the size that the promise is made for. */
const MEGABYTES = Number(process.env.LOAD_TEST_MB ?? 150);
const RESTAURANT = 'b1500000-0000-4000-8000-000000000001';

/** The most memory a process ever had, in MB. */
async function peak(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function* orders(count: number, sample: string, guid: string): Generator<string> {
  for (let i = 0; i < count; i++) {
    yield `${i === 0 ? '[' : ','}${sample.replace(guid, `0f000000-0000-4000-8000-${String(i).padStart(12, '0')}`)}`;
  }
  yield ']';
}

it('loads a body of any length in constant memory', { skip: process.platform !== 'linux' }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'daypart-memory-'));
  const { child, base } = await serve(['--data', data], { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' });
  try {
    const { access_token: token } = (await (await tokenOf(base, 'me', 'secret')).json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Bistro', timeZone: 'America/New_York' });
    assert.equal((await fetch(`${base}/restaurants/${RESTAURANT}`, { method: 'PUT', headers, body })).status, 201);
    const order = plainOrder({}, { note: 'n'.repeat(3000) });
    const sample = JSON.stringify(order);
    const count = Math.ceil((MEGABYTES * 1024 * 1024) / sample.length);
    const pid = child.pid ?? 0;
    const before = await peak(pid);

    const sending = request(`${base}/restaurants/${RESTAURANT}/orders`, { method: 'POST', headers });
    const answered = new Promise<string>((resolve, reject) => {
      sending.on('response', (response) => resolve(text(response)));
      sending.on('error', reject);
    });
    await pipeline(Readable.from(orders(count, sample, String(order.guid))), sending);

    assert.deepEqual(JSON.parse(await answered), { accepted: count, unchanged: 0, rejected: [], rejectedCount: 0 });
    const asked = await fetch(`${base}/metrics/day`, {
      method: 'POST',
      headers,
      body: '{"startBusinessDate":20260310}',
    });
    const [row] = (await (
      await fetch(`${base}/metrics/${await asked.json()}`, { headers: { ...headers, prefer: 'wait=30' } })
    ).json()) as {
      ordersCount: number;
    }[];
    assert.equal(row?.ordersCount, count);
    const grown = (await peak(pid)) - before;
    assert.ok(grown < 200, `the service grew by ${grown.toFixed(0)} MB over ${MEGABYTES} MB`);
    console.log(`the service grew by ${grown.toFixed(0)} MB over a body of ${MEGABYTES} MB`);
  } finally {
    await stop(child);
    await rm(data, { recursive: true, force: true });
  }
});
