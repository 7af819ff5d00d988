/** Coding and digesting of files, inside the engine's process: it gives way to the API, which live compression did not. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { PassThrough, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Coding, Pressed } from './facts.ts';
import type { PressOrder } from './protocol.ts';

const CHUNK_BYTES = 256 * 1024;

/** Levels as measured in docs/decisions/0006. */
function coder(coding: Coding | undefined): Transform {
  switch (coding) {
    case 'zstd':
      return createZstdCompress({
        chunkSize: CHUNK_BYTES,
        params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
      });
    case 'gzip':
      return createGzip({ chunkSize: CHUNK_BYTES, level: 1 });
    case 'br':
      return createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    default:
      return new PassThrough();
  }
}

let current: AbortController | undefined;

/** Stops the order that is under way. */
export const letGo = (): void => current?.abort();

/** Carries the order out. Throws when it was let go, and when a file cannot be read or written. */
export async function pressFile({ file, coded }: PressOrder): Promise<Pressed> {
  const abort = new AbortController();
  current = abort;
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  };
  const target = coded && (await open(coded.to, 'w', 0o600));
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  try {
    await pipeline(
      createReadStream(file, { highWaterMark: CHUNK_BYTES }),
      coder(coded?.coding),
      counted,
      target ? target.createWriteStream() : nowhere,
      { signal: abort.signal },
    );
    return { bytes, sha256: hash.digest('base64') };
  } catch (error) {
    // Who ordered it may have looked for the file before it was there.
    if (coded) await rm(coded.to, { force: true });
    throw error;
  } finally {
    if (current === abort) current = undefined;
  }
}
