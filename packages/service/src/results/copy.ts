/** Copies a file to a socket at the reader's pace. */
import { read } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/**
 * A fast reader gets two buffers of this size: one is read while the other is written. A stream with 1 MB
 * buffers allocates new ones for every piece, which halved its speed, and 50 slow readers of it held 167 MB.
 */
const FAST_BYTES = 256 * 1024;
/**
 * At most this many readers have them at a time, 8 MB in total, which are reused: a thousand readers that had stopped
 * reading held 512 MB.
 */
const MOST_FAST = 16;
/** Every other reader gets one buffer of this size; while the reader is stalled, this is all the memory in use. */
const SLOW_BYTES = 16 * 1024;
/** A reader that takes longer than this for a piece is slow. */
const SLOW_MS = 250;
/** How many pieces in a row a slow reader must take quickly before it counts as fast. */
const QUICK_PIECES = 8;

const READER_GONE = 'the reader disconnected';
const FILE_SHORTER = 'the file is shorter than it was';

interface Copy {
  file: FileHandle;
  to: Writable;
  position: number;
  /** Inclusive. */
  end: number;
  /** The buffer of a slow reader. */
  buffer: Buffer | undefined;
}

/**
 * Resolves when the piece was handed to the system, so that its buffer can be reused. Rejects when the reader has
 * disconnected.
 */
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

/** Writes a piece and advances; returns whether the reader took it quickly. */
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
    // After a failure, a write or read may still be using the buffers.
    if (isIdle) spare.push(pair);
  }
}

/**
 * Copies to the end, or until the reader is fast and buffers are available. Uses callbacks and one listener for all
 * pieces: as an async function each piece left 3 kB of garbage, and 1,000 stalled readers took 140 kB each until a
 * collection.
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

/**
 * Writes the bytes from `start` to `end`, inclusive; `onOpen` is called before the first. Does not end `to`. Throws if
 * either side fails.
 */
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
