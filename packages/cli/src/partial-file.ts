/**
 * A file that is being written: FILE.part, with its state in FILE.part.json; it gets its name in one step when it is
 * complete.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CommandError, EXIT } from './command-error.ts';
import { UsageError } from './exit.ts';
import { lockFile } from './lock.ts';

/** What is stored about a partial file. */
export interface Memory {
  guid?: string | undefined;
  /** The strong ETag of the bytes; without it, the download cannot be resumed. */
  etag?: string | undefined;
  /** For a span in parts: where to resume, and how many bytes were complete then. */
  cursor?: string | undefined;
  bytes?: number | undefined;
}

export interface PartialFile {
  /** What an earlier run of the same command left. */
  memory: Memory;
  /** The number of bytes. */
  size(): number;
  remember(memory: Memory): Promise<void>;
  /** Appends all of the bytes. Throws CommandError if they do not fit on the disk. */
  append(bytes: Uint8Array): Promise<void>;
  /** Truncates it to a length. */
  cut(length: number): Promise<void>;
  /** SHA-256 of its bytes, base64. */
  digest(): Promise<string>;
  /**
   * Flushes it to disk, then gives it its name. Throws CommandError if a file that it may not replace was created
   * meanwhile.
   */
  publish(): Promise<void>;
  /** Deletes all of it. */
  discard(): Promise<void>;
  /** Leaves it for a later run; leaves nothing if nothing was written. */
  leave(): Promise<void>;
}

/**
 * `what` identifies the command. Throws CommandError if the file exists and may not be replaced, is not a regular file,
 * or another run is writing it.
 */
export async function openPart(named: string, what: string, force: boolean): Promise<PartialFile> {
  const file = await targetOf(named);
  const [partFile, memoryFile] = [`${file}.part`, `${file}.part.json`];
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(`--output ${named} is a folder`);
  if (there && !there.isFile())
    throw new CommandError(EXIT.failed, `${named} is no regular file`, 'Write to standard output with --output -.');
  if (there && !force) throw exists(named);
  const files = { named, file, partFile, memoryFile };
  const unlock = await lockFile(`${partFile}.lock`, named);
  try {
    const left = await readMemory(memoryFile, what);
    // That of another command goes before its bytes do: a run that is killed leaves nothing that the other would
    // resume.
    if (left === undefined) await rm(memoryFile, { force: true });
    const handle = await openFile(partFile, left !== undefined);
    // A file that only its owner could read stays private.
    if (there) await handle.chmod(there.mode & 0o777);
    const size = (await handle.stat()).size;
    return partOf({ files, handle, what, memory: left ?? {}, size, force, unlock });
  } catch (error) {
    await unlock();
    throw error;
  }
}

const exists = (named: string): CommandError =>
  new CommandError(EXIT.failed, `${named} already exists`, 'Replace it with --force.');

/** Gives a file a name that no other has. Throws the system's EEXIST if one has it. */
async function nameNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // Some file systems, FAT for example, have no second names.
    if (!/^(EPERM|ENOSYS|ENOTSUP|EOPNOTSUPP|EMLINK)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(from, to);
    return;
  }
  await rm(from, { force: true });
}

/** A partial file that is open and locked. */
interface OpenedPart {
  /** `named` is the file as the user calls it. */
  files: Record<'named' | 'file' | 'partFile' | 'memoryFile', string>;
  handle: FileHandle;
  what: string;
  memory: Memory;
  /** The number of bytes. */
  size: number;
  /** Whether it may replace a file. */
  force: boolean;
  unlock: () => Promise<void>;
}

function partOf({ files, handle, what, memory, force, unlock, ...opened }: OpenedPart): PartialFile {
  const { named, file, partFile, memoryFile } = files;
  let { size } = opened;
  const discard = async (): Promise<void> => {
    await handle.close();
    await Promise.all([partFile, memoryFile].map((path) => rm(path, { force: true })));
    await unlock();
  };
  const cannot = (error: unknown): CommandError =>
    new CommandError(
      EXIT.failed,
      `${partFile} cannot be written: ${(error as Error).message}`,
      'Free some space, then run the same command again.',
    );

  return {
    memory,
    size: () => size,
    async remember(next) {
      Object.assign(memory, next);
      await writeFile(`${memoryFile}.new`, JSON.stringify({ what, ...memory }), { mode: 0o600 });
      await rename(`${memoryFile}.new`, memoryFile);
    },
    async append(bytes) {
      // On a disk that is nearly full a write stores what fits, and only the next one fails.
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, size).catch((error: unknown) => {
          throw cannot(error);
        });
        if (bytesWritten === 0) throw cannot(new Error('the disk is full'));
        at += bytesWritten;
        size += bytesWritten;
      }
    },
    async cut(length) {
      await handle.truncate(length);
      size = length;
    },
    async digest() {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(partFile)) hash.update(chunk as Buffer);
      return hash.digest('base64');
    },
    async publish() {
      await handle.sync().catch((error: unknown) => {
        throw cannot(error);
      });
      await handle.close();
      await (force ? rename : nameNew)(partFile, file).catch(async (error) => {
        if (error.code === 'EEXIST') throw exists(named);
        throw error;
      });
      await Promise.all([partFile, memoryFile].map((path) => rm(path, { force: true })));
      await unlock();
    },
    discard,
    async leave() {
      if (memory.guid === undefined && memory.cursor === undefined) return await discard();
      await handle.close().catch(() => undefined);
      await unlock();
    },
  };
}

/** The target of a symbolic link, so that the link is preserved. */
async function targetOf(named: string): Promise<string> {
  const link = await lstat(named).catch(() => undefined);
  if (!link?.isSymbolicLink()) return named;
  // The target may not exist yet.
  return await realpath(named).catch(async () => resolve(dirname(named), await readlink(named)));
}

async function openFile(path: string, goOn: boolean): Promise<FileHandle> {
  try {
    return await open(path, goOn ? 'r+' : 'w');
  } catch (error) {
    if (goOn && (error as NodeJS.ErrnoException).code === 'ENOENT') return await openFile(path, false);
    throw new CommandError(EXIT.failed, `${path} cannot be written: ${(error as Error).message}`);
  }
}

async function readMemory(path: string, what: string): Promise<Memory | undefined> {
  try {
    const { what: of, ...memory } = JSON.parse(await readFile(path, 'utf8'));
    return of === what ? memory : undefined;
  } catch {
    return undefined;
  }
}
