/** A bucket: five calls, each with a deadline, and errors that say whether the store is unavailable. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { BucketAddress } from '../../storage/store-address.ts';
import { ResultsGone } from '../results.ts';
import type { S3Calls, S3Middleware, S3Sdk } from './sdk.ts';

/**
 * Up to this size an object is one PUT; larger ones are uploaded in parts of this size. S3 accepts 10,000 parts: 80 GB.
 */
export const PART_BYTES = 8 * 1024 * 1024;
/** Parts of a file that are uploaded at once: 16 MB in memory for each file. */
const PARTS_AT_ONCE = 2;
/** A call without a body to send, its repetitions included. */
const CALL_MS = 8000;
const CONNECT_MS = 3000;
/** The header with the SHA-256 that the signature of a request includes, in hex. */
const CONTENT_SHA256 = 'x-amz-content-sha256';
/**
 * A request is aborted if no byte moves on its connection for this long, however long it takes in all. The SDK begins
 * to measure 3 s after it sends a request, so a call to a store that never answers fails after 10 s.
 */
const SILENT_MS = 7000;
/**
 * The same for larger bodies, most of which a slow connection has in the kernel's buffers, and while the store joins
 * the parts.
 */
const PATIENT_MS = 30_000;
/** Up to this size a body has left the buffers within `SILENT_MS` at 2 Mbit/s. */
const SMALL_BYTES = 1024 * 1024;
/** How often a call is sent at most if the store answers 5xx or closes the connection. */
const ATTEMPTS = 3;

export interface Bucket {
  /**
   * Uploads a complete file, or leaves nothing; returns its length and its SHA-256 in base64, which is computed unless
   * it is known. Throws ResultsGone.
   */
  upload(key: string, path: string, sha256?: string): Promise<{ bytes: number; sha256: string }>;
  put(key: string, body: Buffer): Promise<void>;
  /**
   * The bytes from `start` to `end` (inclusive), everything by default. Undefined if the object does not exist. Throws
   * ResultsGone.
   */
  get(key: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** Not an error if it does not exist. Throws ResultsGone. */
  remove(key: string): Promise<void>;
  close(): void;
}

interface SdkError {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Statuses that say: later. 408 is a request that did not arrive whole. */
const LATER = new Set([408, 429]);

/**
 * Refusals of the bucket (no such bucket, no permission) are passed on; anything else counts as temporary
 * unavailability: also an answer of status 200 that cannot be read.
 */
function asGone(error: unknown): unknown {
  if (error instanceof ResultsGone) return error;
  const { $metadata, name } = error as SdkError;
  const status = $metadata?.httpStatusCode ?? 0;
  // S3 answers 400 if the request stopped arriving.
  const isRefusal = status >= 400 && status < 500 && !LATER.has(status) && name !== 'RequestTimeout';
  return isRefusal ? error : new ResultsGone(error);
}

/** Has calls fail at the first silence: the SDK would send them again and wait as long each time. */
function giveUpAfterSilence({ middlewareStack }: S3Calls): void {
  const giveUp: S3Middleware = (next) => async (args) => {
    try {
      return await next(args);
    } catch (error) {
      const { name, code, message } = error as NodeJS.ErrnoException;
      // A connection that was closed has the same name, and a code.
      if (name !== 'TimeoutError' || code !== undefined) throw error;
      // Without a cause, in which the SDK would find a timeout to repeat.
      throw new Silence(message);
    }
  };
  // After the step that repeats calls, so around each request.
  middlewareStack.add(giveUp, { step: 'finalizeRequest', priority: 'low', name: 'giveUpAfterSilence' });
}

class Silence extends Error {
  override readonly name = 'Silence';
}

/** The answer of a call that may take as long as its bytes move. */
async function orGone<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw asGone(error);
  }
}

/** The answer of a call, at most `ms` later, however often the SDK retries. */
async function answerWithin<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    return await call(late.signal);
  } catch (error) {
    throw asGone(late.signal.aborted ? new Error(`no answer within ${ms / 1000} s`, { cause: error }) : error);
  } finally {
    clearTimeout(timer);
  }
}

export function openBucket({ S3 }: S3Sdk, { bucket, region, endpoint, pathStyle }: BucketAddress): Bucket {
  const openClient = (silentMs: number): S3Calls =>
    new S3({
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      // Stores other than AWS refuse the checksums that the SDK sends by default; digests are in the rows.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silentMs },
    });
  const s3 = openClient(SILENT_MS);
  const patient = openClient(PATIENT_MS);
  const hashes = new WeakMap<object, string>();
  for (const client of [s3, patient]) {
    giveUpAfterSilence(client);
    signWithHashes(client, hashes);
  }
  async function put(key: string, body: Buffer, sha256 = sha256Of(body)): Promise<{ bytes: number; sha256: string }> {
    const input = { Bucket: bucket, Key: key, Body: body, ContentLength: body.length };
    hashes.set(body, sha256);
    await orGone((body.length > SMALL_BYTES ? patient : s3).putObject(input));
    return { bytes: body.length, sha256 };
  }
  return {
    async put(key, body) {
      await put(key, body);
    },
    async upload(key, path, sha256) {
      const file = await open(path, 'r');
      try {
        const { size } = await file.stat();
        if (size > PART_BYTES)
          return await uploadParts({ s3, patient }, { Bucket: bucket, Key: key }, file, size, sha256);
        return await put(key, await file.readFile(), sha256);
      } finally {
        await file.close();
      }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const input = { Bucket: bucket, Key: key, ...(Range ? { Range } : {}) };
      try {
        const { Body } = await answerWithin(CALL_MS, (abortSignal) => s3.getObject(input, { abortSignal }));
        if (Body instanceof Readable) return Body;
        throw new Error('the answer of the bucket has no body');
      } catch (error) {
        if ((error as SdkError).name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    async remove(key) {
      await answerWithin(CALL_MS, (abortSignal) => s3.deleteObject({ Bucket: bucket, Key: key }, { abortSignal }));
    },
    close() {
      s3.destroy();
      patient.destroy();
    },
  };
}

const sha256Of = (body: Buffer): string => createHash('sha256').update(body).digest('base64');

/**
 * Has requests signed without another SHA-256 of their bodies: with the one (base64) in `hashes` for a body; parts over
 * TLS, which protects them as well, without any. Over HTTP the SDK hashes each part for its signature.
 */
function signWithHashes({ middlewareStack }: S3Calls, hashes: WeakMap<object, string>): void {
  const hashOf = (input: { Body?: object; PartNumber?: number }, protocol: string): string | undefined => {
    const known = input.Body && hashes.get(input.Body);
    if (known !== undefined) return Buffer.from(known, 'base64').toString('hex');
    return protocol === 'https:' && input.PartNumber !== undefined ? 'UNSIGNED-PAYLOAD' : undefined;
  };
  const sign: S3Middleware = (next) => (args) => {
    // The SDK may take the endpoint from its own settings, so only the request says whether it is sent over TLS.
    const { protocol, headers } = args.request as { protocol: string; headers: Record<string, string> };
    const hash = hashOf(args.input, protocol);
    if (hash !== undefined) headers[CONTENT_SHA256] = hash;
    return next(args);
  };
  middlewareStack.add(sign, { step: 'build', name: 'signWithHashes' });
}

/** Uploads in parts, hashed in order as they are read. A failed upload leaves no parts if the bucket still answers. */
async function uploadParts(
  { s3, patient }: Record<'s3' | 'patient', S3Calls>,
  object: { Bucket: string; Key: string },
  file: FileHandle,
  size: number,
  known: string | undefined,
): Promise<{ bytes: number; sha256: string }> {
  const { UploadId } = await answerWithin(CALL_MS, (abortSignal) => s3.createMultipartUpload(object, { abortSignal }));
  if (UploadId === undefined) throw new Error('the bucket began an upload without an id');
  const hash = createHash('sha256');
  const Parts: { PartNumber: number; ETag: string }[] = [];
  let read = 0;
  async function nextPart(space: Buffer): Promise<{ PartNumber: number; Body: Buffer } | undefined> {
    if (read >= size) return undefined;
    const PartNumber = read / PART_BYTES + 1;
    const Body = space.subarray(0, size - read);
    read += PART_BYTES;
    const { bytesRead } = await file.read(Body, 0, Body.length, (PartNumber - 1) * PART_BYTES);
    if (bytesRead < Body.length) throw new Error('the file became shorter while it was uploaded');
    return { PartNumber, Body };
  }
  // The parts are read one after the other, because their digest depends on the order, even if sent in another.
  let reading: Promise<unknown> = Promise.resolve();
  async function sendParts(): Promise<void> {
    // One buffer for all of its parts: with a buffer for each, collecting them took a fifth of a node's processor time
    // for a report of a year.
    const space = Buffer.allocUnsafe(PART_BYTES);
    for (;;) {
      const next = reading.then(() => nextPart(space));
      reading = known === undefined ? next.then((part) => part && hash.update(part.Body)) : next;
      const [part] = await Promise.all([next, reading]);
      if (!part) return;
      const input = { ...object, ...part, UploadId: String(UploadId), ContentLength: part.Body.length };
      const { ETag } = await orGone(patient.uploadPart(input));
      if (ETag === undefined) throw new Error('the bucket answered a part without its tag');
      Parts.push({ PartNumber: part.PartNumber, ETag });
    }
  }
  try {
    const sent = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, sendParts));
    for (const one of sent) if (one.status === 'rejected') throw one.reason;
    Parts.sort((a, b) => a.PartNumber - b.PartNumber);
    const whole = { ...object, UploadId, MultipartUpload: { Parts } };
    await orGone(patient.completeMultipartUpload(whole));
  } catch (error) {
    // If this fails too, the bucket's rule for incomplete uploads removes the parts.
    const aborting = answerWithin(CALL_MS, (abortSignal) =>
      s3.abortMultipartUpload({ ...object, UploadId }, { abortSignal }),
    );
    const aborted = aborting.catch(() => undefined);
    // The caller must not wait a second time for a store that is unavailable.
    if (!(error instanceof ResultsGone)) await aborted;
    throw error;
  }
  return { bytes: size, sha256: known ?? hash.digest('base64') };
}
