/** JSON under an entity tag: sent once, and 304 for as long as a client has it (RFC 9110 13). */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Text } from './contract/schemas.ts';
import type { Answer, Header, Parameter } from './operation.ts';

/** A strong entity tag of everything that decides what the bytes are. */
export const etagOfAll = (...parts: readonly unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`;

/** Whether `If-None-Match` has the tag, strong or weak. */
function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/** Sends the JSON with its tag, or 304 to a client that has it: then `json` is never called. */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  json: () => string | Promise<string>,
): Promise<FastifyReply> {
  const { vary } = reply.getHeaders();
  reply.headers({
    etag,
    'cache-control': 'private, no-cache',
    vary: `${vary ? `${vary}, ` : ''}Authorization`,
  });
  if (hasTag(request.headers['if-none-match'], etag)) return reply.status(304).send();
  return reply.type('application/json; charset=utf-8').send(await json());
}

/** The request header of an operation that answers by `sendTagged`. */
export const ifNoneMatch: Parameter = {
  in: 'header',
  name: 'If-None-Match',
  description: 'The `ETag` that the client has: 304 if it is still current',
  schema: Text('"4f1c"'),
};

const headers = (etag: string): Record<string, Header> => ({
  ETag: { description: etag, schema: Text('"4f1c"') },
  'Cache-Control': { description: 'May be stored, must be revalidated', schema: Text('private, no-cache') },
  Vary: { description: 'What the answer depends on', schema: Text('Authorization') },
});

/** The answers of such an operation; `etag` says what the tag identifies. */
export const taggedAnswers = (description: string, etag: string, schema: TSchema): Record<200 | 304, Answer> => ({
  200: { description, headers: headers(etag), content: { 'application/json': schema } },
  304: { description: 'The `ETag` in `If-None-Match` is still current', headers: headers(etag) },
});
