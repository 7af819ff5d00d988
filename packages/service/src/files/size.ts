/** Sizes of files and folders. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a file; 0 if it does not exist. */
export const fileSize = (path: string): Promise<number> =>
  stat(path).then(
    (found) => found.size,
    () => 0,
  );

/**
 * Bytes of all files below a folder; 0 if it does not exist. One file at a time, so that three of the four threads of
 * the pool remain for calls that wait for an answer.
 */
export async function folderSize(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? await folderSize(path) : await fileSize(path);
  }
  return sum;
}
