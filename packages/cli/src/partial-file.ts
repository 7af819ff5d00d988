/** A file while it is written: beside its place as FILE.part, with what it is of in FILE.part.json, there at once when whole. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  type FileHandle,
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
import { lockFile } from './lock.ts';
import type { Reshape } from './reshape.ts';
import { UsageError } from './usage-error.ts';

/** What is remembered of a file that was begun. */
export interface Memory {
  guid?: string | undefined;
  /** The strong ETag of the bytes; without, they cannot be gone on with. */
  etag?: string | undefined;
  /** Of a span in parts: where to resume, and how many bytes were whole then. */
  cursor?: string | undefined;
  bytes?: number | undefined;
}

export interface PartialFile {
  /** What an earlier run of the same command left. */
  memory: Memory;
  /** Bytes that are there. */
  size(): number;
  remember(memory: Memory): Promise<void>;
  /** Adds all of the bytes. Throws CommandError where they do not fit. */
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts it to a length. */
  cut(length: number): Promise<void>;
  /** SHA-256 of what is there, in base64. */
  digest(): Promise<string>;
  /** On disk first, then under its name; `reshape` makes other text of what is there. */
  publish(reshape?: Reshape): Promise<void>;
  /** Forgets all of it. */
  discard(): Promise<void>;
  /** Leaves it for a later run, or nothing where nothing was begun. */
  leave(): Promise<void>;
}

/**
 * `what` says which command it is of. Throws CommandError where the file is there and may not be replaced, is no regular file, or
 * another run is writing it.
 */
export async function openPart(named: string, what: string, force: boolean): Promise<PartialFile> {
  const file = await targetOf(named);
  const [partFile, memoryFile, madeFile] = [`${file}.part`, `${file}.part.json`, `${file}.part.made`];
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(`--output ${named} is a folder`);
  if (there && !there.isFile())
    throw new CommandError(EXIT.failed, `${named} is no regular file`, 'Write to standard output with --output -.');
  if (there && !force) throw new CommandError(EXIT.failed, `${named} already exists`, 'Replace it with --force.');
  const files = { file, partFile, memoryFile, madeFile };
  const unlock = await lockFile(`${partFile}.lock`, named);
  try {
    const left = await readMemory(memoryFile, what);
    const handle = await openFile(partFile, left !== undefined);
    // What nobody else could read before is for nobody else afterwards.
    if (there) await handle.chmod(there.mode & 0o777);
    const size = (await handle.stat()).size;
    return partOf({ files, handle, what, memory: left ?? {}, size, mode: there?.mode, unlock });
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** A part that is open and locked. */
interface OpenedPart {
  files: Record<'file' | 'partFile' | 'memoryFile' | 'madeFile', string>;
  handle: FileHandle;
  what: string;
  memory: Memory;
  /** Bytes that are there. */
  size: number;
  /** Of the file that it replaces. */
  mode: number | undefined;
  unlock: () => Promise<void>;
}

function partOf({ files, handle, what, memory, mode, unlock, ...opened }: OpenedPart): PartialFile {
  const { file, partFile, memoryFile, madeFile } = files;
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
      // On a disk that is nearly full a write takes what fits, and only the next one fails.
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
    async publish(reshape) {
      await handle.sync().catch((error: unknown) => {
        throw cannot(error);
      });
      if (reshape)
        await rewrite(partFile, madeFile, reshape, mode).catch((error: unknown) => Promise.reject(cannot(error)));
      await handle.close();
      await rename(reshape ? madeFile : partFile, file);
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

/** Writes the text of `from`, reshaped, to `to`, which is on disk then. Leaves nothing where it fails; `from` stays as it is. */
async function rewrite(from: string, to: string, reshape: Reshape, mode: number | undefined): Promise<void> {
  const handle = await open(to, 'w');
  try {
    if (mode !== undefined) await handle.chmod(mode & 0o777);
    for await (const text of createReadStream(from, { encoding: 'utf8', highWaterMark: 1 << 20 }))
      await handle.appendFile(reshape.push(text as string));
    await handle.appendFile(reshape.end());
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(to, { force: true });
    throw error;
  }
}

/** The file that a symbolic link stands for, so that the link stays one. */
async function targetOf(named: string): Promise<string> {
  const link = await lstat(named).catch(() => undefined);
  if (!link?.isSymbolicLink()) return named;
  // What it points to may not be there yet.
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
