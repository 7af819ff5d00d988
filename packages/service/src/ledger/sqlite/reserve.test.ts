import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openReserve, withWholeReserve } from './reserve.ts';

const MIB = 1024 * 1024;

it('the reserve is really on the disk, is given back piece by piece, and is filled again', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-reserve-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'reserve');
  const reserve = await openReserve(path);
  t.after(() => reserve.close());
  const bytes = async () => (await stat(path)).size;

  assert.equal(await bytes(), 0);
  await reserve.refill();
  assert.equal(await bytes(), 2 * MIB);
  assert.ok((await stat(path)).blocks * 512 >= 2 * MIB);
  const released = await Promise.all(Array.from({ length: 9 }, () => reserve.release()));
  assert.deepEqual(released.map(Number), [1, 1, 1, 1, 1, 1, 1, 1, 0]);
  assert.equal(await bytes(), 0);
  await reserve.refill();
  assert.equal(await bytes(), 2 * MIB);
  assert.deepEqual([await reserve.releaseAll(), await reserve.releaseAll(), await bytes()], [true, false, 0]);
});

it('work that finds the disk full is done once more with the whole reserve, other errors are thrown', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-reserve-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'reserve');
  const reserve = await openReserve(path);
  t.after(() => reserve.close());
  await reserve.refill();
  const seen: number[] = [];
  const work = (code: string) => async () => {
    seen.push((await stat(path)).size);
    if (seen.length === 1) throw Object.assign(new Error('no'), { code });
    return 'done';
  };

  assert.equal(await withWholeReserve(reserve, work('ENOSPC')), 'done');
  assert.deepEqual(seen.splice(0), [2 * MIB, 0]);
  assert.equal((await stat(path)).size, 2 * MIB);
  await assert.rejects(withWholeReserve(reserve, work('EACCES')), { code: 'EACCES' });
  assert.deepEqual(seen, [2 * MIB]);
});
