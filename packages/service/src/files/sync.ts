/** Flushes a file or folder to disk. */
import { open } from 'node:fs/promises';

/** Resolves when the contents of the file, or the names in the folder, would survive a power failure. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
