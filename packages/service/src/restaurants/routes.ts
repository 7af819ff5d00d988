/** Restaurants and reference data over HTTP: docs/loading.md#restaurants. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { findRestaurant } from '../access/restaurant.ts';
import { Problem } from '../contract/problems.ts';
import type { Facts } from '../facts/facts.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { type ReferenceDeps, referenceRoutes } from './reference-routes.ts';
import { getMenus, getReference, getRestaurant, listRestaurants, putRestaurant } from './restaurant-operations.ts';
import {
  informationAnswer,
  type OneRestaurant,
  readPathGuid,
  restaurantAnswer,
  restaurantBody,
} from './restaurants.ts';

export interface RestaurantDeps {
  ledger: RestaurantLedger;
  facts: Facts;
}

/**
 * PUT and GET /restaurants/{guid}, GET /restaurants/{guid}/reference and /restaurants/{guid}/menus, and GET
 * /restaurants-information, under the base.
 */
export async function restaurantRoutes(app: FastifyInstance, deps: ReferenceDeps): Promise<void> {
  const { ledger, facts } = deps;
  const ownRestaurant = (request: FastifyRequest<OneRestaurant>) =>
    findRestaurant(ledger, callerOf(request as FastifyRequest).group, request.params.restaurantGuid);

  app.put<OneRestaurant>(
    '/restaurants/:restaurantGuid',
    { config: { operation: putRestaurant } },
    async (request, reply): Promise<FastifyReply> => {
      const guid = readPathGuid(request.params.restaurantGuid);
      const { group } = callerOf(request);
      const put = await ledger.putRestaurant({ guid, group, ...restaurantBody.read(request.body) });
      if (!put) {
        throw new Problem('restaurant_guid_taken', 'A restaurant of another management group has this GUID.');
      }
      return reply.status(put.created ? 201 : 200).send(restaurantAnswer(put.restaurant));
    },
  );

  app.get<OneRestaurant>('/restaurants/:restaurantGuid', { config: { operation: getRestaurant } }, async (request) =>
    restaurantAnswer(await ownRestaurant(request)),
  );

  await app.register(referenceRoutes, deps);

  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid/reference',
    { config: { operation: getReference } },
    async (request) => facts.reference((await ownRestaurant(request)).id),
  );

  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid/menus',
    { config: { operation: getMenus } },
    async (request) => ({ menus: await facts.menus((await ownRestaurant(request)).id) }),
  );

  app.get('/restaurants-information', { config: { operation: listRestaurants } }, async (request) =>
    (await ledger.restaurantsOf(callerOf(request).group)).map(informationAnswer),
  );
}
