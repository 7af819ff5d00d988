/** Refuses what an operation does not declare: unknown query parameters, and a body where it has none. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { queryOf, refuseUnknown } from './query-parameters.ts';

const OF_BODY = ['content-type', 'content-length', 'transfer-encoding'] as const;

/** Whether a chunked body is not empty: reads its first bytes. */
async function hasChunks({ raw }: FastifyRequest): Promise<boolean> {
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) if (chunk.length > 0) return true;
  return false;
}

/**
 * Adds the check to all operations, after the token and the limits of a call: a misspelt filter would list others, and
 * `dryRun` where it is unknown would change what is stored. Call it before the routes.
 */
export function refuseUndeclared(app: FastifyInstance): void {
  /** Requests with a body that nothing parses, and whether it is chunked. */
  const unparsed = new WeakMap<FastifyRequest, boolean>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, routeOptions, is404 } = request;
    const { operation } = routeOptions.config;
    // Neither is the body of a request parsed for which there is no operation: an error in it would hide that.
    if (is404 || (operation !== undefined && operation.body === undefined)) {
      const isChunked = headers['transfer-encoding'] !== undefined;
      if (isChunked || Number(headers['content-length'] ?? 0) > 0) unparsed.set(request, isChunked);
      for (const name of OF_BODY) delete headers[name];
    }
    done();
  });

  // Before a body is read.
  app.addHook('preParsing', async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return;
    const { parameters = [], anyQuery = false } = operation;
    if (!anyQuery)
      refuseUnknown(
        queryOf(request),
        parameters.filter((one) => one.in === 'query'),
      );
    const isChunked = unparsed.get(request);
    if (isChunked === false || (isChunked && (await hasChunks(request))))
      throw new Problem('invalid_body', 'This operation takes no body.');
  });
}
