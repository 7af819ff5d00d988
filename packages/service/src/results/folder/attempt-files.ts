/** The files of report attempts in a folder: `<folder>/<first two>/<guid>/<attempt>/<name>`. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from '../../files/sync.ts';
import type { ResultFile, ResultFiles } from '../results.ts';
import { copyFile } from './copy.ts';

/** Whether a file or folder is not there. */
export const missing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const reportPlace = (guid: string): string => join(guid.slice(0, 2), guid);
/** Where the files of an attempt are, within a folder of results. */
export const attemptPlace = (guid: string, attempt: number): string => join(reportPlace(guid), String(attempt));

/** The files below `folder`, which are first written in `scratchFolder`. */
export function attemptFiles(folder: string, scratchFolder: string): ResultFiles {
  const reportFolder = (guid: string): string => join(folder, reportPlace(guid));
  const attemptFolder = (guid: string, attempt: number): string => join(folder, attemptPlace(guid, attempt));

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
  };
}
