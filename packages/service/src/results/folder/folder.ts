/** Results in a local folder: `<folder>/<first two>/<guid>/<attempt>/<name>`, scratch files beside them in `scratch/`. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile as copyPlain,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from '../../files/sync.ts';
import type { ResultFile, Results } from '../results.ts';
import { copyFile } from './copy.ts';
import { IDENTITY, resultsFolder, SCRATCH } from './place.ts';

const missing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Writes the id into a folder of results, at once or not at all. */
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

/** Copies the files of an attempt; nothing where there are none, or no longer. */
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
      await copyPlain(join(source, name), join(target, name), constants.COPYFILE_FICLONE);
    } catch (error) {
      // The report expired while it was copied: whether the file is gone or the folder it goes to, tell them apart.
      if (!missing(error) || (await exists(join(source, name)))) throw error;
    }
  }
}

/** Opens the results of a data folder, making it when it is not there. */
export async function openFolderResults(folder: string): Promise<Results> {
  const scratchFolder = join(folder, SCRATCH);
  const reportFolder = (guid: string): string => join(folder, guid.slice(0, 2), guid);
  const attemptFolder = (guid: string, attempt: number): string => join(reportFolder(guid), String(attempt));
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 });

  return {
    async scratch(name) {
      return join(scratchFolder, `${randomUUID()}-${name}`);
    },

    async keep(guid, attempt, name, scratch) {
      const target = attemptFolder(guid, attempt);
      await mkdir(target, { recursive: true, mode: 0o700 });
      try {
        // A hard link, not a rename: it fails when the name is taken, so what was once read is never replaced.
        await link(scratch, join(target, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      await unlink(scratch);
      return { bytes: (await stat(join(target, name))).size };
    },

    async settle(guid, attempt, names) {
      const target = attemptFolder(guid, attempt);
      const files = names.map((name) => join(target, name));
      // A file is found after a power cut only when every folder on the way to it is on disk. All at once, the system
      // makes one commit of them: one after the other, these took 30 ms of a report.
      await Promise.all([...files, target, reportFolder(guid), join(folder, guid.slice(0, 2)), folder].map(sync));
    },

    async open(guid, attempt, name): Promise<ResultFile | undefined> {
      const path = join(attemptFolder(guid, attempt), name);
      try {
        const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
        return {
          bytes: Number(size),
          madeAt: String(mtimeNs),
          version: [size, mtimeNs, ctimeNs, ino].join('/'),
          copy: (to, range) => copyFile(path, to, range ?? { start: 0, end: Number(size) - 1 }),
          read: () => readFile(path),
        };
      } catch (error) {
        if (missing(error)) return undefined;
        throw error;
      }
    },

    async local(guid, attempt, name) {
      return join(attemptFolder(guid, attempt), name);
    },

    async discard(guid, attempt, names) {
      await Promise.all(names.map((name) => rm(join(attemptFolder(guid, attempt), name), { force: true })));
    },

    async remove(guid, attempt) {
      const path = attempt === undefined ? reportFolder(guid) : attemptFolder(guid, attempt);
      // A digest that is written in the background may come in between.
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },

    async *reports() {
      for (const first of await readdir(folder)) {
        if (first.length === 2) yield* await readdir(join(folder, first));
      }
    },

    async backup(reports, to, signal) {
      const id = await readIdentity(folder);
      if (id !== undefined) await identifyFolder(resultsFolder(to), id);
      // They never change, so it does not matter when each is copied; one that expires meanwhile is left out.
      for (const { guid, attempt } of reports) {
        signal.throwIfAborted();
        const inside = join(guid.slice(0, 2), guid, String(attempt));
        await copyAttempt(join(folder, inside), join(resultsFolder(to), inside));
      }
    },

    identity: () => readIdentity(folder),
    identify: (id) => identifyFolder(folder, id),

    async sweep() {
      await rm(scratchFolder, { recursive: true, force: true });
      await mkdir(scratchFolder, { recursive: true, mode: 0o700 });
    },

    async ping() {
      const path = join(scratchFolder, `ping-${randomUUID()}`);
      try {
        await writeFile(path, 'ping', { mode: 0o600 });
      } finally {
        // On a full disk the file is made, and nothing can be written to it.
        await rm(path, { force: true });
      }
    },
  };
}
