/** The body of a load as it arrives over HTTP: its media type and its content encoding. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { Problem } from '../contract/problems.ts';
import type { BodyFormat } from './records.ts';

const FORMATS = new Map<string, BodyFormat>([
  ['application/json', 'array'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
]);

/** Up to this size a body may expand by any factor. */
const FREE_BYTES = 16 * 1024 * 1024;
/**
 * Another size than that of the memory which Node's small buffers share, 64 kB since Node 24: so a piece of zlib is
 * known by it.
 */
const OUTPUT_CHUNK = 128 * 1024;
/** How often, within the allowed silence, it is checked whether a client still sends. */
const LOOKS = 10;

/** The format that the Content-Type names (docs/contract.md#loading). Throws Problem unsupported_media_type. */
export function readFormat(contentType: string | undefined): BodyFormat {
  const [type = ''] = (contentType ?? '').split(';');
  const format = FORMATS.get(type.trim().toLowerCase());
  if (format) return format;
  throw new Problem('unsupported_media_type', `The Content-Type must be one of ${[...FORMATS.keys()].join(', ')}.`);
}

/** Whether the Content-Encoding is gzip. */
export const isGzip = (contentEncoding: string | undefined): boolean =>
  /^\s*(?:x-)?gzip\s*$/i.test(contentEncoding ?? '');

/**
 * A body up to this size is read on the event loop: some 8 orders, 0.3 ms. Sending it to the thread that reads bodies
 * and back takes longer.
 */
const SHORT_BYTES = 16 * 1024;

/** Whether the headers announce a body that is short and not compressed. */
export function isShort({ 'content-length': length, 'content-encoding': coding }: IncomingHttpHeaders): boolean {
  return length !== undefined && Number(length) <= SHORT_BYTES && !isGzip(coding);
}

/**
 * The pieces of a body that may have `most` bytes. Throws Problem body_too_large, before the first piece if the headers
 * announce more, and what `body` throws.
 */
export async function* atMost(
  body: AsyncIterable<Buffer>,
  most: number,
  { 'content-length': length = '0' }: IncomingHttpHeaders,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  const check = (): void => {
    if (Math.max(bytes, Number(length)) > most)
      throw new Problem('body_too_large', 'The body is longer than this operation takes.');
  };
  check();
  for await (const piece of body) {
    bytes += piece.length;
    check();
    yield piece;
  }
}

const cutOff = (cause: unknown): Problem =>
  new Problem('malformed_request', 'The body ended before it was complete. Nothing in it was stored.', { cause });

/**
 * The pieces of a body, as long as its client sends. Throws Problem request_timeout if, while a piece is awaited,
 * nothing has arrived for `silenceMs` (up to a tenth longer), and what `pieces` throws.
 */
async function* whileSending(
  pieces: AsyncIterator<Buffer>,
  { socket }: IncomingMessage,
  silenceMs: number,
): AsyncGenerator<Buffer> {
  let waiting: ((why: Problem) => void) | undefined;
  let received = socket.bytesRead;
  let silent = 0;
  const timer = setInterval(() => {
    const { bytesRead } = socket;
    // While no piece is awaited, it is the service that is slow.
    silent = waiting === undefined || bytesRead !== received ? 0 : silent + 1;
    received = bytesRead;
    if (silent < LOOKS) return;
    waiting?.(
      new Problem(
        'request_timeout',
        `Nothing of the body arrived for ${silenceMs / 1000} s. Nothing in it was stored.`,
        {
          headers: { connection: 'close' },
        },
      ),
    );
  }, silenceMs / LOOKS);
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        waiting = reject;
        pieces.next().then(resolve, reject);
      });
      waiting = undefined;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearInterval(timer);
    // Not awaited: if a piece is pending, it would have to come first.
    void pieces.return?.().catch(() => undefined);
  }
}

/**
 * Frees the memory of a piece once it was used. Left to the garbage collector, 12 MB of a body caused one collection of
 * the whole heap, which stopped the event loop for 20 ms.
 */
function free(piece: Buffer): void {
  const { buffer } = piece;
  if (buffer instanceof ArrayBuffer && (isAlone(piece) || isLastOfChunk(piece))) buffer.transfer(0);
}

const isAlone = ({ buffer, length }: Buffer): boolean => buffer.byteLength === length;

/** Whether it ends a chunk of zlib, which it shares with the pieces before it. */
const isLastOfChunk = ({ buffer, byteOffset, length }: Buffer): boolean =>
  buffer.byteLength === OUTPUT_CHUNK && OUTPUT_CHUNK !== Buffer.poolSize && byteOffset + length === OUTPUT_CHUNK;

/**
 * The bytes as sent, in pieces that may be kept. The connection stays open if they are not read to the end: see
 * http/early-answers.ts. Throws Problem request_timeout for a client that sends nothing for `silenceMs`,
 * malformed_request if the body ends early.
 */
export async function* keptPieces(raw: IncomingMessage, silenceMs: number): AsyncGenerator<Buffer> {
  const pieces = raw.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    yield* whileSending(pieces, raw, silenceMs);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw cutOff(error);
  }
}

/** The same; a piece is empty once the next one is requested. */
export async function* plainBody(raw: IncomingMessage, silenceMs: number): AsyncGenerator<Buffer> {
  for await (const piece of keptPieces(raw, silenceMs)) {
    yield piece;
    free(piece);
  }
}

/**
 * The bytes to which a gzip body expands; a piece is empty once the next one is requested. Throws Problem
 * expansion_too_large once they are more than `maxExpansion` times the compressed bytes read, beyond the first 16 MiB;
 * invalid_json if the body is not gzip; request_timeout like plainBody.
 */
export async function* gunzippedBody(
  raw: IncomingMessage,
  maxExpansion: number,
  silenceMs: number,
): AsyncGenerator<Buffer> {
  if (raw.destroyed) throw cutOff(raw.errored);
  const gunzip = createGunzip({ chunkSize: OUTPUT_CHUNK });
  const fail = (error: Error): void => {
    gunzip.destroy(cutOff(error));
  };
  raw.on('error', fail).pipe(gunzip);
  // After an early answer nothing more of the body is read; at its end the pipe is removed too.
  gunzip.once('unpipe', () => {
    if (!raw.readableEnded) gunzip.destroy();
  });
  let bytes = 0;
  try {
    for await (const chunk of whileSending(gunzip[Symbol.asyncIterator](), raw, silenceMs)) {
      bytes += chunk.length;
      if (bytes > FREE_BYTES && bytes > maxExpansion * gunzip.bytesWritten) {
        throw new Problem('expansion_too_large', `The body expands to more than ${maxExpansion} times its size.`);
      }
      yield chunk;
      free(chunk);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid_json', 'The body is not a valid gzip stream.', { cause: error });
  } finally {
    raw.unpipe(gunzip).off('error', fail);
    gunzip.destroy();
  }
}
