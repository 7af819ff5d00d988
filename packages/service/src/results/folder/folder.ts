/**
 * Results in a local folder: its place in a data folder, files of attempts, `scratch/`, and the id of the data folder.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from '../../files/sync.ts';
import { namesIn } from '../../storage/folder-fault.ts';
import { folderSize, makeFolder } from '../../storage/folders.ts';
import type { StorePlace } from '../../storage/store-place.ts';
import type { Results } from '../results.ts';
import { attemptFiles, attemptPlace, missing } from './attempt-files.ts';

const FOLDER = 'results';
const SCRATCH = 'scratch';
/** The file that contains the id of the data folder. */
const IDENTITY = 'identity';

export const resultsFolder = (data: string): string => join(data, FOLDER);

export const FOLDER_PLACE: StorePlace = {
  file: `${FOLDER}/${IDENTITY}`,
  held: [FOLDER],
  async isIn(data) {
    const names = await namesIn(data, FOLDER);
    return names.some((name) => name !== SCRATCH);
  },
  size: (data) => folderSize(resultsFolder(data)),
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Writes the id into a folder of results, atomically. */
async function identifyFolder(folder: string, id: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, IDENTITY);
  await writeFile(`${path}.new`, `${id}\n`, { mode: 0o600 });
  await sync(`${path}.new`);
  await rename(`${path}.new`, path);
  await sync(folder);
}

async function readIdentity(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, IDENTITY), 'utf8')).trim() || undefined;
  } catch (error) {
    if (missing(error)) return undefined;
    throw error;
  }
}

/** Copies the files of an attempt; nothing if there are none any more. */
async function copyAttempt(source: string, target: string): Promise<void> {
  let names: string[];
  try {
    names = await readdir(source);
  } catch (error) {
    if (missing(error)) return;
    throw error;
  }
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of names) {
    try {
      await copyFile(join(source, name), join(target, name), constants.COPYFILE_FICLONE);
    } catch (error) {
      // The report expired while it was copied if the file is gone; otherwise the error is about the target.
      if (!missing(error) || (await exists(join(source, name)))) throw error;
    }
  }
}

/** Opens the results of a data folder, creating it if missing. */
export async function openFolderResults(folder: string): Promise<Results> {
  const scratchFolder = join(folder, SCRATCH);
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 });

  return {
    ...attemptFiles(folder, scratchFolder),

    async *reports() {
      for (const first of await readdir(folder)) {
        if (first.length === 2) yield* await readdir(join(folder, first));
      }
    },

    async backup(reports, to, signal) {
      const id = await readIdentity(folder);
      if (id !== undefined) await identifyFolder(resultsFolder(to), id);
      // Files never change, so it does not matter when each is copied; those of a report that expires meanwhile are
      // omitted.
      for (const { guid, attempt } of reports) {
        signal.throwIfAborted();
        const place = attemptPlace(guid, attempt);
        await copyAttempt(join(folder, place), join(resultsFolder(to), place));
      }
    },

    identity: () => readIdentity(folder),
    identify: (id) => identifyFolder(folder, id),

    async sweep() {
      await rm(scratchFolder, { recursive: true, force: true });
      await makeFolder(scratchFolder, folder);
    },

    async ping() {
      const path = join(scratchFolder, `ping-${randomUUID()}`);
      try {
        await writeFile(path, 'ping', { mode: 0o600 });
      } finally {
        // On a full disk the file can be created but not written.
        await rm(path, { force: true });
      }
    },
  };
}
