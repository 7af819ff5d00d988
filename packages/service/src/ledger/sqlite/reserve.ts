/**
 * Room on the disk that is kept for the steps that free space. To discard a report is to write to the ledger first, so on
 * a full disk nothing could be discarded.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** Eight steps, each of which writes some 30 kB at most: others may take what one has freed before it is used. */
const RESERVE_BYTES = 2 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

export interface Reserve {
  /** Gives a piece of it back to the disk. False when there is none left. */
  release(): Promise<boolean>;
  /** Takes what is missing from the disk again, as far as there is room. Never throws. */
  refill(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the reserve, making it as large as the disk allows. Throws when there can be no file. */
export async function openReserve(path: string): Promise<Reserve> {
  const file: FileHandle = await open(path, 'a+', 0o600);
  let bytes = (await file.stat()).size;
  /** One after the other: a piece must not be given back while it is being written. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  async function refill(): Promise<void> {
    try {
      while (bytes < RESERVE_BYTES) {
        // Not zeros: a file system that compresses would keep no room for them.
        await file.appendFile(randomBytes(PIECE_BYTES));
        bytes += PIECE_BYTES;
      }
    } catch {
      // Part of a piece may be there.
      await file.truncate(bytes).catch(() => undefined);
    }
  }
  const reserve: Reserve = {
    release: () =>
      inTurn(async () => {
        if (bytes === 0) return false;
        bytes = Math.max(0, bytes - PIECE_BYTES);
        await file.truncate(bytes);
        return true;
      }),
    refill: () => inTurn(refill),
    close: () => inTurn(() => file.close()),
  };
  await reserve.refill();
  return reserve;
}
