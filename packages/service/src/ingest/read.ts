/** Reads a load: turns a body of source records into a spool, in constant memory. */
import { isAscii, isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { findFault, placeIn, placeText } from '../contract/json.ts';
import { Problem } from '../contract/problems.ts';
import type { LoadKind, Spool } from '../facts/load.ts';
import { ORDER_PARTS } from '../facts/order.ts';
import type { PaymentPlace } from './card-payment.ts';
import { type EntryPlace, entryFacts } from './entry.ts';
import { withDigest } from './facts-digest.ts';
import { lineText } from './line.ts';
import { createNotes, type LoadNote, type Notes } from './notes.ts';
import { orderFacts } from './order.ts';
import { type Batch, type BodyFormat, MAX_RECORD_BYTES, records } from './records.ts';
import { createRejections, type RejectedRecord } from './rejections.ts';
import { settlementFacts } from './settlement.ts';
import type { Rejected, UnknownWord } from './source.ts';
import { openSpool, type SpoolWriter } from './spool.ts';

/**
 * How long a body is read without yielding to the event loop. A chunk of orders takes about a millisecond; one with
 * 21,000 invalid records of a few bytes takes 200, and every other load would wait for it.
 */
const TURN_MS = 2;
/** How many records are read between two checks of the clock. */
const CLOCK_RECORDS = 16;
const TOO_LARGE: Rejected = { pointer: '', message: `the record is longer than ${MAX_RECORD_BYTES} bytes`, guid: null };

/** What to read, besides the bytes. */
interface ReadQuery {
  kind: Spool['kind'];
  format: BodyFormat;
  /** The settings of the restaurant that determine dates, hours and pay. */
  place: EntryPlace & PaymentPlace;
  /** The parent of the spool's own folder. */
  spoolFolder: string;
}

export interface Read {
  /** Ready for the facts. The caller removes it (`removeSpool`). */
  spool: Spool;
  /** How many records the body has. */
  count: number;
  /** The first 1,000 records that could not be read. */
  rejected: RejectedRecord[];
  /** How many could not be read, listed or not. */
  rejectedCount: number;
  /** The unknown words of its accepted records. */
  notes: LoadNote[];
}

/** A body that is read beside others. */
export interface OwnedQuery extends ReadQuery {
  /** The management group, among whose bodies it has its turn (reading-turns.ts). */
  group: string;
}

/** The type of `readBody` and `ReadThread.read`. */
export type ReadBody = (query: OwnedQuery, body: AsyncIterable<Buffer>) => Promise<Read>;

/**
 * Reads a body into a spool. When it throws, no file is left behind. Throws Problem invalid_json or too_many_rejected,
 * the error of a full disk, or the error that ended the body. Between its pieces it waits for `untilTurn`.
 */
export async function readBody(
  { kind, format, place, spoolFolder }: ReadQuery,
  body: AsyncIterable<Buffer>,
  untilTurn: () => Promise<void> = setImmediate,
): Promise<Read> {
  const writer = openSpool(spoolFolder, kind);
  try {
    const read = READERS[kind];
    const rejections = createRejections();
    const notes = createNotes();
    const into = { place, writer, notes };
    let count = 0;
    for await (const batch of records(body, format)) {
      let until = performance.now() + TURN_MS;
      for (const [at, bytes] of batch.records.entries()) {
        const rejected = bytes === null ? TOO_LARGE : read(parse(bytes, count, batch, at), count, into);
        count++;
        if (rejected) {
          rejections.add(count - 1, rejected);
          rejections.check(count);
        }
        if (count % CLOCK_RECORDS === 0 && performance.now() > until) {
          await writer.drain();
          await untilTurn();
          until = performance.now() + TURN_MS;
        }
      }
      await writer.drain();
      // Chunks that arrived together would otherwise be read without yielding to the event loop,
      // and other loads would wait for all of them.
      await untilTurn();
    }
    const spool = await writer.finish();
    const { listed: rejected, count: rejectedCount } = rejections;
    return { spool, count, rejected, rejectedCount, notes: notes.list() };
  } catch (error) {
    await writer.remove();
    throw error;
  }
}

/** `index` is the place in the body, `at` in the batch. Throws Problem invalid_json, which names line and column. */
function parse(bytes: Buffer, index: number, batch: Batch, at: number): unknown {
  const isPlain = isAscii(bytes);
  const text = bytes.toString(isPlain ? 'latin1' : 'utf8');
  if (isPlain || isUtf8(bytes)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      const { offset, message } = findFault(text) ?? { offset: 0, message: String(error) };
      const place = placeIn(text, offset, batch.placeOf(at));
      // If the line began long before the record, only the characters of the record can be counted.
      const where =
        place.column === undefined ? `character ${offset + 1} of it, ${placeText(place)}` : placeText(place);
      throw new Problem('invalid_json', `The record with index ${index} is not valid JSON: ${where}: ${message}.`, {
        cause: error,
      });
    }
  }
  const place = placeIn(text, text.indexOf('\ufffd'), batch.placeOf(at));
  throw new Problem('invalid_json', `The record with index ${index} is not valid UTF-8: ${placeText(place)}.`);
}

/** What records are read into, and the settings that they are read by. */
interface Reading {
  place: EntryPlace & PaymentPlace;
  writer: SpoolWriter;
  notes: Notes;
}

/** Reads one record and adds its facts to the spool; returns why it cannot be read, if so. */
type Reader = (source: unknown, seq: number, reading: Reading) => Rejected | undefined;

const READERS: Record<LoadKind, Reader> = {
  orders(source, seq, { place, writer, notes }) {
    const unknown: UnknownWord[] = [];
    const facts = orderFacts(source, seq, place, unknown);
    if (!('order' in facts)) return facts;
    notes.add(seq, facts.order.order_guid, unknown);
    const lines = ORDER_PARTS.map((part) =>
      facts[part].map((row) => ('names' in row ? lineText(row) : JSON.stringify(row))),
    );
    writer.record(withDigest(JSON.stringify(facts.order), place.timeZone, lines));
    for (const [i, part] of ORDER_PARTS.entries()) for (const line of lines[i] ?? []) writer.part(part, line);
    return undefined;
  },
  shifts(source, seq, { place, writer }) {
    const fact = entryFacts(source, seq, place);
    if ('pointer' in fact) return fact;
    writer.record(withDigest(JSON.stringify(fact), place.timeZone));
    return undefined;
  },
  settlements(source, seq, { place, writer, notes }) {
    const unknown: UnknownWord[] = [];
    const fact = settlementFacts(source, seq, place, unknown);
    if ('pointer' in fact) return fact;
    notes.add(seq, fact.settlement_guid, unknown);
    writer.record(withDigest(JSON.stringify(fact), place.timeZone));
    return undefined;
  },
};
