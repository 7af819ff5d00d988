/**
 * A sum of each page of the ledger's main file, so that a byte that a disk or a hand has changed is found: `pragma
 * quick_check` found 6 % of such bytes, `integrity_check` 30 %. The file changes only when a checkpoint copies pages of
 * the write-ahead log into it, and while a service runs, only its writing thread does that. Between two runs the sums
 * are in a file of their own, which a command that opens the ledger removes: what it writes has no sums.
 */
import { fstatSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { damaged } from '../../storage/folder-fault.ts';

/** SQLite's own number: a longer log makes reads slower. */
const CHECKPOINT_PAGES = 1000;
/** Commits between two looks at the length of the log. */
const COMMITS = 16;
/** Pages that are compared at a time, 1 MiB: a millisecond in which nothing is written. */
const PAGES_AT_A_TIME = 256;
const NEXT_MS = 1000;
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

export interface PageSums {
  /** Call it after each commit. */
  committed(): void;
  /** Call it before the whole file is rewritten: its sums are computed again. */
  forget(): void;
  /** Copies all of the log into the file and keeps the sums for the next run. */
  close(): void;
}

interface Log {
  /** Differs after the log has begun again. */
  salt: string;
  pages: Set<number>;
}

const sumsFile = (file: string): string => file.replace(/sqlite$/, 'sums');

/** Forgets the sums between two runs. */
export const forgetSums = (file: string): void => rmSync(sumsFile(file), { force: true });

/** The pages in the log, up to a number of frames. */
function readLog(file: string, pageBytes: number, frames: number): Log {
  const log = readFileSync(`${file}-wal`);
  const pages = new Set<number>();
  for (let frame = 0; frame < frames; frame++) {
    const at = WAL_HEADER_BYTES + frame * (FRAME_HEADER_BYTES + pageBytes);
    if (at + FRAME_HEADER_BYTES <= log.length) pages.add(log.readUInt32BE(at));
  }
  return { salt: log.toString('hex', 16, 24), pages };
}

/** The sums that the last run kept, if they belong to this state of the ledger. */
function readSums(file: string, epoch: string): (number | undefined)[] {
  try {
    const { epoch: kept, sums, sum } = JSON.parse(readFileSync(sumsFile(file), 'utf8'));
    return kept === epoch && crc32(JSON.stringify(sums)) === sum ? sums : [];
  } catch {
    return []; // none, or written halfway
  }
}

/** The sums of an open ledger. */
function createSums(db: DatabaseSync, file: string, fd: number) {
  const one = (sql: string): Record<string, unknown> => db.prepare(sql).get() ?? {};
  const pageBytes = Number(one('pragma page_size').page_size);
  const epoch = (): string => String(one('select max(epoch) as epoch from identity').epoch);
  const sums = readSums(file, epoch());
  const page = Buffer.alloc(pageBytes);
  let next = 0;
  /** Whether there are sums that were not kept. */
  let isNew = false;
  let keptEpoch = '';

  const sumOf = (index: number): number | undefined =>
    readSync(fd, page, 0, pageBytes, index * pageBytes) === pageBytes ? crc32(page) : undefined;

  function keep(): void {
    keptEpoch = epoch();
    const text = JSON.stringify({ epoch: keptEpoch, sums, sum: crc32(JSON.stringify(sums)) });
    try {
      writeFileSync(`${sumsFile(file)}.new`, text, { mode: 0o600 });
      renameSync(`${sumsFile(file)}.new`, sumsFile(file));
    } catch {
      // On a full disk the next run begins without.
      forgetSums(file);
    }
  }

  function checkpoint(): void {
    const { log } = one('pragma wal_checkpoint(noop)');
    if (!(Number(log) > 0)) return;
    const before = readLog(file, pageBytes, Number(log));
    // A kill, or a disk that is full, between the copying and the new sums must not look like damage.
    forgetSums(file);
    for (const number of before.pages) sums[number - 1] = undefined;
    const { log: copied } = one('pragma wal_checkpoint(passive)');
    const after = readLog(file, pageBytes, Number(copied));
    // A command has written meanwhile, and its pages are not known any more.
    if (after.salt !== before.salt) sums.length = 0;
    for (const number of [...before.pages, ...after.pages]) sums[number - 1] = sumOf(number - 1);
    keep();
  }

  /** Compares some pages, from where the last call ended. Returns whether that was the last of them. */
  function compareSome(): boolean {
    const pages = Math.floor(fstatSync(fd).size / pageBytes);
    for (const end = Math.min(next + PAGES_AT_A_TIME, pages); next < end; next++) {
      const [was, now] = [sums[next], sumOf(next)];
      if (was != null && was !== now) throw new Error(`page ${next + 1} has other bytes than were written`);
      isNew ||= was == null;
      sums[next] = now;
    }
    if (next < pages) return false;
    next = 0;
    if (isNew || keptEpoch !== epoch()) keep();
    isNew = false;
    return true;
  }

  function forget(): void {
    forgetSums(file);
    sums.length = 0;
    next = 0;
    keptEpoch = '';
  }

  const look = db.prepare('pragma wal_checkpoint(noop)');
  return { checkpoint, compareSome, forget, logPages: () => Number(look.get()?.log) };
}

/**
 * Takes over the checkpoints of a ledger, and compares its pages with their sums: all of them at once at the start,
 * then some every second.
 * `onDamage` is called once. `fd` is the file, opened by a caller who closes it after all connections of the process:
 * closing it drops their locks.
 */
export function openPageSums(
  db: DatabaseSync,
  { file, fd }: { file: string; fd: number },
  onDamage: (error: Error) => void,
): PageSums {
  const sums = createSums(db, file, fd);
  let commits = 0;
  let isFirst = true;
  function compare(): void {
    try {
      if (sums.compareSome()) isFirst = false;
      timer = setTimeout(compare, isFirst ? 0 : NEXT_MS).unref();
    } catch (error) {
      onDamage(damaged(file, error as Error));
    }
  }

  /** What it cannot copy, on a full disk, stays in the log. */
  function tryCheckpoint(): void {
    try {
      sums.checkpoint();
    } catch {}
  }

  let timer = setTimeout(compare, 0).unref();
  return {
    committed() {
      if (++commits % COMMITS !== 0) return;
      if (sums.logPages() >= CHECKPOINT_PAGES) tryCheckpoint();
    },
    forget: sums.forget,
    close() {
      clearTimeout(timer);
      tryCheckpoint();
    },
  };
}
