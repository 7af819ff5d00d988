/** The SHA-256 of a file. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** A piece is read while the one before is hashed elsewhere in the pool; larger ones were no faster. */
const PIECE_BYTES = 1024 * 1024;

/** Size and SHA-256 of a file, off the event loop but for the hashing of 1 MB (about a millisecond) at a time. */
export async function hashFile(
  path: string,
  encoding: 'hex' | 'base64',
  signal?: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  try {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    let bytes = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest(encoding) };
      hash.update(piece.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
