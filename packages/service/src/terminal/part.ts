/** A file while it is written: beside its place as FILE.part, with what it is of in FILE.part.json, there at once when whole. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { UsageError } from '../config.ts';
import { Ending, EXIT } from './endings.ts';

/** What is remembered of a file that was begun. */
export interface Memory {
  guid?: string | undefined;
  /** The strong ETag of the bytes; without, they cannot be gone on with. */
  etag?: string | undefined;
  /** Of a span in parts: where to go on, and how many bytes were whole then. */
  cursor?: string | undefined;
  bytes?: number | undefined;
}

export interface Part {
  /** What an earlier run of the same command left. */
  memory: Memory;
  /** Bytes that are there. */
  size(): number;
  remember(memory: Memory): Promise<void>;
  append(bytes: Uint8Array): Promise<void>;
  /** Cuts it to a length. */
  cut(length: number): Promise<void>;
  /** SHA-256 of what is there, in base64. */
  digest(): Promise<string>;
  /** On disk first, then under its name. */
  publish(): Promise<void>;
  /** Forgets all of it. */
  discard(): Promise<void>;
  /** Leaves it for a later run, or nothing where nothing was begun. */
  leave(): Promise<void>;
}

/** `what` says which command it is of. Throws Ending where the file is there and may not be replaced. */
export async function openPart(file: string, what: string, force: boolean): Promise<Part> {
  const [partFile, memoryFile] = [`${file}.part`, `${file}.part.json`];
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(`--output ${file} is a folder`);
  if (there && !force) throw new Ending(EXIT.failed, `${file} is there already`, 'Replace it with --force.');
  const left = await readMemory(memoryFile, what);
  const handle = await openFile(partFile, left !== undefined);
  let size = (await handle.stat()).size;
  const memory = left ?? {};
  const discard = async (): Promise<void> => {
    await handle.close();
    await Promise.all([partFile, memoryFile].map((path) => rm(path, { force: true })));
  };

  return {
    memory,
    size: () => size,
    async remember(next) {
      Object.assign(memory, next);
      await writeFile(`${memoryFile}.new`, JSON.stringify({ what, ...memory }), { mode: 0o600 });
      await rename(`${memoryFile}.new`, memoryFile);
    },
    async append(bytes) {
      await handle.write(bytes, 0, bytes.length, size);
      size += bytes.length;
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
      await handle.sync();
      await handle.close();
      await rename(partFile, file);
      await rm(memoryFile, { force: true });
    },
    discard,
    leave: () => (memory.guid === undefined && memory.cursor === undefined ? discard() : handle.close()),
  };
}

async function openFile(path: string, goOn: boolean): Promise<FileHandle> {
  try {
    return await open(path, goOn ? 'r+' : 'w');
  } catch (error) {
    if (goOn && (error as NodeJS.ErrnoException).code === 'ENOENT') return await openFile(path, false);
    throw new Ending(EXIT.failed, `${path} cannot be written: ${(error as Error).message}`);
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
