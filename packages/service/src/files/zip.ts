/**
 * Writes a ZIP file (APPNOTE 6.3.9) of texts and of files that are read piece by piece. Lengths are patched into the
 * heads of the parts once they are known, since some readers want them there. Parts of 4 GiB or more are ZIP64.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** A part of a text, or of a file between two texts; `bytes` are all of these. */
export type ZipPart = { name: string } & (
  | { text: string }
  | { before: string; file: string; after: string; bytes: number }
);

export interface ZipOptions {
  /** The length from which a part is ZIP64, for tests. */
  zip64From?: number;
}

const CHUNK_BYTES = 64 * 1024;
/** 2^32 − 1 says that the length is in the ZIP64 field. */
const IN_FIELD = 0xffffffff;
/** 1 January 1980, the earliest date: the same rows make the same bytes. */
const DATE = (1 << 5) | 1;
const DEFLATE = 8;
/** Names are UTF-8. */
const FLAGS = 0x0800;

interface Written {
  name: Buffer;
  crc: number;
  compressed: number;
  bytes: number;
  offset: number;
  is64: boolean;
}

const numbers = (...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer => {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
};

/** The fields that the head of a part and its entry in the directory share. */
const shared = ({ name, crc, compressed, bytes, is64 }: Written, extra: Buffer): Buffer =>
  numbers(
    [2, is64 ? 45 : 20],
    [2, FLAGS],
    [2, DEFLATE],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, is64 ? IN_FIELD : compressed],
    [4, is64 ? IN_FIELD : bytes],
    [2, name.length],
    [2, extra.length],
  );

function headOf(part: Written): Buffer {
  const extra = part.is64 ? numbers([2, 1], [2, 16], [8, part.bytes], [8, part.compressed]) : Buffer.alloc(0);
  return Buffer.concat([numbers([4, 0x04034b50]), shared(part, extra), part.name, extra]);
}

function entryOf(part: Written): Buffer {
  const extra = part.is64
    ? numbers([2, 1], [2, 24], [8, part.bytes], [8, part.compressed], [8, part.offset])
    : Buffer.alloc(0);
  const rest = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, part.is64 ? IN_FIELD : part.offset]);
  return Buffer.concat([
    numbers([4, 0x02014b50], [2, part.is64 ? 45 : 20]),
    shared(part, extra),
    rest,
    part.name,
    extra,
  ]);
}

/** The end of the file, after its directory. */
function endOf(parts: readonly Written[], offset: number, bytes: number): Buffer {
  const count = parts.length;
  const is64 = parts.some((part) => part.is64);
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, is64 ? IN_FIELD : bytes],
    [4, is64 ? IN_FIELD : offset],
    [2, 0],
  );
  if (!is64) return end;
  const record = [
    [4, 0x06064b50],
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, bytes],
    [8, offset],
  ] as const;
  return Buffer.concat([numbers(...record), numbers([4, 0x07064b50], [4, 0], [8, offset + bytes], [4, 1]), end]);
}

async function* contentOf(part: ZipPart): AsyncGenerator<Buffer> {
  if ('text' in part) return yield Buffer.from(part.text);
  yield Buffer.from(part.before);
  yield* createReadStream(part.file, { highWaterMark: CHUNK_BYTES });
  yield Buffer.from(part.after);
}

/** Writes a part at the offset. */
async function writePart(handle: FileHandle, part: ZipPart, offset: number, zip64From: number): Promise<Written> {
  const length = 'text' in part ? Buffer.byteLength(part.text) : part.bytes;
  const written = { name: Buffer.from(part.name), crc: 0, compressed: 0, bytes: 0, offset, is64: length >= zip64From };
  let at = offset + headOf(written).length;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      written.crc = crc32(chunk, written.crc);
      written.bytes += chunk.length;
      done(null, chunk);
    },
  });
  const target = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const offset = at;
      at += chunk.length;
      written.compressed += chunk.length;
      handle.write(chunk, 0, chunk.length, offset).then(({ bytesWritten }) => {
        done(bytesWritten === chunk.length ? null : new Error('the disk is full'));
      }, done);
    },
  });
  const deflate = createDeflateRaw({ level: 1, chunkSize: CHUNK_BYTES });
  await pipeline(Readable.from(contentOf(part)), counted, deflate, target);
  await handle.write(headOf(written), 0, undefined, offset);
  return written;
}

/** Writes the file, which is replaced. Throws on file errors. */
export async function writeZip(
  to: string,
  parts: readonly ZipPart[],
  { zip64From = IN_FIELD }: ZipOptions = {},
): Promise<void> {
  const handle = await open(to, 'w', 0o600);
  try {
    const written: Written[] = [];
    let offset = 0;
    for (const part of parts) {
      const one = await writePart(handle, part, offset, zip64From);
      offset += headOf(one).length + one.compressed;
      written.push(one);
    }
    const directory = Buffer.concat(written.map(entryOf));
    await handle.write(directory, 0, directory.length, offset);
    const end = endOf(written, offset, directory.length);
    await handle.write(end, 0, end.length, offset + directory.length);
  } finally {
    await handle.close();
  }
}
