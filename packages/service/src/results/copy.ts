/** Copies a file to a socket at the pace of the reader. */
import { read } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/**
 * Two buffers of this size to a fast reader, used in turns: one is read while the other is written. A stream of 1 MB
 * buffers takes new ones for every piece, which cost half of its speed, and 50 slow readers of it held 167 MB.
 */
const FAST_BYTES = 256 * 1024;
/**
 * So many readers have them at a time, 8 MB together, which are kept for the next: a thousand readers that had stopped
 * reading held 512 MB.
 */
const MOST_FAST = 16;
/** One buffer of this size to every other reader: while nobody takes it, this is all that is held. */
const SLOW_BYTES = 16 * 1024;
/** A reader that takes longer than this for a piece is slow. */
const SLOW_MS = 250;
/** Pieces that a slow reader takes quickly before it counts as fast. */
const QUICK_PIECES = 8;

const READER_GONE = 'the reader disconnected';
const FILE_SHORTER = 'the file is shorter than it was';

interface Copy {
  file: FileHandle;
  to: Writable;
  position: number;
  /** Counted. */
  end: number;
  /** The buffer of a slow reader. */
  buffer: Buffer | undefined;
}

/** Resolves when the piece has left for the system, so that its buffer may be used again. Rejects when the reader is gone. */
export function writePiece(to: Writable, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error(READER_GONE));
    to.once('close', onClose);
    to.write(piece, (error) => {
      to.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function fill({ file, end }: Copy, buffer: Buffer, position: number): Promise<Buffer> {
  const wanted = Math.min(buffer.length, end + 1 - position);
  if (wanted <= 0) return buffer.subarray(0, 0);
  const { bytesRead } = await file.read(buffer, 0, wanted, position);
  if (bytesRead === 0) throw new Error(FILE_SHORTER);
  return buffer.subarray(0, bytesRead);
}

/** Writes a piece and moves on; answers whether the reader took it quickly. */
async function send(copy: Copy, piece: Buffer): Promise<boolean> {
  if (copy.to.destroyed) throw new Error(READER_GONE);
  const began = performance.now();
  await writePiece(copy.to, piece);
  copy.position += piece.length;
  return performance.now() - began < SLOW_MS;
}

let fast = 0;
const spare: [Buffer, Buffer][] = [];
const newPair = (): [Buffer, Buffer] => [Buffer.allocUnsafeSlow(FAST_BYTES), Buffer.allocUnsafeSlow(FAST_BYTES)];

/** Copies to the end, or until the reader is slow. */
async function copyFast(copy: Copy): Promise<void> {
  fast++;
  const pair = spare.pop() ?? newPair();
  let isIdle = false;
  try {
    let [current, other] = pair;
    let piece = await fill(copy, current, copy.position);
    while (piece.length > 0) {
      const [quick, next] = await Promise.all([send(copy, piece), fill(copy, other, copy.position + piece.length)]);
      if (!quick) break;
      [current, other] = [other, current];
      piece = next;
    }
    isIdle = true;
  } finally {
    fast--;
    // After a failure a write or a read may still be at it.
    if (isIdle) spare.push(pair);
  }
}

/**
 * Copies to the end, or until the reader is fast and there is room for it. With callbacks and one listener for all pieces: as an async
 * function each piece left 3 kB of garbage, and 1,000 readers that stopped reading cost 140 kB each until a collection.
 */
function copySlowly(copy: Copy): Promise<void> {
  const { file, to, end } = copy;
  const buffer = copy.buffer ?? Buffer.allocUnsafeSlow(SLOW_BYTES);
  copy.buffer = buffer;
  return new Promise((resolve, reject) => {
    let [quick, length, began] = [0, 0, 0];
    let isReading = false;

    function finish(error?: Error | null): void {
      to.off('close', onClose);
      if (error) reject(error);
      else resolve();
    }
    // The file is not closed while it is being read: its descriptor could be another file's by then.
    const onClose = (): void => {
      if (!isReading) finish(new Error(READER_GONE));
    };
    function onRead(error: Error | null, bytesRead: number): void {
      isReading = false;
      if (error) finish(error);
      else if (bytesRead === 0) finish(new Error(FILE_SHORTER));
      else if (to.destroyed) finish(new Error(READER_GONE));
      else {
        length = bytesRead;
        began = performance.now();
        to.write(length === buffer.length ? buffer : buffer.subarray(0, length), onWritten);
      }
    }
    function onWritten(error?: Error | null): void {
      copy.position += length;
      quick = performance.now() - began < SLOW_MS ? quick + 1 : 0;
      const isFast = quick >= QUICK_PIECES && fast < MOST_FAST;
      if (error) finish(error);
      else if (copy.position > end || isFast) finish();
      else if (to.destroyed) finish(new Error(READER_GONE));
      else next();
    }
    function next(): void {
      isReading = true;
      read(file.fd, buffer, 0, Math.min(buffer.length, end + 1 - copy.position), copy.position, onRead);
    }
    to.once('close', onClose);
    next();
  });
}

/** Writes the bytes from `start` to `end`, both counted; `onOpen` is called before the first. `to` is not ended. Throws when either side fails. */
export async function copyFile(
  path: string,
  to: Writable,
  { start, end }: { start: number; end: number },
  onOpen?: () => void,
): Promise<void> {
  const file = await open(path, 'r');
  const copy: Copy = { file, to, position: start, end, buffer: undefined };
  try {
    onOpen?.();
    while (copy.position <= end) await (fast < MOST_FAST ? copyFast(copy) : copySlowly(copy));
  } finally {
    await file.close();
  }
}
