/** Restaurants: CONTRACT 3 "Restaurants", METRICS 5. */
import type { FastifyInstance } from 'fastify';
import { type Access, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { readGuid, SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import type { Facts } from '../facts/facts.ts';
import { findRestaurant } from '../ledger/find.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { fieldProblem, Problem } from '../problems.ts';
import { informationOf, readReference, readRestaurant, shownRestaurant } from './restaurants.ts';

export interface RestaurantDeps {
  ledger: Ledger;
  facts: Facts;
  access: Access;
  clock: () => number;
}

type OfRestaurant = { Params: { restaurantGuid: string } };

/** Employees of a large restaurant are some thousands. */
const REFERENCE_BYTES = 16 * 1024 * 1024;

/** PUT and GET of a restaurant and its reference data, and GET /restaurants-information, under the base. */
export async function restaurantRoutes(app: FastifyInstance, deps: RestaurantDeps): Promise<void> {
  const { ledger, facts } = deps;
  const writes = { onRequest: requireScope(deps.access, SCOPE_INGEST) };
  const reads = { onRequest: requireScope(deps.access, SCOPE_READ, SCOPE_INGEST) };

  app.get('/restaurants-information', { onRequest: requireScope(deps.access, SCOPE_READ) }, async (request) => {
    const restaurants = await ledger.restaurantsOf(callerOf(request).group);
    return restaurants.map(informationOf);
  });

  app.put<OfRestaurant>('/restaurants/:restaurantGuid', writes, async (request, reply) => {
    const { group } = callerOf(request);
    const guid = readGuid(request.params.restaurantGuid);
    if (!guid) throw fieldProblem('invalid_parameter', 'restaurantGuid', 'the GUID of the path is malformed');
    const properties = readRestaurant(request.body);
    await ledger.ensureGroup(group, deps.clock());
    const put = await ledger.putRestaurant({ guid, group, ...properties });
    if (!put)
      throw new Problem('restaurant_guid_taken', 'A restaurant with this GUID exists outside your management group.');
    return reply.status(put.created ? 201 : 200).send(shownRestaurant(put.restaurant));
  });

  app.get<OfRestaurant>('/restaurants/:restaurantGuid', reads, async (request) =>
    shownRestaurant(await findRestaurant(ledger, callerOf(request).group, request.params.restaurantGuid)),
  );

  app.put<OfRestaurant>(
    '/restaurants/:restaurantGuid/reference',
    { ...writes, bodyLimit: REFERENCE_BYTES },
    async (request, reply) => {
      const { id } = await findRestaurant(ledger, callerOf(request).group, request.params.restaurantGuid);
      const lists = readReference(request.body);
      const before = await facts.reference(id);
      const stored = await facts.putReference(id, lists);
      const first = Object.values(before).every((list) => list.length === 0);
      return reply.status(first ? 201 : 200).send(stored);
    },
  );

  app.get<OfRestaurant>('/restaurants/:restaurantGuid/reference', reads, async (request) => {
    const { id } = await findRestaurant(ledger, callerOf(request).group, request.params.restaurantGuid);
    return await facts.reference(id);
  });
}
