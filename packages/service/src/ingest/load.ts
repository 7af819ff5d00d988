/** Loads one body of records: split, read, spool, merge (METRICS 5). In memory is only what is under way. */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Facts, Spool } from '../facts/facts.ts';
import type { Restaurant } from '../ledger/ledger.ts';
import { Problem } from '../problems.ts';
import { entryFacts } from './entry.ts';
import { orderFacts } from './order.ts';
import { type BodyFormat, type RecordBytes, records } from './records.ts';
import type { Rejected as Refusal } from './source.ts';

export interface Rejected {
  /** 0-based place in the body. */
  index: number;
  guid: string | null;
  pointer: string;
  message: string;
}

export interface Loaded {
  accepted: number;
  unchanged: number;
  rejected: Rejected[];
}

export interface LoadDeps {
  facts: Facts;
  /** A folder that the engine may read. */
  spoolFolder: string;
}

const TOO_LARGE: Refusal = { guid: null, pointer: '', message: 'the record is larger than 1 MiB' };
const MOST_REJECTED = 100_000;
/** Lines are gathered into writes of this size: a write a line took longer than the facts themselves. */
const WRITE_BYTES = 256 * 1024;

/** A file of lines. */
function createLines(path: string) {
  const stream: WriteStream = createWriteStream(path, { mode: 0o600 });
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure = error;
  });
  let pending: string[] = [];
  let size = 0;
  return {
    add(line: string): void {
      pending.push(line);
      size += line.length + 1;
    },
    /** Writes what has gathered, once it is worth it, and waits while the disk is behind. */
    async flush(all: boolean): Promise<void> {
      if (failure) throw failure;
      if (size === 0 || (!all && size < WRITE_BYTES)) return;
      const text = `${pending.join('\n')}\n`;
      pending = [];
      size = 0;
      if (!stream.write(text)) {
        await new Promise<void>((resolve, reject) => {
          const done = (error?: Error): void => {
            stream.off('drain', done);
            stream.off('error', done);
            if (error) reject(error);
            else resolve();
          };
          stream.on('drain', done);
          stream.on('error', done);
        });
      }
    },
    async close(): Promise<void> {
      await this.flush(true);
      stream.end();
      await finished(stream);
    },
    async abandon(): Promise<void> {
      stream.destroy();
      await finished(stream).catch(() => undefined);
    },
  };
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not UTF-8.');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Problem('invalid_json', 'The body is not valid JSON.');
  }
}

/**
 * Loads the records of a body for a restaurant; what is accepted is on disk when it resolves. A record that cannot be
 * read is rejected alone. Nothing is kept when it throws: Problem invalid_json or too_many_rejected, the body's own
 * error when it was cut off, or what `Facts.merge` throws.
 */
export async function load(
  deps: LoadDeps,
  restaurant: Restaurant,
  kind: Spool['kind'],
  body: AsyncIterable<Buffer>,
  format: BodyFormat,
): Promise<Loaded> {
  const folder = join(deps.spoolFolder, randomUUID());
  await mkdir(folder, { mode: 0o700 });
  const [main, checks] =
    kind === 'orders'
      ? [createLines(join(folder, 'orders.ndjson')), createLines(join(folder, 'checks.ndjson'))]
      : [createLines(join(folder, 'shifts.ndjson')), undefined];
  const files = checks ? [main, checks] : [main];
  const rejected: Rejected[] = [];
  let index = 0;
  let taken = 0;

  function reject({ guid, pointer, message }: Refusal): void {
    if (rejected.length === MOST_REJECTED) {
      throw new Problem(
        'too_many_rejected',
        `More than ${MOST_REJECTED} records cannot be read; the first: ${rejected[0]?.message}`,
      );
    }
    rejected.push({ index, guid, pointer, message });
  }

  /** Writes the facts of a record, or says why there are none. */
  function read(record: unknown): Refusal | undefined {
    if (!checks) {
      const shift = entryFacts(record, index, restaurant);
      if ('pointer' in shift) return shift;
      main.add(JSON.stringify(shift));
      return undefined;
    }
    const facts = orderFacts(record, index, restaurant);
    if ('pointer' in facts) return facts;
    main.add(JSON.stringify(facts.order));
    for (const check of facts.checks) checks.add(JSON.stringify(check));
    return undefined;
  }

  function take(bytes: RecordBytes): void {
    const refusal = bytes === null ? TOO_LARGE : read(parse(bytes));
    if (refusal) reject(refusal);
    else taken++;
    index++;
  }

  try {
    for await (const batch of records(body, format)) {
      for (const bytes of batch) take(bytes);
      for (const file of files) await file.flush(false);
    }
    for (const file of files) await file.close();
    const counts =
      taken === 0 ? { accepted: 0, unchanged: 0 } : await deps.facts.merge(restaurant.id, { folder, kind });
    return { ...counts, rejected };
  } finally {
    for (const file of files) await file.abandon();
    await rm(folder, { recursive: true, force: true });
  }
}
