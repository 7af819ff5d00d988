import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from './folders.ts';

test('a folder is made with those above it, for its owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-make-'));
  try {
    const made = join(folder, 'a', 'b', 'c');
    await makeFolder(made);
    await makeFolder(made);
    assert.equal(statSync(made).mode & 0o777, 0o700);
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(makeFolder(join(folder, 'file', 'below')), { code: 'ENOTDIR' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

// The runtime's recursive mkdir never ends there.
test('a file system without new folders is named', {
  skip: !existsSync('/proc/self') && 'there is no /proc here',
}, async () => {
  const message = 'no folder can be made at /proc/nope; name another with --data';
  await assert.rejects(makeFolder('/proc/nope/data'), { message });
});
