/** GET /openapi.json, at the origin and without a token (CONTRACT 3, Description). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describeRoutes } from './description.ts';
import { getDescription } from './operations.ts';

export interface DescriptionDeps {
  bases: readonly string[];
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
}

/** Stands in the text that is kept for whichever origin is called. */
const ORIGIN = 'http://origin.invalid';

export async function descriptionRoutes(app: FastifyInstance, { bases, origin }: DescriptionDeps): Promise<void> {
  let text: string | undefined;
  app.get('/openapi.json', { config: { operation: getDescription } }, (request, reply) => {
    // Routes may be added after this one: they are all there with the first request. It takes about 10 ms, so once.
    text ??= JSON.stringify(describeRoutes(app.routeTable, { origin: ORIGIN, bases }));
    const called = JSON.stringify(origin(request)).slice(1, -1);
    return reply.type('application/json; charset=utf-8').send(text.replaceAll(ORIGIN, () => called));
  });
}
