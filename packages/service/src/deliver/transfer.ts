/** Sends a representation: 304 for a client that has it (RFC 9110 13), the requested range (14), or all of it. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import type { ResultFile } from '../results/results.ts';
import type { Choice } from './negotiate.ts';
import { etagOf, type Rendered, type Representation } from './representations.ts';

interface ByteRange {
  /** Inclusive, like `end`. */
  start: number;
  end: number;
}

/**
 * The single range that a Range header requests of this many bytes: `undefined` if everything is to be sent (no header,
 * another unit, a malformed one, several ranges), `null` if the range does not exist. (`range-parser` is not used: it
 * treats a suffix longer than the whole, and a range that ends before it starts, as one that does not exist.)
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | null | undefined {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  // The last bytes of nothing are nothing, which is everything there is (RFC 9110 14.1.2).
  if (bytes === 0 && from === '' && Number(to) > 0) return undefined;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > end ? null : { start, end };
}

/**
 * The entity tag in `If-None-Match` that is current: of any encoding that the client accepts, since each is the same
 * form.
 * `undefined` if there is none.
 */
export function heldTag(header: string | undefined, rendered: Rendered, { codings }: Choice): string | undefined {
  if (header === undefined) return undefined;
  const [best = 'identity'] = codings;
  if (header.trim() === '*') return etagOf(rendered, best);
  const tags = new Set(header.match(/"[^"]*"/g));
  return codings.map((coding) => etagOf(rendered, coding)).find((tag) => tags.has(tag));
}

/** Throws Problem 412 if `If-Match` (RFC 9110 13.1.1) names other bytes than these. A weak tag never matches. */
function requireMatch(header: string | undefined, etag: string): void {
  if (header === undefined || header.trim() === '*') return;
  const tags = [...header.matchAll(/(W\/)?("[^"]*")/g)];
  if (!tags.some(([, weak, tag]) => !weak && tag === etag))
    throw new Problem('precondition_failed', `If-Match does not match the current ETag: ${etag}.`);
}

/** Sends the 304 past the framework, which would add a length to one of HEAD. */
export async function notModified(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { rendered, etag }: { rendered: Rendered; etag: string },
  beforeSend: () => void | Promise<void>,
): Promise<FastifyReply> {
  requireMatch(headers['if-match'], etag);
  reply.headers(rendered.common).header('etag', etag);
  await beforeSend();
  reply.hijack();
  reply.raw.writeHead(304, reply.getHeaders() as OutgoingHttpHeaders);
  reply.raw.end();
  return reply;
}

/** Whether `Want-Repr-Digest` (RFC 9530) requests sha-256, the only supported digest. */
export function wantsDigest(header: string | string[] | undefined): boolean {
  const [, weight] = /(?:^|,)\s*sha-256\s*=\s*(\d+)/.exec(String(header ?? '')) ?? [];
  return Number(weight ?? 0) > 0;
}

/**
 * Answers 200, 206, 412 or 416, past the framework. `beforeSend` sets headers that the framework adds to other answers.
 */
export async function transfer(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, bytes, headers, content }: Representation,
  beforeSend: () => void | Promise<void>,
): Promise<FastifyReply> {
  requireMatch(request.headers['if-match'], etag);
  reply.headers(headers);
  const { range, 'if-range': ifRange } = request.headers;
  // Ranges apply to GET only; a date or a weak tag in If-Range never proves that the bytes are the same.
  const requestedRange = request.method === 'GET' && (ifRange === undefined || ifRange === etag) ? range : undefined;
  const part = readRange(requestedRange, bytes);
  if (part === null) {
    for (const name of Object.keys(headers)) reply.removeHeader(name);
    const unsatisfied = { 'content-range': `bytes */${bytes}`, 'accept-ranges': 'bytes' };
    throw new Problem('range_not_satisfiable', `There are ${bytes} bytes, and none in the range ${range}.`, {
      headers: unsatisfied,
    });
  }
  if (part) {
    reply.status(206).headers({
      'content-range': `bytes ${part.start}-${part.end}/${bytes}`,
      'content-length': String(part.end + 1 - part.start),
    });
  }
  await beforeSend();
  if (!Buffer.isBuffer(content)) return await stream(content, part, reply);
  reply.hijack();
  const body = part ? content.subarray(part.start, part.end + 1) : content;
  atEndOfTurn(() => {
    // An answer that fails must not keep the others from being sent.
    try {
      reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
      reply.raw.end(request.method === 'HEAD' ? undefined : body);
    } catch {
      reply.raw.destroy();
    }
  });
  return reply;
}

const leaving: (() => void)[] = [];

/**
 * Sends answers from memory together when the turn of the event loop ends. More than half of the cost of such an answer
 * is the system call that sends it, and half as much again if that wakes a reader: one by one it was 34,000 answers a
 * second, now 43,000.
 */
function atEndOfTurn(send: () => void): void {
  if (leaving.push(send) > 1) return;
  setImmediate(() => {
    for (const one of leaving.splice(0)) one();
  });
}

/**
 * Past the framework, whose streams were a third slower. A failure in the middle cuts the answer off; an earlier one is
 * thrown.
 */
async function stream(file: ResultFile, part: ByteRange | undefined, reply: FastifyReply): Promise<FastifyReply> {
  const begin = (): void => {
    reply.hijack();
    reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  };
  try {
    // For HEAD the framework would send a length of 0.
    if (reply.request.method === 'HEAD') begin();
    else await file.copy(reply.raw, part, begin);
    reply.raw.end();
  } catch (error) {
    if (!reply.raw.headersSent) throw error;
    reply.raw.destroy();
  }
  return reply;
}
