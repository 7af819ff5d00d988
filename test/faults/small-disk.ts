/** A small file system of its own, which a test fills up. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Its folder, where the system lets us make one (as root on Linux). */
export function mountSmall(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

/** Takes every byte that is left. */
export function fillUp(folder: string): void {
  // The system says that there is no more room: that is the aim.
  spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'filler')}`, 'bs=4k', 'conv=notrunc', 'oflag=append']);
}
