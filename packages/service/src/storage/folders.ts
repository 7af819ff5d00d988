/** Folders on disk: how one is made, what is inside it, and how large it is. */
import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Makes the folder, with mode 700, and those above it that are missing, but nothing that is not in `within`: a data
 * folder that was moved away must not be made again. Throws the error of the system where one cannot be made, and Error
 * with a sentence where the file system has no new folders, as /proc: there the runtime's own recursive `mkdir` never
 * ends.
 */
export async function makeFolder(path: string, within = '/'): Promise<void> {
  const folder = resolve(path);
  if (await isMade(folder)) return;
  const above = dirname(folder);
  if (above !== folder && above !== resolve(within)) await makeFolder(above, within);
  if (!(await isMade(folder))) throw new Error(`no folder can be made at ${folder}; name another with --data`);
}

/** Whether the folder is there; makes it if the one above it is. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code === 'EEXIST') return true;
    throw error;
  }
}

/** The real path of the folder, with all links resolved, or the one at which it would be created. */
async function placeOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return dirname(path) === path ? path : join(await placeOf(dirname(path)), basename(path));
  }
}

/**
 * Whether an absolute path is that of the folder, or of something in it; the path need not exist. Throws if the folder
 * does not.
 */
export async function isInside(folder: string, path: string): Promise<boolean> {
  return relative(await realpath(folder), await placeOf(path)).split(sep)[0] !== '..';
}

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
