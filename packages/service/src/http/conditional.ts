/**
 * JSON with an entity tag: answered 304 as long as the client has the current version (RFC 9110 13). An operation that
 * describes a 304 has one.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Text } from '../contract/schemas.ts';
import { type CodedText, codedText, codingFor, inCoding, varyBy } from './content-coding.ts';
import { type Answer, type Header, json, type Parameter } from './operation.ts';

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** A strong entity tag, made from everything that determines the bytes. */
export const etagOfAll = (...parts: readonly unknown[]): string => tagOf(JSON.stringify(parts));

/** Whether `If-None-Match` has the tag, strong or weak. */
function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/**
 * Sends the JSON, compressed if the client accepts that, or 304 if the client has it; `json` is not called then. `etag`
 * is the tag of the uncompressed bytes; each content encoding gets its own, as strong tags must (RFC 9110 8.8.3.3).
 */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  json: () => CodedText | Promise<CodedText>,
): Promise<FastifyReply> {
  const body = await bodyTagged(request, reply, etag, json);
  return body === undefined ? reply.send() : reply.type('application/json; charset=utf-8').send(body);
}

/** The body, or undefined if the client has it; the status and the headers of the reply are set. */
async function bodyTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  json: () => CodedText | Promise<CodedText>,
): Promise<string | Buffer | undefined> {
  const coding = codingFor(request.headers['accept-encoding']);
  const own = coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`;
  const current = hasTag(request.headers['if-none-match'], own);
  const body = current ? undefined : await inCoding(reply, await json(), coding);
  // Only now: with the tag on an error of `json`, the next call would be a 304, as if the client had the answer.
  varyBy(reply, 'Accept-Encoding', 'Authorization');
  reply.headers({ etag: own, 'cache-control': 'private, no-cache' });
  if (body === undefined) reply.status(304);
  return body;
}

/** Gives the answers of operations that describe a 304 and set no entity tag the tag of their bytes. */
export function tagJson(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const describes304 = request.routeOptions.config.operation?.answers[304] !== undefined;
    if (!describes304 || reply.statusCode !== 200 || typeof payload !== 'string' || reply.hasHeader('etag'))
      return payload;
    // As it is: as one of the parts above, a text of 22 MB took another 0.2 s of the event loop.
    const body = await bodyTagged(request, reply, tagOf(payload), () => codedText(payload));
    if (body !== undefined) return body;
    reply.removeHeader('content-type');
    // The framework measures the payload of HEAD, which is dropped with its length (host-and-body.ts).
    return request.method === 'HEAD' ? '' : null;
  });
}

/** The request header of an operation with an entity tag. */
export const ifNoneMatch: Parameter = {
  in: 'header',
  name: 'If-None-Match',
  description: 'The `ETag` that the client has: 304 if it is still current',
  schema: Text('"4f1c"'),
};

/** Headers of every answer with an entity tag. */
export const TAGGED: Record<'ETag' | 'Cache-Control', Header> = {
  ETag: {
    description: 'Identifies these bytes: each format, dialect and content coding has its own',
    schema: Text('"4f1c"'),
  },
  'Cache-Control': { description: 'May be stored, must be revalidated', schema: Text('private, no-cache') },
};
const headers: Record<string, Header> = {
  ETag: TAGGED.ETag,
  'Cache-Control': TAGGED['Cache-Control'],
  Vary: { description: 'What the answer depends on', schema: Text('Accept-Encoding, Authorization') },
};

const CODING: Header = { description: 'Missing if the body is not compressed', schema: Text('zstd'), optional: true };

/** The answers of such an operation; `more` are headers of both. */
export const taggedAnswers = (
  description: string,
  schema: TSchema,
  more: Record<string, Header> = {},
): Record<200 | 304, Answer> => ({
  200: {
    description,
    headers: { ...headers, ...more, 'Content-Encoding': CODING },
    content: json(schema),
  },
  304: { description: 'The `ETag` in `If-None-Match` is still current', headers: { ...headers, ...more } },
});
