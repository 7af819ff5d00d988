import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { lockFile } from './folder-lock.ts';

it('a lock is held once, takes no space on the disk, and can be taken again when it is released', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-lock-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'service.lock');

  const release = lockFile(file, 0);
  assert.ok(release);
  assert.equal(lockFile(file, 0), undefined);
  assert.deepEqual([readdirSync(folder), statSync(file).size], [['service.lock'], 0]);

  release();
  lockFile(file, 0)?.();
});

it('a lock that cannot be taken for another reason throws that reason, and does not seem held', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-lock-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'service.lock'));

  assert.throws(() => lockFile(join(folder, 'service.lock'), 0), { code: 'EISDIR' });
});
