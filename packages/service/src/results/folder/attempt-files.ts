/**
 * The files of report attempts in a folder: `<folder>/<first two>/<guid>/<attempt>/<key>`, where a key is
 * `<random>-<name>`.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { hashFile, hashOpenFile } from '../../files/hash.ts';
import { sync } from '../../files/sync.ts';
import type { KeptForm, ReportForm } from '../../ledger/form.ts';
import { copyFile } from '../copy.ts';
import type { NewContent, NewFile, ResultFiles, ScratchFile } from '../results.ts';
import { createSound } from './sound.ts';

/** Whether the error says that a file or folder does not exist. */
export const missing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const reportPlace = (guid: string): string => join(guid.slice(0, 2), guid);
/** The folder of an attempt, relative to a folder of results. */
export const attemptPlace = (guid: string, attempt: number): string => join(reportPlace(guid), String(attempt));

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Not recursive: that would make a data folder that was removed. */
async function makeOne(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

/**
 * Makes a folder in `parent`, and `parent` if it is missing; returns whether it was. A call that fails because the
 * folder exists takes as long as one that makes it, so `parent` is not tried first.
 */
async function makeBelow(parent: string, path: string): Promise<boolean> {
  try {
    await makeOne(path);
    return false;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await makeOne(parent);
  await makeOne(path);
  return true;
}

/**
 * A version that stored no rows for forms kept a file under its plain name, and its digest, in base64, under this one.
 */
const olderDigest = (path: string): Promise<string | undefined> =>
  readFile(`${path}.sha256`, 'utf8').catch((error) => {
    if (missing(error)) return undefined;
    throw error;
  });

/** Reports are usually retrieved as soon as they are complete, so the last small files are kept in memory, in bytes. */
const RECENT_BYTES = 4 * 1024 * 1024;
const MOST_RECENT_BYTES = 64 * 1024;

type Placed = Pick<KeptForm, 'bytes' | 'sha256'>;

/** Puts new files in their places, and reads them: the last small ones from memory. */
function createPlaces(sound: ReturnType<typeof createSound>) {
  /** By path. */
  const recent = new LRUCache<string, Buffer>({
    maxSize: RECENT_BYTES,
    maxEntrySize: MOST_RECENT_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  });

  /** Moves a scratch file to its place; its digest is computed while it is flushed. */
  async function move({ scratch, sha256: known, digest }: ScratchFile, path: string): Promise<Placed> {
    await rename(scratch, path);
    const file = await open(path, 'r');
    try {
      const [sha256] = await Promise.all([
        known ?? (digest ? hashOpenFile(file, 'base64').then((hashed) => hashed.sha256) : null),
        file.sync(),
      ]);
      return { bytes: await sound.trust(path, file), sha256 };
    } finally {
      await file.close();
    }
  }

  async function write({ content }: NewContent, path: string): Promise<Placed> {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
      recent.set(path, content);
      return { bytes: await sound.trust(path, file), sha256: createHash('sha256').update(content).digest('base64') };
    } finally {
      await file.close();
    }
  }

  async function place(target: string, file: NewFile): Promise<KeptForm> {
    const key = `${randomBytes(6).toString('hex')}-${file.name}`;
    const path = join(target, key);
    try {
      return { name: file.name, key, ...(await ('content' in file ? write(file, path) : move(file, path))) };
    } catch (error) {
      // No row will name it, and it may be what fills the disk.
      await rm(path, { force: true });
      throw error;
    }
  }

  return { place, read: async (path: string) => recent.get(path) ?? (await readFile(path)) };
}

/** The files below `folder`, which are first written in `scratchFolder`. */
export function attemptFiles(folder: string, scratchFolder: string): ResultFiles {
  const attemptFolder = (guid: string, attempt: number): string => join(folder, attemptPlace(guid, attempt));
  const pathOf = ({ guid, attempt, key }: ReportForm): string => join(attemptFolder(guid, attempt), key);
  const sound = createSound();
  /** Folders whose entry in `folder` was flushed: only the first report in each of them adds one. */
  const durable = new Set<string>();

  const { place, read } = createPlaces(sound);

  return {
    async scratch(name) {
      return join(scratchFolder, `${randomUUID()}-${name}`);
    },

    async keep(guid, attempt, files) {
      const [first, ofReport] = [join(folder, guid.slice(0, 2)), join(folder, reportPlace(guid))];
      const target = attemptFolder(guid, attempt);
      const isFirst = await makeBelow(first, ofReport);
      await makeOne(target);
      const moved = await Promise.all(files.map((file) => place(target, file)));
      // A file survives a power failure only if every folder on its path is flushed. Together they take
      // one commit of the file system; one after the other they took 30 ms of a report.
      await Promise.all([target, ofReport, first, ...(isFirst || !durable.has(first) ? [folder] : [])].map(sync));
      durable.add(first);
      return moved;
    },

    async open(form) {
      const path = pathOf(form);
      const found = await sound.check(path, form.sha256);
      if (typeof found !== 'number') return found;
      return {
        bytes: found,
        key: form.key,
        copy: (to, range, onOpen) => copyFile(path, to, range ?? { start: 0, end: found - 1 }, onOpen),
        read: () => read(path),
      };
    },

    async local(form) {
      return pathOf(form);
    },

    async discard(forms) {
      await Promise.all(forms.map((form) => rm(pathOf(form), { force: true })));
      // Removes empty folders of failed attempts; a folder that is not empty stays.
      const folders = new Set(forms.map(({ guid, attempt }) => attemptFolder(guid, attempt)));
      await Promise.all([...folders].map((path) => rmdir(path).catch(() => undefined)));
    },

    async remove(guid) {
      // Another form may be added meanwhile.
      await rm(join(folder, reportPlace(guid)), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },

    async older(guid, attempt, name, digest) {
      const path = join(attemptFolder(guid, attempt), name);
      try {
        const known = digest ?? (await olderDigest(path));
        const { bytes, sha256 } = await hashFile(path, 'base64');
        if (known !== undefined && known !== sha256) return undefined;
        return { form: { name, key: name, bytes, sha256 }, isKnown: known !== undefined };
      } catch (error) {
        if (missing(error) || codeOf(error) === 'EIO') return undefined;
        throw error;
      }
    },
  };
}
