/** What the service writes may be read by its own user only, whatever the umask is. */
import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSpool } from '../../packages/service/src/ingest/spool.ts';
import {
  ask,
  BISTRO,
  isBalanced,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const DAY = { startBusinessDate: '20260310' };

describe('the files of a data folder', () => {
  const before022 = process.umask(0o022);
  let running: Running;
  before(async () => {
    running = await startJourney();
  });
  after(async () => {
    process.umask(before022);
    await running.stop();
  });

  it('are private to the owner: facts and journal, loads under way, snapshots, forms, digests and locks', async () => {
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder()]);
    for (const [kind, json] of [
      ['metrics', DAY],
      ['check', DAY],
      ['check', { startBusinessDate: '20200101' }],
    ] as const) {
      const guid = await ask(running, token, `/${kind}/day`, json);
      for (const accept of ['application/json', 'text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet']) {
        for (const coding of ['identity', 'gzip']) {
          const headers = { accept, 'accept-encoding': coding, 'want-repr-digest': 'sha-256=1' };
          assert.equal((await running.call('GET', `/${kind}/${guid}`, { token, headers })).status, 200);
        }
      }
    }
    // Small loads never touch the disk.
    const spool = openSpool(running.service.stores.spoolFolder, 'orders');
    spool.record(JSON.stringify({ order_guid: 'x'.repeat(1_000_000) }));
    await spool.drain();

    const open: string[] = [];
    const seen = new Set<string>();
    for (const path of await readdir(running.config.data, { recursive: true })) {
      const { mode } = await stat(join(running.config.data, path));
      for (const name of path.split('/')) seen.add(name);
      if (mode & 0o077) open.push(`${path} ${(mode & 0o777).toString(8)}`);
    }
    await spool.remove();

    assert.deepEqual(open, []);
    const folders = isBalanced ? ['cache', 'scratch', 'spool'] : ['facts', 'results', 'spool'];
    for (const name of folders) assert.ok(seen.has(name), name);
  });
});
