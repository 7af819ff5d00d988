/** Stored reports that are damaged or gone: never served, made again where they can be, else 409 with what asks again. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { openLog } from '../../packages/service/src/log.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';

const DAY = { startBusinessDate: '20260310' };
const LARGE = { startBusinessDate: '20260311' };
/** Enough checks for a form of over a megabyte. */
const MANY = 2500;

describe('a stored report', () => {
  let running: Running;
  let token: string;
  const logged: string[] = [];
  before(async () => {
    const log = openLog('warn', { write: (line) => void logged.push(line) });
    running = await startJourney({ waitSeconds: 20 }, log);
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder(), plainOrder()]);
    const many = Array.from({ length: MANY }, () => plainOrder({ businessDate: 20260311 }));
    await postOrders(running, token, BISTRO, many);
  });
  after(() => running?.stop());

  const get = (guid: string, headers: Record<string, string> = {}, query = '') =>
    running.call('GET', `/check/${guid}${query}`, { token, headers: { 'accept-encoding': 'identity', ...headers } });
  const stored = (guid: string, name = ''): string =>
    join(running.config.data, 'results', guid.slice(0, 2), guid, '1', name);
  const digestOf = (text: string): string => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

  /** A report that was read once, and what it said. */
  async function made(json: object): Promise<{ guid: string; text: string }> {
    const guid = await ask(running, token, '/check/day', json);
    const { status, text } = await get(guid);
    assert.equal(status, 200);
    return { guid, text };
  }

  /** Changes one byte in the middle, as a failing disk would. */
  async function flip(path: string): Promise<void> {
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    try {
      const byte = Buffer.alloc(1);
      const at = Math.floor(size / 2);
      await file.read(byte, 0, 1, at);
      byte[0] = (byte[0] ?? 0) ^ 1;
      await file.write(byte, 0, 1, at);
    } finally {
      await file.close();
    }
  }

  /** Until the digest of a large form is on the disk, which is made once it is published. */
  async function digested(guid: string, name: string): Promise<void> {
    while (!(await readdir(stored(guid))).includes(`${name}.sha256`)) await sleep(10);
  }

  const DAMAGE: Record<string, (path: string) => Promise<void>> = {
    'has a flipped bit': flip,
    'was cut off': (path) => truncate(path, 1000),
    'is gone': (path) => rm(path),
  };
  for (const [what, damage] of Object.entries(DAMAGE)) {
    it(`whose large form ${what} is made again from its snapshot`, async () => {
      const { guid, text } = await made(LARGE);
      await digested(guid, 'reference.json');
      await damage(stored(guid, 'reference.json'));

      const again = await get(guid, { 'want-repr-digest': 'sha-256=9' });

      assert.equal(again.status, 200);
      assert.equal(again.text === text, true);
      assert.equal(again.headers.get('repr-digest'), digestOf(text));
    });

    it(`whose small form ${what} is made again at the next start`, async () => {
      const { guid, text } = await made(DAY);
      await damage(stored(guid, 'reference.json'));
      await running.restart();

      const again = await get(guid);

      assert.deepEqual([again.status, again.text], [200, text]);
      assert.equal(again.headers.get('repr-digest'), digestOf(text));
    });
  }

  it('whose form changed before it had a digest gets none of the damage', async () => {
    const { guid, text } = await made(LARGE);
    await digested(guid, 'reference.json');
    await rm(stored(guid, 'reference.json.sha256'));
    await flip(stored(guid, 'reference.json'));
    await running.restart();

    const again = await get(guid, { 'want-repr-digest': 'sha-256=9' });

    assert.equal(again.text === text, true);
    assert.equal(again.headers.get('repr-digest'), digestOf(text));
  });

  it('whose coded file is damaged is coded again', async () => {
    const { guid, text } = await made(LARGE);
    const coded = { 'accept-encoding': 'gzip' };
    assert.equal((await get(guid, coded)).headers.get('content-encoding'), 'gzip');
    await flip(stored(guid, 'reference.json.gz'));

    const response = await fetch(`${running.service.baseUrl}/check/${guid}`, {
      headers: { ...coded, authorization: `Bearer ${token}` },
    });

    // `fetch` decodes: gzip's own sum would not pass.
    assert.equal((await response.text()) === text, true);
    assert.equal(gunzipSync(await readFile(stored(guid, 'reference.json.gz'))).toString() === text, true);
  });

  it('is sent as long as the form is sound, whatever became of the snapshot', async () => {
    const { guid, text } = await made(LARGE);
    await digested(guid, 'reference.json');
    await flip(stored(guid, 'snapshot.parquet'));
    await running.restart();

    assert.equal((await get(guid)).text === text, true);
    assert.equal((await get(guid, {}, '?format=csv')).status, 409);
  });

  for (const [what, damage] of Object.entries(DAMAGE)) {
    it(`of which nothing is left because the snapshot ${what} is 409, with the POST that asks again, and the log says it`, async () => {
      const { guid, text } = await made(LARGE);
      await damage(stored(guid, 'snapshot.parquet'));
      await rm(stored(guid, 'reference.json'));
      logged.length = 0;

      const { status, body } = await get(guid);

      assert.deepEqual([status, body.code, body.replacement.method], [409, 'report_failed', 'POST']);
      assert.match(logged.join(''), new RegExp(`"reportRequestGuid":"${guid}".*cannot be read any more`));
      const { path, body: asked } = body.replacement;
      const replaced = await running.call('POST', path, { token, json: asked, base: '' });
      assert.equal((await get(replaced.body)).text === text, true);
    });
  }

  it('whose files are gone but that was discarded meanwhile is not found', async () => {
    const { guid } = await made(LARGE);
    // Its digests may still be written.
    await rm(stored(guid), { recursive: true, maxRetries: 10, retryDelay: 50 });
    await running.call('DELETE', `/reports/${guid}`, { token });

    assert.equal((await get(guid)).status, 404);
  });
});
