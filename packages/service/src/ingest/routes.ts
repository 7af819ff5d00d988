/** Loading orders and time entries: docs/loading.md#orders-and-time-entries. */
import { createHash, type Hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { findAnswer, type KeyTurns, REPLAYED, readKey, useOf } from '../access/idempotency.ts';
import { type Places, takePlace } from '../access/places.ts';
import { findRestaurant } from '../access/restaurant.ts';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { type Trace, type Traced, untraced } from '../contract/trace.ts';
import { readGuid } from '../contract/words.ts';
import type { Facts } from '../facts/facts.ts';
import type { LoadKind, MergeCounts, Spool } from '../facts/load.ts';
import type { Operation } from '../http/operation.ts';
import type { IdempotencyLedger } from '../ledger/idempotency-key.ts';
import type { FingerprintKeyLedger } from '../ledger/keys.ts';
import { LedgerGone } from '../ledger/ledger.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { gunzippedBody, isGzip, isShort, plainBody, readFormat } from './body.ts';
import { fingerprintKeyOf } from './fingerprint-key.ts';
import { LOAD_PATHS, type LoadAnswer, type LoadDeps, load } from './load.ts';
import { deleteOrder, loadOrders, loadSettlements, loadTimeEntries } from './load-operations.ts';
import { type ReadBody, readBody } from './read.ts';
import { removeOrder } from './remove-order.ts';

interface IngestDeps {
  ledger: RestaurantLedger & IdempotencyLedger & FingerprintKeyLedger;
  facts: Facts;
  spoolFolder: string;
  readBody: ReadBody;
  /** Shared by all bases, because a key is the same under each. */
  inTurn: KeyTurns;
  clock: () => number;
  config: Pick<Config, 'maxExpansion' | 'requestSeconds' | 'cardFingerprints'>;
  /** The concurrent loads of each client, counted for all bases together. */
  places: Places;
  /** Called with every body that was loaded. */
  onLoaded?: ((kind: Spool['kind'], answer: LoadAnswer) => void) | undefined;
  /** Called with the business dates on which a load changed anything. */
  onMerged?: LoadDeps['onMerged'];
  traced?: Traced | undefined;
  traceOf: (request: FastifyRequest) => Trace;
}

/**
 * POST /restaurants/{guid}/orders, /time-entries and /payouts, DELETE /restaurants/{guid}/orders/{guid}, under the
 * base.
 */
export async function ingestRoutes(app: FastifyInstance, deps: IngestDeps): Promise<void> {
  const { ledger, config, inTurn } = deps;
  const fingerprintKey: LoadDeps['fingerprintKey'] = config.cardFingerprints
    ? (group) => fingerprintKeyOf(ledger, group, deps.clock())
    : undefined;
  // The body is streamed, so no parser may buffer it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));

  async function post(kind: Spool['kind'], request: FastifyRequest, reply: FastifyReply): Promise<LoadAnswer> {
    const { restaurantGuid } = request.params as { restaurantGuid: string };
    const { group, clientId } = callerOf(request);
    const key = readKey(request.headers['idempotency-key']);
    const restaurant = await findRestaurant(ledger, group, restaurantGuid);
    const format = readFormat(request.headers['content-type']);
    const silenceMs = config.requestSeconds * 1000;
    const body = isGzip(request.headers['content-encoding'])
      ? gunzippedBody(request.raw, config.maxExpansion, silenceMs)
      : plainBody(request.raw, silenceMs);
    const digest = createHash('sha256').update(`${format}\n`);
    const path = `/restaurants/${restaurant.guid}/${LOAD_PATHS[kind]}`;

    /** Only the counts are stored with the key: the rejected records are found again by reading the repeated body. */
    async function once(merge: () => Promise<MergeCounts>): Promise<MergeCounts> {
      const keyed = { group, clientId, path, key: String(key), fingerprint: digest.digest('hex') };
      // Two calls at once would both find the key free, and both merge.
      return await inTurn(keyed, async () => {
        const answered = await findAnswer(ledger, keyed, deps.clock());
        if (answered) {
          reply.headers(REPLAYED);
          return answered as MergeCounts;
        }
        const counts = await merge();
        await ledger.addKeyUse(useOf(keyed, counts, deps.clock()), deps.clock()).catch(keyLost);
        return counts;
      });
    }

    const reading = { ...deps, fingerprintKey, ...(isShort(request.headers) ? { readBody } : {}) };
    const attributes = { 'daypart.restaurant_guid': restaurant.guid };
    const loading = (bytes: AsyncIterable<Buffer>, counted?: typeof once) =>
      (deps.traced ?? untraced)(`load ${kind}`, deps.traceOf(request), attributes, () =>
        load(reading, restaurant, { kind, body: bytes, format }, counted),
      );
    const answer = key === undefined ? await loading(body) : await loading(digested(body, digest), once);
    deps.onLoaded?.(kind, answer);
    return answer;
  }

  async function inPlace(kind: Spool['kind'], request: FastifyRequest, reply: FastifyReply): Promise<LoadAnswer> {
    const leave = takePlace(deps.places, request, 'loads');
    try {
      return await post(kind, request, reply);
    } finally {
      leave();
    }
  }

  const operations: Record<LoadKind, Operation> = {
    orders: loadOrders,
    shifts: loadTimeEntries,
    settlements: loadSettlements,
  };
  for (const kind of Object.keys(operations) as LoadKind[]) {
    const options = { config: { operation: operations[kind] } };
    app.post(`/restaurants/:restaurantGuid/${LOAD_PATHS[kind]}`, options, (request, reply) =>
      inPlace(kind, request, reply),
    );
  }
  const deletion = { config: { operation: deleteOrder } };
  app.delete('/restaurants/:restaurantGuid/orders/:orderGuid', deletion, async (request, reply) => {
    const { restaurantGuid, orderGuid } = request.params as { restaurantGuid: string; orderGuid: string };
    const restaurant = await findRestaurant(ledger, callerOf(request).group, restaurantGuid);
    const guid = readGuid(orderGuid);
    if (!guid) throw new Problem('order_not_found', 'This is not the GUID of an order: it has 8-4-4-4-12 digits.');
    await removeOrder(deps, restaurant, guid);
    return reply.status(204).send();
  });
}

/** The load is stored even if its key could not be: "nothing was changed" would be wrong. */
function keyLost(error: unknown): never {
  throw error instanceof LedgerGone ? new LedgerGone(error.cause, true) : error;
}

/** The body unchanged, added to the digest as it passes. */
async function* digested(body: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    digest.update(chunk);
    yield chunk;
  }
}
