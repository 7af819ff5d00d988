/**
 * Disk space reserved for the steps that free space or take access away. Discarding a report writes to the ledger
 * first, so on a full disk nothing could be discarded, and a client whose secret is known to others could not be
 * revoked.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { isDiskFull } from '../../storage/disk-fault.ts';

/**
 * Enough for eight steps that write at most some 30 kB each: other programs may use the freed space before the step
 * does.
 */
const RESERVE_BYTES = 2 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

export interface Reserve {
  /** Frees a piece of the reserve. False when none is left. */
  release(): Promise<boolean>;
  /** Frees all of it. False when none is left. */
  releaseAll(): Promise<boolean>;
  /** Fills the reserve again as far as the disk has room. Never throws. */
  refill(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the reserve as it is; `refill` makes it as large as the disk allows. Throws if the file cannot be created. */
export async function openReserve(path: string): Promise<Reserve> {
  const file: FileHandle = await open(path, 'a+', 0o600);
  /** A command may have used some of it meanwhile. */
  const size = async (): Promise<number> => (await file.stat()).size;
  /** Calls run one after the other: a piece must not be freed while it is being written. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  async function refill(): Promise<void> {
    let bytes = await size();
    try {
      while (bytes < RESERVE_BYTES) {
        // Random, not zeros: a file system that compresses would reserve no space for zeros.
        await file.appendFile(randomBytes(PIECE_BYTES));
        bytes += PIECE_BYTES;
      }
    } catch {
      // Part of a piece may have been written.
      await file.truncate(bytes).catch(() => undefined);
    }
  }
  const free = (most: number) =>
    inTurn(async () => {
      const bytes = await size();
      if (bytes === 0) return false;
      await file.truncate(Math.max(0, bytes - most));
      return true;
    });
  return {
    release: () => free(PIECE_BYTES),
    releaseAll: () => free(Number.POSITIVE_INFINITY),
    refill: () => inTurn(refill),
    close: () => inTurn(() => file.close()),
  };
}

/**
 * Does the work; if the disk is too full for it, frees the whole reserve and does it once more. The work must have
 * undone what it began when it throws. What is left of the space is reserved again.
 */
export async function withWholeReserve<T>(reserve: Reserve, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error) || !(await reserve.releaseAll())) throw error;
    return await work();
  } finally {
    await reserve.refill();
  }
}

/** Does the work; on a full disk it frees the pieces of the reserve one by one, retrying after each. */
export async function withPieces<T>(release: Reserve['release'], work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDiskFull(error) || !(await release())) throw error;
    }
  }
}
