/** The facts of a load before they are merged: NDJSON in memory while it is short, otherwise in files in a folder of its own. */
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadKind, Spool } from '../facts/load.ts';
import { ORDER_PARTS, type OrderPart } from '../facts/order.ts';

/** Facts are written once this much has been collected: few writes, little memory. */
const WRITE_CHARACTERS = 512 * 1024;
/**
 * A load up to this size, some 100 orders, creates no files. A folder with files took 0.5 ms, and the engine merges
 * loads in memory together with others; from some 200 orders on, statements over files are faster.
 */
const SMALL_CHARACTERS = 256 * 1024;

interface LineFile {
  name: string;
  pending: string;
}

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
  const records: LineFile = { name: `${kind}.ndjson`, pending: '' };
  const parts = new Map(
    ORDER_PARTS.map((part): [OrderPart, LineFile] => [part, { name: `${part}.ndjson`, pending: '' }]),
  );
  const files = kind === 'orders' ? [records, ...parts.values()] : [records];
  const handles = new Map<LineFile, FileHandle>();
  let folder: string | undefined;
  let bytes = 0;

  async function openFiles(): Promise<string> {
    if (folder !== undefined) return folder;
    await mkdir(parent, { recursive: true, mode: 0o700 });
    folder = await mkdtemp(join(parent, 'load-'));
    for (const file of files) handles.set(file, await open(join(folder, file.name), 'wx', 0o600));
    return folder;
  }
  async function write(file: LineFile): Promise<void> {
    const { pending } = file;
    file.pending = '';
    if (pending === '') return;
    const lines = Buffer.from(pending);
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
        if (file.pending.length < WRITE_CHARACTERS) continue;
        await openFiles();
        await write(file);
      }
    },
    async finish() {
      const characters = files.reduce((sum, { pending }) => sum + pending.length, 0);
      if (folder === undefined && characters <= SMALL_CHARACTERS) {
        const lines = [...parts].map(([part, { pending }]) => [part, pending]);
        return { kind, records: records.pending, parts: kind === 'orders' ? Object.fromEntries(lines) : {} };
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
  if (file) file.pending += `${fact}\n`;
}
