/** Loading orders and time entries: METRICS 5, CONTRACT 4 "Loading". */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Access, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { type Trace, type Traced, untraced } from '../contract/trace.ts';
import { SCOPE_INGEST } from '../contract/words.ts';
import type { Facts, Spool } from '../facts/facts.ts';
import { findRestaurant } from '../ledger/find.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { discardRest, gunzippedBody, plainBody, readFormat, readGzip } from './body.ts';
import { type LoadAnswer, load } from './load.ts';
import type { ReadBody } from './read.ts';

export interface IngestDeps {
  ledger: Ledger;
  facts: Facts;
  access: Access;
  spoolFolder: string;
  readBody: ReadBody;
  config: { maxExpansion: number };
  /** Called with every body that was loaded. */
  onLoaded?: ((kind: Spool['kind'], answer: LoadAnswer) => void) | undefined;
  traced?: Traced | undefined;
  traceOf: (request: FastifyRequest) => Trace;
}

/** POST /restaurants/{guid}/orders and /time-entries, under the base. */
export async function ingestRoutes(app: FastifyInstance, deps: IngestDeps): Promise<void> {
  const { ledger, config } = deps;
  const onRequest = requireScope(deps.access, SCOPE_INGEST);
  // The body is streamed: no parser may gather it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  // Whatever was answered early, a missing token too: the client may still be sending.
  app.addHook('onResponse', async (request) => discardRest(request.raw));

  async function post(kind: Spool['kind'], request: FastifyRequest): Promise<LoadAnswer> {
    const { restaurantGuid } = request.params as { restaurantGuid: string };
    const restaurant = await findRestaurant(ledger, callerOf(request).group, restaurantGuid);
    const format = readFormat(request.headers['content-type']);
    const gzip = readGzip(request.headers['content-encoding']);
    const body = gzip ? gunzippedBody(request.raw, config.maxExpansion) : plainBody(request.raw);
    const work = () => load(deps, restaurant, kind, body, format);
    const attributes = { 'daypart.restaurant_guid': restaurant.guid };
    const answer = await (deps.traced ?? untraced)(`load ${kind}`, deps.traceOf(request), attributes, work);
    deps.onLoaded?.(kind, answer);
    return answer;
  }

  app.post('/restaurants/:restaurantGuid/orders', { onRequest }, (request) => post('orders', request));
  app.post('/restaurants/:restaurantGuid/time-entries', { onRequest }, (request) => post('shifts', request));
}
