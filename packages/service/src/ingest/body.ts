/** The body of a load as its bytes arrive: its form by Content-Type, its coding by Content-Encoding, gzip bounded. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Problem } from '../problems.ts';
import type { BodyFormat } from './records.ts';

/** Up to here any ratio is taken: small bodies of like records compress extremely well. */
const FREE_BYTES = 16 * 1024 * 1024;

/** `array` for application/json, `ndjson` for NDJSON. Throws Problem unsupported_media_type for anything else. */
export function formatOf(contentType: string | undefined): BodyFormat {
  const [type = ''] = (contentType ?? '').split(';');
  switch (type.trim().toLowerCase()) {
    case 'application/json':
      return 'array';
    case 'application/x-ndjson':
    case 'application/ndjson':
      return 'ndjson';
    default:
      throw new Problem(
        'unsupported_media_type',
        'The body must be application/json (one array) or application/x-ndjson (a record a line).',
      );
  }
}

/** Fails once more comes out than `times` what went in. */
function bound(times: number, read: () => number): Transform {
  let written = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      written += chunk.length;
      if (written > FREE_BYTES && written > times * read()) {
        done(new Problem('expansion_too_large', `The body expands to more than ${times} times its compressed size.`));
      } else done(null, chunk);
    },
  });
}

const isZlib = (error: unknown): boolean => /^Z_/.test((error as NodeJS.ErrnoException).code ?? '');

/** The plain bytes. Throws Problem unsupported_media_type, and while it is read expansion_too_large or invalid_json. */
export function plainBytes(
  raw: Readable,
  encoding: IncomingHttpHeaders['content-encoding'],
  times: number,
): AsyncIterable<Buffer> {
  const coding = (encoding ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return raw;
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    throw new Problem('unsupported_media_type', 'The Content-Encoding must be gzip or identity.');
  }
  return gunzipped(raw, times);
}

async function* gunzipped(raw: Readable, times: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const bounded = bound(times, () => gunzip.bytesWritten);
  // Errors of any of them reach the loop below; this callback only keeps them from being thrown elsewhere.
  pipeline(raw, gunzip, bounded, () => undefined);
  try {
    for await (const chunk of bounded) yield chunk as Buffer;
  } catch (error) {
    throw isZlib(error) ? new Problem('invalid_json', 'The body is not valid gzip.', { cause: error }) : error;
  }
}
