/**
 * What a client accepts (RFC 9110 12.5), the content encodings that a body may have, and texts that are compressed when
 * first requested.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { Problem } from '../contract/problems.ts';
import type { Coding } from '../files/files.ts';

export type AcceptedCoding = Coding | 'identity';

/**
 * Our preference if the client accepts several equally: the most bytes saved for the same time first
 * (docs/decisions/0006), plain last.
 */
const CODINGS = ['zstd', 'br', 'gzip', 'identity'];
/** Among those that only `*` allows: what every client that sends it can read, first. */
const UNNAMED: readonly string[] = ['gzip', 'identity', 'br', 'zstd'];
const isCoding = (name: string): name is AcceptedCoding => CODINGS.includes(name);

/** Whether an `Accept` header allows every type: an empty list (RFC 9110 5.6.1) is like no header (12.5.1). */
export const acceptsAnything = (accept: string | undefined): boolean => accept === undefined || /^[\s,]*$/.test(accept);

/** An option that negotiator's types lack. */
interface Preferring {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

/**
 * The content encodings that `Accept-Encoding` allows, best first; empty if it allows none of ours. Without the header:
 * plain bytes.
 */
export function acceptedCodings(header: string | string[] | undefined): readonly AcceptedCoding[] {
  if (header === undefined) return ['identity'];
  // The same (RFC 9110 8.4.1.3).
  const accepted = String(header).toLowerCase().replaceAll('x-gzip', 'gzip');
  const named = new Set(accepted.split(',').map((one) => one.split(';')[0]?.trim()));
  const preferred = [...CODINGS.filter((one) => named.has(one)), ...UNNAMED.filter((one) => !named.has(one))];
  const negotiator: Preferring = new Negotiator({ headers: { 'accept-encoding': accepted } });
  return negotiator.encodings(CODINGS, { preferred }).filter(isCoding);
}

/** The content encoding of an answer that is sent in any case: plain if the client refuses all of ours. */
export const codingFor = (header: string | string[] | undefined): AcceptedCoding =>
  acceptedCodings(header)[0] ?? 'identity';

/** Shorter answers are not compressed: head and body fit one packet either way. */
const LEAST_CODED_LENGTH = 1024;

/** Runs in the thread pool: the list of 1,000 restaurants, 300 kB, takes 1 ms with zstd, 4 ms with gzip or br. */
const CODERS: Record<Coding, (text: string) => Promise<Buffer>> = {
  zstd: promisify(zstdCompress),
  gzip: promisify(gzip),
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** A text and its compressed copies, each made once. */
export interface CodedText {
  readonly text: string;
  /** The text in this content encoding; a short one is never compressed. */
  in(coding: AcceptedCoding): string | Promise<Buffer>;
}

/** Keep the result if the text is sent to several clients. */
export function codedText(text: string): CodedText {
  const copies = new Map<Coding, Promise<Buffer>>();
  return {
    text,
    in(coding) {
      if (coding === 'identity' || text.length < LEAST_CODED_LENGTH) return text;
      const copy = copies.get(coding) ?? CODERS[coding](text);
      copies.set(coding, copy);
      return copy;
    },
  };
}

/** The bytes to send in this content encoding, with `Content-Encoding` if they are compressed. */
export async function inCoding(reply: FastifyReply, text: CodedText, coding: AcceptedCoding): Promise<string | Buffer> {
  const body = await text.in(coding);
  if (typeof body !== 'string') reply.header('content-encoding', coding);
  return body;
}

/** Adds a name to `Vary`. */
export function varyBy(reply: FastifyReply, ...names: string[]): void {
  const { vary } = reply.getHeaders();
  reply.header('vary', [...(vary ? [String(vary)] : []), ...names].join(', '));
}

/**
 * Compresses all texts that the app answers, of the media types that begin so, which are neither compressed already nor
 * have an entity tag.
 */
export function compressTexts(app: FastifyInstance, ...types: readonly string[]): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    const isLong =
      typeof payload === 'string' &&
      payload.length >= LEAST_CODED_LENGTH &&
      reply.statusCode === 200 &&
      (request.method === 'GET' || request.method === 'HEAD') &&
      typeof type === 'string' &&
      types.some((one) => type.startsWith(one)) &&
      !reply.hasHeader('content-encoding') &&
      !reply.hasHeader('etag');
    if (!isLong) return done(null, payload);
    varyBy(reply, 'Accept-Encoding');
    const coding = codingFor(request.headers['accept-encoding']);
    if (coding === 'identity') return done(null, payload);
    inCoding(reply, codedText(payload), coding).then((body) => done(null, body), done);
  });
}

/** The content encoding of a request's body in lower case; undefined or empty without one. */
export const codingOf = (headers: IncomingHttpHeaders): string | undefined =>
  headers['content-encoding']?.trim().toLowerCase();

/**
 * Refuses bodies in a content encoding that their operation does not take, before they are read. Those of operations
 * with refusals of their own are left to them.
 */
export function refuseCodings(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers, routeOptions }, _reply, _payload, done) => {
    const { body } = routeOptions.config.operation ?? {};
    const coding = codingOf(headers);
    if (!coding || !body || body.refusals === 'own') return done();
    const taken = [...(body.gzip ? ['gzip', 'x-gzip'] : []), 'identity'];
    if (taken.includes(coding)) return done();
    const named = body.gzip ? 'gzip or identity' : 'identity, or missing';
    done(
      new Problem('unsupported_media_type', `The Content-Encoding of this operation must be ${named}.`, {
        headers: { 'accept-encoding': body.gzip ? 'gzip, identity' : 'identity' },
      }),
    );
  });
}
