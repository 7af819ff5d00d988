/**
 * The facts of a load before they are merged: NDJSON in memory while it is short, otherwise in files in a folder of its
 * own.
 */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadKind, Spool } from '../facts/load.ts';
import { ORDER_PARTS, type OrderPart } from '../facts/order.ts';
import { makeFolder } from '../storage/folders.ts';

/** Facts are written once this much has been collected: few writes, little memory. */
const WRITE_BYTES = 512 * 1024;
/**
 * Lines are joined up to this length before they are encoded. A text of 512 kB that was appended to line by line took
 * 0.3 µs more of each line, because its pieces were moved by several garbage collections before they were joined.
 */
const JOINED_CHARACTERS = 8 * 1024;
const FIRST_BYTES = 64 * 1024;
/**
 * A load up to this size, some 100 orders, creates no files. A folder with files took 0.5 ms, and the engine merges
 * loads in memory together with others; from some 200 orders on, statements over files are faster.
 */
const SMALL_CHARACTERS = 256 * 1024;

interface LineFile {
  name: string;
  /** The last lines; those before them are in the first `used` bytes of `buffer`, those before these in the file. */
  joined: string;
  buffer: Buffer;
  used: number;
  /** How many were added. */
  characters: number;
}

const emptyFile = (name: string): LineFile => ({
  name: `${name}.ndjson`,
  joined: '',
  buffer: Buffer.alloc(0),
  used: 0,
  characters: 0,
});

export interface SpoolWriter {
  /** Adds an order, a time entry or a settlement, as JSON. */
  record(fact: string): void;
  /** Adds a row of a part of the order, as JSON. */
  part(part: OrderPart, fact: string): void;
  /** Writes what has been collected if it is long enough; await it before adding more. */
  drain(): Promise<void>;
  /** What was added, ready for the facts to read: in closed files, or in memory. */
  finish(): Promise<Spool>;
  /** Removes what was written, finished or not. */
  remove(): Promise<void>;
}

/** Opens the spool of one load; its folder, if required, is created in `parent`. */
export function openSpool(parent: string, kind: LoadKind): SpoolWriter {
  const records = emptyFile(kind);
  const parts = new Map(ORDER_PARTS.map((part): [OrderPart, LineFile] => [part, emptyFile(part)]));
  const files = kind === 'orders' ? [records, ...parts.values()] : [records];
  const handles = new Map<LineFile, FileHandle>();
  let folder: string | undefined;
  let bytes = 0;

  async function openFiles(): Promise<string> {
    if (folder !== undefined) return folder;
    await makeFolder(parent, dirname(parent));
    folder = await mkdtemp(join(parent, 'load-'));
    for (const file of files) handles.set(file, await open(join(folder, file.name), 'wx', 0o600));
    return folder;
  }
  async function write(file: LineFile): Promise<void> {
    encode(file);
    if (file.used === 0) return;
    const lines = file.buffer.subarray(0, file.used);
    file.used = 0;
    bytes += lines.length;
    await handles.get(file)?.appendFile(lines);
  }
  async function close(): Promise<void> {
    const opened = [...handles.values()];
    handles.clear();
    for (const handle of opened) await handle.close();
  }
  return {
    record: (fact) => add(records, fact),
    part: (part, fact) => add(parts.get(part), fact),
    async drain() {
      for (const file of files) {
        if (file.used < WRITE_BYTES) continue;
        await openFiles();
        await write(file);
      }
    },
    async finish() {
      const characters = files.reduce((sum, file) => sum + file.characters, 0);
      if (folder === undefined && characters <= SMALL_CHARACTERS) {
        const lines = [...parts].map(([part, file]) => [part, lineText(file)]);
        return { kind, records: lineText(records), parts: kind === 'orders' ? Object.fromEntries(lines) : {} };
      }
      const made = await openFiles();
      for (const file of files) await write(file);
      await close();
      return { kind, folder: made, bytes };
    },
    async remove() {
      await close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Removes a spool's files. */
export async function removeSpool(spool: Spool): Promise<void> {
  if ('folder' in spool) await rm(spool.folder, { recursive: true, force: true });
}

function add(file: LineFile | undefined, fact: string): void {
  if (!file) return;
  file.joined += `${fact}\n`;
  file.characters += fact.length + 1;
  if (file.joined.length >= JOINED_CHARACTERS) encode(file);
}

/** Moves the joined lines into the buffer. */
function encode(file: LineFile): void {
  // A UTF-16 code unit takes at most three bytes.
  const most = file.used + file.joined.length * 3;
  if (most > file.buffer.length) {
    const larger = Buffer.allocUnsafe(Math.max(most, file.buffer.length * 2, FIRST_BYTES));
    file.buffer.copy(larger, 0, 0, file.used);
    file.buffer = larger;
  }
  file.used += file.buffer.write(file.joined, file.used);
  file.joined = '';
}

const lineText = ({ buffer, used, joined }: LineFile): string => buffer.toString('utf8', 0, used) + joined;
