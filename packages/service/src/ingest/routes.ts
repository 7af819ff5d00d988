/** Loading orders and time entries: METRICS 5, CONTRACT 4 "Loading". */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { SCOPE_INGEST } from '../contract/words.ts';
import type { Facts, Spool } from '../facts/facts.ts';
import { findRestaurant } from '../ledger/find.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatOf, plainBytes } from './body.ts';
import { type Loaded, load } from './load.ts';

export interface IngestDeps {
  ledger: Ledger;
  facts: Facts;
  access: Access;
  spoolFolder: string;
  config: { maxExpansion: number };
}

/** POST /restaurants/{guid}/orders and /time-entries, under the base. */
export async function ingestRoutes(app: FastifyInstance, deps: IngestDeps): Promise<void> {
  const { ledger, config } = deps;
  const onRequest = requireScope(deps.access, SCOPE_INGEST);
  // The body is streamed: no parser may gather it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));

  async function post(kind: Spool['kind'], request: FastifyRequest, reply: FastifyReply): Promise<Loaded> {
    const { restaurantGuid } = request.params as { restaurantGuid: string };
    try {
      const restaurant = await findRestaurant(ledger, callerOf(request).group, restaurantGuid);
      const format = formatOf(request.headers['content-type']);
      const body = plainBytes(request.raw as Readable, request.headers['content-encoding'], config.maxExpansion);
      return await load(deps, restaurant, kind, body, format);
    } catch (error) {
      // What is left of the body is not read: the connection cannot be used again.
      if (!request.raw.complete) reply.header('connection', 'close');
      throw error;
    }
  }

  app.post('/restaurants/:restaurantGuid/orders', { onRequest }, (request, reply) => post('orders', request, reply));
  app.post('/restaurants/:restaurantGuid/time-entries', { onRequest }, (request, reply) =>
    post('shifts', request, reply),
  );
}
