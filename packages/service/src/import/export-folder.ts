/** The folder in which the files of an import over HTTP are kept while it runs. */
import { rm } from 'node:fs/promises';
import { isOutOfFiles } from '../storage/disk-fault.ts';

const AGAIN_MS = 1000;

/**
 * Removes the folder. A folder is opened to be removed, so if no more files can be opened it is removed later, without
 * being awaited. Throws any other error.
 */
export async function removeExport(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    // What else prevents it is found when the service starts again, and empties its spool.
    setTimeout(() => void removeExport(folder).catch(() => undefined), AGAIN_MS).unref();
  }
}
