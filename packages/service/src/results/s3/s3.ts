/**
 * Results in a bucket: `<prefix>results/<first two>/<guid>/<attempt>/<name>-<random>`. A key is written once, before
 * its row is added, so neither conditional writes nor listings are required; an object without a row is removed by the
 * bucket's lifecycle rule.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepMost } from '../../kept.ts';
import type { ReportForm } from '../../ledger/form.ts';
import { type BucketAddress, readBucketAddress } from '../../storage/store-address.ts';
import { copyFile, writePiece } from '../copy.ts';
import { type NewFile, type ResultFile, type Results, ResultsGone } from '../results.ts';
import { createShare } from '../share.ts';
import { type Bucket, openBucket, PART_BYTES } from './bucket.ts';
import { type FileCache, openFileCache } from './cache.ts';
import { loadS3Sdk, type S3Sdk } from './sdk.ts';

interface S3ResultsOptions {
  /** `s3://bucket/prefix?region=…`. */
  url: string;
  /** A folder of this node alone, which may be lost. */
  folder: string;
  /** How many bytes of the bucket's files are cached there. */
  cacheBytes: number;
  sdk?: S3Sdk;
}

/**
 * A file up to this size is downloaded into the cache before it is sent; a larger one is sent while it is downloaded.
 */
const WHOLE_BYTES = PART_BYTES;
/**
 * How often an interrupted transfer is resumed without another byte. A reader that pauses for seconds interrupts it
 * each time.
 */
const RESUMES = 3;
/** The wait before the first resumption; doubled each time. */
const RESUME_MS = 500;
/** How many objects are removed at once. */
const REMOVALS = 8;

export interface S3Results extends Results {
  close(): Promise<void>;
}

/** Opens the results of a bucket, which must exist. Throws Error if the SDK is missing or the address is wrong. */
export async function openS3Results({ url, folder, cacheBytes, sdk }: S3ResultsOptions): Promise<S3Results> {
  const address = readBucketAddress(url);
  const bucket = openBucket(sdk ?? (await loadS3Sdk()), address);
  return resultsOf(bucket, address, await openFileCache(folder, cacheBytes));
}

/** Removes objects, a few at a time: stores other than AWS refuse the call that removes many. */
async function removeAll(bucket: Bucket, cache: FileCache, keys: string[]): Promise<void> {
  const left = [...keys];
  const remove = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) {
      await cache.forget(key);
      await bucket.remove(key);
    }
  };
  await Promise.all(Array.from({ length: REMOVALS }, remove));
}

/** The scratch file of a new file. */
async function scratchOf(cache: FileCache, file: NewFile): Promise<string> {
  if ('scratch' in file) return file.scratch;
  const scratch = cache.scratch(file.name);
  await writeFile(scratch, file.content, { mode: 0o600 });
  return scratch;
}

function resultsOf(bucket: Bucket, { prefix }: BucketAddress, cache: FileCache): S3Results {
  const identityKey = `${prefix}identity`;
  const downloads = createReader(bucket, cache);

  async function upload(guid: string, attempt: number, file: NewFile) {
    const { name } = file;
    const scratch = await scratchOf(cache, file);
    const key = `${prefix}results/${guid.slice(0, 2)}/${guid}/${attempt}/${name}-${randomBytes(9).toString('base64url')}`;
    const uploaded = await bucket
      .upload(key, scratch, 'sha256' in file ? file.sha256 : undefined)
      .catch(async (error: unknown) => {
        // Only what was written here: the caller removes its own scratch files.
        if ('content' in file) await rm(scratch, { force: true });
        throw error;
      });
    // The next request for it is likely to reach this node.
    await cache.add(key, scratch);
    return { name, key, ...uploaded };
  }

  const remove = (forms: readonly { key: string }[]): Promise<void> =>
    removeAll(
      bucket,
      cache,
      forms.map(({ key }) => key),
    );

  return {
    scratch: async (name) => cache.scratch(name),

    async keep(guid, attempt, files) {
      const sent = await Promise.allSettled(files.map((file) => upload(guid, attempt, file)));
      const failed = sent.find((one) => one.status === 'rejected');
      const kept = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      if (!failed) return kept;
      // They have no rows yet. If this fails too, the lifecycle rule removes them.
      await remove(kept).catch(() => undefined);
      throw failed.reason;
    },

    open: downloads.open,
    local: downloads.local,

    discard: remove,
    remove: (_guid, forms) => remove(forms),
    older: async () => undefined,

    async *reports() {
      // Objects without rows are removed by the bucket's lifecycle rule.
    },

    async backup() {
      throw new Error(
        'the results are in a bucket: keep its older versions, or copy it with the tools of its provider',
      );
    },

    async identity() {
      const body = await bucket.get(identityKey);
      return body && ((await buffer(body)).toString().trim() || undefined);
    },
    identify: (id) => bucket.put(identityKey, Buffer.from(`${id}\n`)),

    sweep: () => cache.clear(),

    async ping() {
      // Reads instead of writing: probes come every few seconds, and writes would cost more than all retrievals.
      (await bucket.get(identityKey))?.resume();
    },

    async close() {
      bucket.close();
    },
  };
}

/** Reads files: small and frequently read large ones from the node's disk, others from the bucket as they arrive. */
function createReader(bucket: Bucket, cache: FileCache) {
  const share = createShare<string | 'damaged' | undefined>();
  /** Objects that a reader found missing, until they are opened again: then the form is made again. */
  const missing = keepMost<true>(10_000);
  /** Large files that were read from the bucket once: at the second time they are cached. */
  const readOnce = keepMost<true>(10_000);

  /**
   * Downloads a file into the cache. Undefined if the bucket no longer has it, `damaged` if it is not what was kept.
   */
  const download = ({ key, name, bytes, sha256 }: ReportForm): Promise<string | 'damaged' | undefined> =>
    share(key, async () => {
      const here = await cache.find(key);
      if (here) return here;
      const body = await bucket.get(key);
      if (!body) return undefined;
      const to = cache.scratch(name);
      try {
        const hash = createHash('sha256');
        let length = 0;
        const counted = async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            length += chunk.length;
            yield chunk;
          }
        };
        await pipeline(body, counted, createWriteStream(to, { mode: 0o600 })).catch((error) => {
          throw new ResultsGone(error);
        });
        if (length < bytes) throw new ResultsGone(new Error(`${length} of ${bytes} bytes arrived`));
        if (sha256 !== null && hash.digest('base64') !== sha256) return 'damaged';
        return await cache.add(key, to);
      } finally {
        await rm(to, { force: true });
      }
    });

  const onDisk = (form: ReportForm, path: string): ResultFile => ({
    bytes: form.bytes,
    key: form.key,
    copy: (to, range, onOpen) => copyFile(path, to, range ?? { start: 0, end: form.bytes - 1 }, onOpen),
    read: () => readFile(path),
  });

  const proxied = (form: ReportForm): ResultFile => ({
    bytes: form.bytes,
    key: form.key,
    copy: (to, range, onOpen) =>
      copyObject(bucket, form, to, range ?? { start: 0, end: form.bytes - 1 }, {
        onOpen,
        onMissing: () => missing.set(form.key, true),
      }),
    async read() {
      const path = await download(form);
      if (path === undefined || path === 'damaged') throw new Error(`${form.name} of ${form.guid} is gone`);
      return await readFile(path);
    },
  });

  return {
    async open(form: ReportForm): Promise<ResultFile | 'damaged' | undefined> {
      const here = await cache.find(form.key);
      if (here) return onDisk(form, here);
      if (missing.delete(form.key)) return undefined;
      if (form.bytes <= WHOLE_BYTES) {
        const path = await download(form);
        return path === undefined || path === 'damaged' ? path : onDisk(form, path);
      }
      // A form that was requested twice will probably be requested again, so from now on it is read from this disk.
      if (readOnce.has(form.key)) void download(form).catch(() => undefined);
      readOnce.set(form.key, true);
      return proxied(form);
    },
    async local(form: ReportForm): Promise<string> {
      const path = await download(form);
      if (path === undefined || path === 'damaged') throw new Error(`${form.name} of ${form.guid} is gone`);
      return path;
    },
  };
}

/** Sends the bytes of an object at the reader's pace; an interrupted transfer resumes where it stopped. */
async function copyObject(
  bucket: Bucket,
  { key, name, guid }: ReportForm,
  to: Writable,
  { start, end }: { start: number; end: number },
  { onOpen, onMissing }: { onOpen: (() => void) | undefined; onMissing: () => void },
): Promise<void> {
  let position = start;
  let begun = false;
  for (let resumed = 0; ; resumed++) {
    let sending = false;
    let body: Readable | undefined;
    try {
      body = await bucket.get(key, { start: position, end });
      if (!body) {
        onMissing();
        throw new ResultsGone(new Error(`${name} of ${guid} is not in the bucket`));
      }
      if (!begun) onOpen?.();
      begun = true;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        sending = true;
        await writePiece(to, chunk);
        sending = false;
        position += chunk.length;
        resumed = 0;
      }
      if (position > end) return;
      throw new Error('the bucket ended its answer early');
    } catch (error) {
      // Not resumed: a failure of the reader, one before anything was sent, or too many failures of the bucket.
      if (sending || !begun || to.destroyed || resumed >= RESUMES) throw error;
      await sleep(RESUME_MS * 2 ** resumed);
    } finally {
      body?.destroy();
    }
  }
}
