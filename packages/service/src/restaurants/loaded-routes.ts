/** GET /restaurants and GET /restaurants/{guid}/days: which dates have data, and when it last changed. */
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { findRestaurant } from '../access/restaurant.ts';
import { etagOfAll, sendTagged } from '../http/conditional.ts';
import { codedText } from '../http/content-coding.ts';
import { queryOf } from '../http/query-parameters.ts';
import { dayAnswer, type ListLedger, readRestaurantList, readSpan } from './loaded.ts';
import { listLoadedDays, listLoadedRestaurants } from './loaded-operations.ts';
import type { RestaurantDeps } from './routes.ts';

interface LoadedDeps extends RestaurantDeps {
  ledger: RestaurantDeps['ledger'] & ListLedger;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
}

/** Mounts the routes under the base. */
export async function loadedRoutes(app: FastifyInstance, { ledger, facts, clock }: LoadedDeps): Promise<void> {
  app.get('/restaurants', { config: { operation: listLoadedRestaurants } }, async (request, reply) => {
    const { group } = callerOf(request);
    const restaurants = await ledger.restaurantsOf(group);
    const { etag, json } = await readRestaurantList({ ledger, facts }, group, restaurants, clock());
    return sendTagged(request, reply, etag, () => json);
  });

  app.get<{ Params: { restaurantGuid: string } }>(
    '/restaurants/:restaurantGuid/days',
    { config: { operation: listLoadedDays } },
    async (request, reply) => {
      const { id, guid } = await findRestaurant(ledger, callerOf(request).group, request.params.restaurantGuid);
      const { from, to } = readSpan(queryOf(request));
      // Read before the dates: a load in between makes the tag older than the dates, never newer.
      const version = (await facts.coverage([id])).get(id)?.version;
      return sendTagged(request, reply, etagOfAll(guid, from, to, version), async () =>
        codedText(JSON.stringify((await facts.loadedDays(id, from, to)).map(dayAnswer))),
      );
    },
  );
}
