/** Reads a whole file, compressing and hashing it; runs in the helper process. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Coding, FileDigest, FileOrder } from './files.ts';

const CHUNK_BYTES = 256 * 1024;

/** Levels as measured in docs/decisions/0006. */
function encoder(coding: Coding | undefined): Transform {
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

/**
 * Writes the requested copy, if any. Returns the digest of what was written, otherwise of what was read. Throws on file
 * errors.
 */
export async function compressFile({ file, copy }: FileOrder): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  };
  const target = copy
    ? createWriteStream(copy.to, { mode: 0o600 })
    : new Writable({ write: (_piece, _encoding, done) => done() });
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), encoder(copy?.coding), counted, target);
  return { bytes, sha256: hash.digest('base64') };
}
