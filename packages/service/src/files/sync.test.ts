import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { syncAhead } from './sync.ts';

const MB = 1024 * 1024;

async function withFile(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-ahead-'));
  try {
    await use(join(folder, 'form.json'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes this many pieces of 10 MB with pauses, in which they are flushed to disk. */
async function write(path: string, pieces: number): Promise<number> {
  const file = await open(path, 'w');
  try {
    for (let i = 0; i < pieces; i++) {
      await file.write(Buffer.alloc(10 * MB, i));
      await sleep(60);
    }
    return pieces;
  } finally {
    await file.close();
  }
}

describe('a file that is flushed to disk while it is written', () => {
  it('is whole, and what its writing answers is answered', () =>
    withFile(async (path) => {
      assert.equal(await syncAhead(path, write(path, 4)), 4);

      const body = await readFile(path);
      assert.deepEqual([body.length, body[0], body.at(-1)], [40 * MB, 0, 3]);
    }));

  it('throws what its writing throws, also where there is no file', () =>
    withFile(async (path) => {
      const failing = sleep(120).then(() => Promise.reject(new Error('the disk is full')));

      await assert.rejects(syncAhead(path, failing), /the disk is full/);
    }));

  it('leaves nothing open', () =>
    withFile(async (path) => {
      await syncAhead(path, write(path, 3));

      assert.deepEqual(
        process.getActiveResourcesInfo().filter((name) => /FSReq|FileHandle/.test(name)),
        [],
      );
    }));
});
