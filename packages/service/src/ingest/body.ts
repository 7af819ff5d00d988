/** The body of a load as it comes over HTTP: its media type, its coding, and what is left of it after an early answer. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { Problem } from '../problems.ts';
import type { BodyFormat } from './records.ts';

const FORMATS = new Map<string, BodyFormat>([
  ['application/json', 'array'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
]);

/** Up to here a body may expand as far as it likes. */
const FREE_BYTES = 16 * 1024 * 1024;
const OUTPUT_CHUNK = 64 * 1024;
/** How long the rest of a body that is no longer wanted is read, so that the client gets to see the answer. */
const DRAIN_MS = 60_000;

/** The format that the Content-Type names (CONTRACT 4, Loading). Throws Problem unsupported_media_type. */
export function readFormat(contentType: string | undefined): BodyFormat {
  const [type = ''] = (contentType ?? '').split(';');
  const format = FORMATS.get(type.trim().toLowerCase());
  if (format) return format;
  throw new Problem('unsupported_media_type', `The Content-Type must be one of ${[...FORMATS.keys()].join(', ')}.`);
}

/** Whether the Content-Encoding is gzip. Throws Problem unsupported_media_type for other codings. */
export function readGzip(contentEncoding: string | undefined): boolean {
  const coding = (contentEncoding ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return false;
  if (coding === 'gzip' || coding === 'x-gzip') return true;
  throw new Problem('unsupported_media_type', 'The Content-Encoding must be gzip or identity.');
}

/**
 * A body of no more than this is read where it comes in: some 8 orders, 0.3 ms. On its way to the thread that reads bodies
 * and back it takes longer than that.
 */
const SHORT_BYTES = 16 * 1024;

/** Whether the head of a request promises a body that is short, and not compressed. */
export function isShort({ 'content-length': length, 'content-encoding': coding }: IncomingHttpHeaders): boolean {
  return length !== undefined && Number(length) <= SHORT_BYTES && !readGzip(coding);
}

const cutOff = (cause: unknown): Problem =>
  new Problem('malformed_request', 'The body ended before it was complete. Nothing of it was kept.', { cause });

/** The bytes as sent. The connection stays open when they are not read to their end: see discardRest. */
export async function* plainBody(raw: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw cutOff(error);
  }
}

/**
 * The bytes that a gzip body expands to. Throws Problem expansion_too_large once they are more than `maxExpansion` times
 * the compressed bytes read, past the first 16 MiB, and invalid_json when the body is not gzip.
 */
export async function* gunzippedBody(raw: IncomingMessage, maxExpansion: number): AsyncGenerator<Buffer> {
  if (raw.destroyed) throw cutOff(raw.errored);
  const gunzip = createGunzip({ chunkSize: OUTPUT_CHUNK });
  const fail = (error: Error): void => {
    gunzip.destroy(cutOff(error));
  };
  raw.on('error', fail).pipe(gunzip);
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > FREE_BYTES && bytes > maxExpansion * gunzip.bytesWritten) {
        throw new Problem('expansion_too_large', `The body expands to more than ${maxExpansion} times its size.`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('invalid_json', 'The body is not a valid gzip stream.', { cause: error });
  } finally {
    raw.unpipe(gunzip).off('error', fail);
    gunzip.destroy();
  }
}

/**
 * Reads and drops what is left of a body that was answered early: a client that sends all of it before it looks at the
 * answer would otherwise find its connection reset. Gives up after a minute.
 */
export function discardRest(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), DRAIN_MS).unref();
  raw.once('close', () => clearTimeout(timer));
  raw.resume();
}
