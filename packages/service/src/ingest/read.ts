/** The reading of a load: a body of source records becomes a spool, in constant memory. */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Spool } from '../facts/facts.ts';
import { Problem } from '../problems.ts';
import { type EntryPlace, entryFacts } from './entry.ts';
import { orderFacts } from './order.ts';
import { type BodyFormat, MAX_RECORD_BYTES, records } from './records.ts';
import type { Rejected } from './source.ts';
import { openSpool, type SpoolWriter } from './spool.ts';

/** Above this a body is refused whole: it is not the kind of data that was asked for. */
const MOST_REJECTED = 100_000;
const TOO_LARGE: Rejected = { pointer: '', message: `the record is longer than ${MAX_RECORD_BYTES} bytes`, guid: null };

/** What is to be read, besides the bytes. */
export interface ReadQuery {
  kind: Spool['kind'];
  format: BodyFormat;
  /** What of the restaurant decides on dates, hours and pay. */
  place: EntryPlace;
  /** Where the spool is made, in a folder of its own. */
  spoolFolder: string;
}

export interface Read {
  /** Ready for the facts. Whoever asked for it removes its folder. */
  spool: Spool;
  /** Records of the body. */
  count: number;
  /** Those of them that could not be read; `index` is the 0-based place in the body. */
  rejected: { index: number; guid: string | null; pointer: string; message: string }[];
}

/** One of `readBody` and `ReadThread.read`. */
export type ReadBody = (query: ReadQuery, body: AsyncIterable<Buffer>) => Promise<Read>;

/**
 * Reads a body into a spool. When it throws nothing is left of it: Problem invalid_json or too_many_rejected, a full
 * disk, or whatever ended the body early.
 */
export async function readBody(
  { kind, format, place, spoolFolder }: ReadQuery,
  body: AsyncIterable<Buffer>,
): Promise<Read> {
  const writer = await openSpool(spoolFolder, kind);
  try {
    const read = kind === 'orders' ? readOrder : readEntry;
    const rejected: Read['rejected'] = [];
    let count = 0;
    for await (const batch of records(body, format)) {
      for (const bytes of batch) {
        const refusal = bytes === null ? TOO_LARGE : read(parse(bytes, count), count, place, writer);
        if (refusal) {
          const { guid, pointer, message } = refusal;
          rejected.push({ index: count, guid, pointer, message });
          if (rejected.length > MOST_REJECTED) {
            throw new Problem('too_many_rejected', `More than ${MOST_REJECTED} records could not be read.`);
          }
        }
        count++;
      }
      await writer.drain();
      // Chunks that have come together are read one after the other without a turn of the event loop between them:
      // other loads would wait for all of them. A chunk takes about a millisecond.
      await setImmediate();
    }
    await writer.finish();
    return { spool: writer.spool, count, rejected };
  } catch (error) {
    await writer.remove();
    throw error;
  }
}

function parse(bytes: Buffer, index: number): unknown {
  if (isUtf8(bytes)) {
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw new Problem('invalid_json', `Record ${index} of the body is not valid JSON.`, { cause: error });
    }
  }
  throw new Problem('invalid_json', `Record ${index} of the body is not valid UTF-8.`);
}

function readOrder(source: unknown, seq: number, place: EntryPlace, writer: SpoolWriter): Rejected | undefined {
  const facts = orderFacts(source, seq, place);
  if (!('order' in facts)) return facts;
  writer.order(facts.order);
  for (const check of facts.checks) writer.check(check);
  return undefined;
}

function readEntry(source: unknown, seq: number, place: EntryPlace, writer: SpoolWriter): Rejected | undefined {
  const fact = entryFacts(source, seq, place);
  if ('pointer' in fact) return fact;
  writer.shift(fact);
  return undefined;
}
