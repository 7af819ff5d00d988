/** Copies a file to a socket at the pace of the reader. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/**
 * Two buffers of this size to a reader, used in turns: one is read while the other is written. A stream of 1 MB buffers
 * takes new ones for every piece, which cost half of its speed, and 50 slow readers of it held 167 MB.
 */
const BUFFER_BYTES = 256 * 1024;

/** Resolves when the piece has left for the system, so that its buffer may be used again. Rejects when the reader is gone. */
function write(to: Writable, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the reader went away'));
    to.once('close', onClose);
    to.write(piece, (error) => {
      to.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function fill(file: FileHandle, buffer: Buffer, position: number, end: number): Promise<Buffer> {
  const wanted = Math.min(buffer.length, end + 1 - position);
  const { bytesRead } = await file.read(buffer, 0, wanted, position);
  if (bytesRead === 0 && wanted > 0) throw new Error('the file is shorter than it was');
  return buffer.subarray(0, bytesRead);
}

/** Writes the bytes from `start` to `end`, both counted. `to` is not ended. Throws when either side fails. */
export async function copyFile(
  path: string,
  to: Writable,
  { start, end }: { start: number; end: number },
): Promise<void> {
  const file = await open(path, 'r');
  try {
    let [current, other] = [Buffer.allocUnsafeSlow(BUFFER_BYTES), Buffer.allocUnsafeSlow(BUFFER_BYTES)];
    let position = start;
    let piece = await fill(file, current, position, end);
    while (piece.length > 0) {
      if (to.destroyed) throw new Error('the reader went away');
      position += piece.length;
      const [, next] = await Promise.all([
        write(to, piece),
        position <= end ? fill(file, other, position, end) : Buffer.alloc(0),
      ]);
      [current, other] = [other, current];
      piece = next;
    }
  } finally {
    await file.close();
  }
}
