/** GET /openapi.json, at the origin and without a token (docs/contract.md#openapi). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dialect } from '../contract/words.ts';
import { compressJson } from '../http/content-coding.ts';
import { describeRoutes } from './describe-routes.ts';
import { dialectParameter, getDescription } from './openapi-operations.ts';

export interface OpenapiDeps {
  bases: readonly string[];
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
}

/** Placeholder for the called origin in the cached text. */
const ORIGIN = 'http://origin.invalid';

export async function openapiRoutes(app: FastifyInstance, { bases, origin }: OpenapiDeps): Promise<void> {
  compressJson(app);
  const texts = new Map<Dialect | undefined, string>();
  app.get('/openapi.json', { config: { operation: getDescription } }, (request, reply) => {
    const dialect = dialectParameter.read(request.query as Record<string, unknown>);
    // Made at the first request, when all routes have been added, and cached: it takes about 10 ms.
    const text =
      texts.get(dialect) ?? JSON.stringify(describeRoutes(app.routeTable, { origin: ORIGIN, bases, dialect }));
    texts.set(dialect, text);
    const called = JSON.stringify(origin(request)).slice(1, -1);
    return reply.type('application/json; charset=utf-8').send(text.replaceAll(ORIGIN, () => called));
  });
}
