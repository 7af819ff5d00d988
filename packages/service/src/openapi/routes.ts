/** GET /openapi.json, at the origin and without a token (docs/contract.md#openapi). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { etagOfAll, sendTagged } from '../http/conditional.ts';
import { type CodedText, codedText } from '../http/content-coding.ts';
import { keepMost } from '../kept.ts';
import { describeRoutes } from './openapi.ts';
import { dialectParameter, getDescription } from './openapi-operations.ts';

interface OpenapiDeps {
  bases: readonly string[];
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
}

/**
 * Of a dialect and an origin, of which a service has few: each is made at its first request, in some 10 ms, and
 * compressed once.
 */
const KEPT = 16;

export async function openapiRoutes(app: FastifyInstance, { bases, origin }: OpenapiDeps): Promise<void> {
  const documents = keepMost<{ etag: string; json: CodedText }>(KEPT);
  app.get('/openapi.json', { config: { operation: getDescription } }, (request, reply) => {
    const dialect = dialectParameter.read(request.query as Record<string, unknown>);
    const called = origin(request);
    const key = JSON.stringify([dialect, called]);
    let document = documents.get(key);
    if (!document) {
      const text = JSON.stringify(describeRoutes(app.routeTable, { origin: called, bases, dialect }));
      document = { etag: etagOfAll(text), json: codedText(text) };
      documents.set(key, document);
    }
    const { etag, json } = document;
    return sendTagged(request, reply, etag, () => json);
  });
}
