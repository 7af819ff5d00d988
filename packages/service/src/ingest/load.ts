/** One load: a body of source records becomes facts, all of them in one step (METRICS 5). */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { Facts, Spool } from '../facts/facts.ts';
import type { Restaurant } from '../ledger/ledger.ts';
import { Problem } from '../problems.ts';
import { entryFacts } from './entry.ts';
import { orderFacts } from './order.ts';
import { type BodyFormat, MAX_RECORD_BYTES, records } from './records.ts';
import type { Rejected } from './source.ts';
import { openSpool, type SpoolWriter } from './spool.ts';

/** Above this a body is refused whole: it is not the kind of data that was asked for. */
const MOST_REJECTED = 100_000;
const TOO_LARGE: Rejected = { pointer: '', message: `the record is longer than ${MAX_RECORD_BYTES} bytes`, guid: null };

export interface LoadDeps {
  facts: Facts;
  /** Where loads are spooled; made when missing. */
  spoolFolder: string;
}

export interface LoadAnswer {
  /** Records that now stand, equal versions included. */
  accepted: number;
  /** Records older than what was there. */
  unchanged: number;
  /** Records that could not be read; `index` is the 0-based place in the body. */
  rejected: { index: number; guid: string | null; pointer: string; message: string }[];
}

/**
 * Loads a body of orders or time entries in constant memory. What it answers as accepted is on disk; when it throws,
 * nothing of the body is kept: Problem invalid_json or too_many_rejected, the engine's errors, a full disk, or whatever
 * ended the body early.
 */
export async function load(
  deps: LoadDeps,
  restaurant: Restaurant,
  kind: Spool['kind'],
  body: AsyncIterable<Buffer>,
  format: BodyFormat,
): Promise<LoadAnswer> {
  const writer = await openSpool(deps.spoolFolder, kind);
  try {
    const read = kind === 'orders' ? readOrder : readEntry;
    const rejected: LoadAnswer['rejected'] = [];
    let index = 0;
    for await (const batch of records(body, format)) {
      for (const bytes of batch) {
        const refusal = bytes === null ? TOO_LARGE : read(parse(bytes, index), index, restaurant, writer);
        if (refusal) {
          const { guid, pointer, message } = refusal;
          rejected.push({ index, guid, pointer, message });
          if (rejected.length > MOST_REJECTED) {
            throw new Problem('too_many_rejected', `More than ${MOST_REJECTED} records could not be read.`);
          }
        }
        index++;
      }
      await writer.drain();
      // Chunks that have come together are read one after the other without a turn of the event loop between them:
      // whoever else is served would wait for all of them. A chunk takes about a millisecond.
      await setImmediate();
    }
    if (index === rejected.length) return { accepted: 0, unchanged: 0, rejected };
    await writer.finish();
    const { accepted, unchanged } = await deps.facts.merge(restaurant.id, writer.spool);
    return { accepted, unchanged, rejected };
  } finally {
    await writer.remove();
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

function readOrder(source: unknown, seq: number, restaurant: Restaurant, writer: SpoolWriter): Rejected | undefined {
  const facts = orderFacts(source, seq, restaurant);
  if (!('order' in facts)) return facts;
  writer.order(facts.order);
  for (const check of facts.checks) writer.check(check);
  return undefined;
}

function readEntry(source: unknown, seq: number, restaurant: Restaurant, writer: SpoolWriter): Rejected | undefined {
  const fact = entryFacts(source, seq, restaurant);
  if ('pointer' in fact) return fact;
  writer.shift(fact);
  return undefined;
}
