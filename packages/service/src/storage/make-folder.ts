/** Makes a folder and those above it. */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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
