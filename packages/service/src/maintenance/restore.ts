/** Creates a data folder from a backup. */

import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sync } from '../files/sync.ts';
import { refuseNoFolder } from '../storage/folder-fault.ts';
import { isInside, makeFolder } from '../storage/folders.ts';
import type { StorePlaces } from '../storage/store-place.ts';
import { checkFiles, MANIFEST, type Manifest, readManifest, settleFiles } from './manifest.ts';

/**
 * Verifies the backup and every file in it, then creates the data folder, which must be empty or not exist: completely,
 * or not at all. Throws Error with a sentence for the person who requested it.
 */
export async function restore(from: string, data: string, places: StorePlaces): Promise<Manifest> {
  const manifest = await readManifest(from, places);
  if (await isInside(from, data))
    throw new Error(`${data} is inside the backup, which must not be changed; name another folder with --data`);
  await refuseNoFolder(data);
  await checkFiles(from, manifest.files);
  const there = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (there.length > 0) throw new Error(`${data} is not empty; name a data folder that is not there yet with --data`);
  const partial = `${data}.partial-restore`;
  await makeFolder(dirname(data));
  await mkdir(partial, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`${partial} is there: another restore is under way, or was cut off; then remove it`);
  });
  try {
    for (const { path } of manifest.files) {
      await mkdir(join(partial, dirname(path)), { recursive: true, mode: 0o700 });
      await copyFile(join(from, path), join(partial, path), constants.COPYFILE_FICLONE);
    }
    // The copies are what will be served, so they are verified against the manifest too.
    const copied = await settleFiles(partial, new AbortController().signal);
    const expected = new Map(manifest.files.map((file) => [file.path, file.sha256]));
    const wrong = copied.find(({ path, sha256 }) => expected.get(path) !== sha256);
    if (wrong) throw new Error(`${join(from, wrong.path)} was not copied as it is in ${MANIFEST}; nothing is restored`);
    places.ledger.settleCopy(partial);
    await rename(partial, data);
    await sync(dirname(data));
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
  return manifest;
}
