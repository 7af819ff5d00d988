/** The files through which a load reaches the facts: NDJSON in a folder of its own. */
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spool } from '../facts/facts.ts';

/** Facts are written once this much has come together: few writes, little memory. */
const WRITE_CHARACTERS = 512 * 1024;

interface LineFile {
  handle: FileHandle;
  pending: string;
}

export interface SpoolWriter {
  spool: Spool;
  order(fact: object): void;
  check(fact: object): void;
  shift(fact: object): void;
  /** Writes what has come together, where it is enough to be worth it; await it before adding more. */
  drain(): Promise<void>;
  /** Writes the rest and closes the files, ready for the facts to read. */
  finish(): Promise<void>;
  /** Removes the folder, finished or not. */
  remove(): Promise<void>;
}

/** Opens the files of one load in a fresh folder under `parent`. */
export async function openSpool(parent: string, kind: Spool['kind']): Promise<SpoolWriter> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'load-'));
  const files: LineFile[] = [];
  const openFile = async (name: string): Promise<LineFile> => {
    const file = { handle: await open(join(folder, name), 'wx'), pending: '' };
    files.push(file);
    return file;
  };
  const close = async (): Promise<void> => {
    for (const file of files.splice(0)) await file.handle.close();
  };
  const remove = async (): Promise<void> => {
    await close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const first = await openFile(`${kind}.ndjson`);
    const second = kind === 'orders' ? await openFile('checks.ndjson') : first;
    return {
      spool: { folder, kind },
      order: (fact) => add(first, fact),
      check: (fact) => add(second, fact),
      shift: (fact) => add(first, fact),
      async drain() {
        for (const file of files) if (file.pending.length >= WRITE_CHARACTERS) await write(file);
      },
      async finish() {
        for (const file of files) await write(file);
        await close();
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function add(file: LineFile, fact: object): void {
  file.pending += `${JSON.stringify(fact)}\n`;
}

async function write(file: LineFile): Promise<void> {
  const { pending } = file;
  file.pending = '';
  if (pending !== '') await file.handle.appendFile(pending);
}
