/** Where paths really are, with all links resolved. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

/** The real path of the folder, or the one at which it would be created. */
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
