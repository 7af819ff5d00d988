/**
 * Splits a body, a JSON array or NDJSON, into its records, holding only one of them in memory; and writes records as
 * NDJSON.
 */
import { placeText, type TextPlace } from '../contract/json.ts';
import { Problem } from '../contract/problems.ts';
import { CLOSE_BRACKET, COMMA, createElementScan, isBlank, OPEN_BRACKET } from './element-scan.ts';

export type BodyFormat = 'array' | 'ndjson';
/** The bytes of one record, or null if it is longer than a record may be. */
type RecordBytes = Buffer | null;

export const MAX_RECORD_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The records that a chunk completes. */
export interface Batch {
  records: RecordBytes[];
  /** Where a record of the batch begins in the body. */
  placeOf(index: number): TextPlace;
}

/** Marks a record that began in an earlier chunk. */
const EARLIER = -1;

interface Split {
  records: RecordBytes[];
  /** Where in the chunk each begins, or EARLIER. */
  starts: number[];
  /** Where in the chunk an incomplete record begins. */
  opened: number | undefined;
  /** Where in the chunk the body stops being an array; nothing after it was read. */
  fault?: { offset: number; message: string };
}

/** Takes the body in pieces. */
interface Splitter {
  push(chunk: Buffer): Split;
  /** The records that the end of the body completes; or what is missing, and whether a record is incomplete. */
  end(): { records: RecordBytes[]; missing?: string; isOpen?: boolean };
}

/**
 * The records of a body, in a batch for each chunk. A UTF-8 byte order mark at the start is skipped. The records
 * themselves are not parsed. Throws Problem invalid_json if the body is not one array, with the place where it stops
 * being one.
 */
export async function* records(
  chunks: AsyncIterable<Buffer>,
  format: BodyFormat,
  maxRecordBytes = MAX_RECORD_BYTES,
): AsyncGenerator<Batch> {
  const splitter = format === 'array' ? splitArray(maxRecordBytes) : splitLines(maxRecordBytes);
  /** The places of the current chunk, and of the record that an earlier one began. */
  let start: TextPlace = { line: 1, column: 1 };
  let earlier = start;
  let marked = 0;
  for await (const whole of chunks) {
    let from = 0;
    while (marked < BYTE_ORDER_MARK.length && from < whole.length) {
      if (whole[from] === BYTE_ORDER_MARK[marked]) {
        from++;
        marked++;
      } else if (marked === 0) {
        marked = BYTE_ORDER_MARK.length;
      } else {
        throw broken('The body does not start as UTF-8 text.');
      }
    }
    if (from === whole.length) continue;
    const chunk = from === 0 ? whole : whole.subarray(from);
    const { records: found, starts, opened, fault } = splitter.push(chunk);
    const [chunkStart, open] = [start, earlier];
    const placeAt = (at: number): TextPlace => placeInChunk(chunk, at, chunkStart);
    yield { records: found, placeOf: (index) => (starts[index] === EARLIER ? open : placeAt(starts[index] ?? 0)) };
    if (fault) throw broken(`The body is not one JSON array: ${placeText(placeAt(fault.offset))}: ${fault.message}.`);
    if (opened !== undefined) earlier = placeAt(opened);
    const lines =
      opened === undefined ? newlinesIn(chunk) : earlier.line - start.line + newlinesIn(chunk.subarray(opened));
    // The column is not counted in a line that spans chunks, because every chunk would have to be decoded.
    start = { line: start.line + lines, column: chunk.at(-1) === NEWLINE ? 1 : undefined };
  }
  if (marked > 0 && marked < BYTE_ORDER_MARK.length) throw broken('The body does not start as UTF-8 text.');
  const { records: last, missing, isOpen } = splitter.end();
  if (missing)
    throw broken(isOpen ? `${missing} The record that begins in ${placeText(earlier)} is not closed.` : missing);
  yield { records: last, placeOf: () => earlier };
}

/** The place of a byte of a chunk that begins at `start`. */
function placeInChunk(chunk: Buffer, at: number, start: TextPlace): TextPlace {
  const lineStart = at === 0 ? 0 : chunk.lastIndexOf(NEWLINE, at - 1) + 1;
  const line = start.line + newlinesIn(chunk.subarray(0, lineStart));
  const before = lineStart > 0 ? 1 : start.column;
  return { line, column: before === undefined ? undefined : before + chunk.toString('utf8', lineStart, at).length };
}

function newlinesIn(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

const broken = (message: string): Problem => new Problem('invalid_json', message);

/** Holds the bytes of a record that spans chunks, in a buffer that is passed on with the record. */
function createCarry(maxRecordBytes: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(bytes: Buffer): void {
      const total = length + bytes.length;
      // One byte more than the maximum shows that the record is too long; the rest is not kept.
      if (length > maxRecordBytes) return;
      if (total > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.min(Math.max(total, buffer.length * 2, 65_536), maxRecordBytes + 1));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      bytes.copy(buffer, length);
      length = Math.min(total, buffer.length);
    },
    /** Ends the record with these bytes and returns it. */
    take(bytes: Buffer): RecordBytes {
      if (length === 0) return bytes.length > maxRecordBytes ? null : bytes;
      this.add(bytes);
      const whole = length > maxRecordBytes ? null : buffer.subarray(0, length);
      length = 0;
      // The same chunk may begin another record, which must not overwrite this one.
      if (whole !== null) buffer = Buffer.alloc(0);
      return whole;
    },
  };
}

function splitLines(maxRecordBytes: number): Splitter {
  const carry = createCarry(maxRecordBytes);
  let isOpen = false;
  const isRecord = (record: RecordBytes): boolean => record === null || record.some((byte) => !isBlank(byte));
  return {
    push(chunk) {
      const found: RecordBytes[] = [];
      const starts: number[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const record = carry.take(chunk.subarray(start, end));
        if (isRecord(record)) {
          found.push(record);
          starts.push(isOpen ? EARLIER : start);
        }
        isOpen = false;
        start = end + 1;
      }
      if (start === chunk.length) return { records: found, starts, opened: undefined };
      carry.add(chunk.subarray(start));
      const opened = isOpen ? undefined : start;
      isOpen = true;
      return { records: found, starts, opened };
    },
    end() {
      const record = carry.take(Buffer.alloc(0));
      return { records: isRecord(record) ? [record] : [] };
    },
  };
}

/** The position of the next byte in the array. */
type ScanState = 'before' | 'first' | 'next' | 'inside' | 'between' | 'after';

/** The state after a byte outside of elements, or what is wrong with it. */
function step(place: ScanState, byte: number): ScanState | { fault: string } {
  if (isBlank(byte)) return place;
  if (place === 'before' && byte === OPEN_BRACKET) return 'first';
  if (place === 'between' && byte === COMMA) return 'next';
  if ((place === 'between' || place === 'first') && byte === CLOSE_BRACKET) return 'after';
  if (place === 'before') return { fault: 'an array is expected, which begins with [' };
  if (place === 'after') return { fault: 'something follows the array' };
  if (place === 'between') return { fault: 'a comma or ] is expected here' };
  return { fault: 'a value is expected here' };
}

function splitArray(maxRecordBytes: number): Splitter {
  const carry = createCarry(maxRecordBytes);
  const element = createElementScan();
  let place: ScanState = 'before';
  return {
    push(chunk) {
      const found: RecordBytes[] = [];
      const starts: number[] = [];
      let at = 0;
      let start = 0;
      let began = EARLIER;
      while (at < chunk.length) {
        if (place === 'inside') {
          const end = element.end(chunk, at);
          if (end < 0) {
            carry.add(chunk.subarray(start));
            return { records: found, starts, opened: began === EARLIER ? undefined : began };
          }
          found.push(carry.take(chunk.subarray(start, end)));
          starts.push(began);
          place = 'between';
          at = end;
          continue;
        }
        const byte = chunk[at] ?? 0;
        const opens = (place === 'first' || place === 'next') && !isBlank(byte) && byte !== COMMA;
        if (opens && byte !== CLOSE_BRACKET) {
          start = at;
          began = at;
          place = 'inside';
          at = element.begin(byte, at);
        } else {
          const next: ReturnType<typeof step> = step(place, byte);
          if (typeof next !== 'string')
            return { records: found, starts, opened: undefined, fault: { offset: at, message: next.fault } };
          place = next;
          at++;
        }
      }
      // A string element whose opening quote is the chunk's last byte has begun, but has not been scanned yet.
      if (place !== 'inside' || !element.isString()) return { records: found, starts, opened: undefined };
      carry.add(chunk.subarray(start));
      return { records: found, starts, opened: began };
    },
    end() {
      if (place === 'before') return { records: [], missing: 'The body is empty; a JSON array is required.' };
      return place === 'after'
        ? { records: [] }
        : { records: [], missing: 'The body ends before its array does.', isOpen: place === 'inside' };
    },
  };
}

/** The records as a body with one JSON text per line, in pieces. */
export function* ndjson(records: readonly object[]): Generator<Buffer> {
  for (let from = 0; from < records.length; from += 200) {
    const part = records.slice(from, from + 200).map((record) => JSON.stringify(record));
    yield Buffer.from(`${part.join('\n')}\n`);
  }
}
