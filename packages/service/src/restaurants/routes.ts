/** Restaurants and reference data over HTTP: docs/loading.md#restaurants. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import type { Facts } from '../facts/facts.ts';
import { Problem } from '../http/problems.ts';
import { findRestaurant } from '../ledger/find.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { menusBody } from './menus.ts';
import { isEmpty, readReference } from './reference.ts';
import {
  getMenus,
  getReference,
  getRestaurant,
  listRestaurants,
  putMenus,
  putReference,
  putRestaurant,
} from './restaurant-operations.ts';
import { informationAnswer, readPathGuid, restaurantAnswer, restaurantBody } from './restaurants.ts';

export interface RestaurantDeps {
  ledger: RestaurantLedger;
  facts: Facts;
  access: Access;
}

interface OneRestaurant {
  Params: { restaurantGuid: string };
}

const RESTAURANT_LIMIT = 1024 * 1024;
/** Enough for tens of thousands of employees and jobs. */
const REFERENCE_LIMIT = 16 * 1024 * 1024;
/** Enough for the menus of a POS, of which names and GUIDs are only some percent. */
const MENUS_LIMIT = 32 * 1024 * 1024;

/** PUT and GET /restaurants/{guid}, /restaurants/{guid}/reference and /restaurants/{guid}/menus, and GET /restaurants-information, under the base. */
export async function restaurantRoutes(app: FastifyInstance, { ledger, facts, access }: RestaurantDeps): Promise<void> {
  const mayWrite = requireScope(access, SCOPE_INGEST);
  const mayRead = requireScope(access, SCOPE_READ, SCOPE_INGEST);
  const ownRestaurant = (request: FastifyRequest<OneRestaurant>) =>
    findRestaurant(ledger, callerOf(request as FastifyRequest).group, request.params.restaurantGuid);
  /** Before the body is read. */
  const mayWriteTo = [
    mayWrite,
    async (request: FastifyRequest<OneRestaurant>): Promise<void> => {
      readPathGuid(request.params.restaurantGuid);
      await ownRestaurant(request);
    },
  ];

  app.put<OneRestaurant>(
    '/restaurants/:restaurantGuid',
    { onRequest: mayWrite, bodyLimit: RESTAURANT_LIMIT, config: { operation: putRestaurant } },
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

  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid',
    { onRequest: mayRead, config: { operation: getRestaurant } },
    async (request) => restaurantAnswer(await ownRestaurant(request)),
  );

  app.put<OneRestaurant>(
    '/restaurants/:restaurantGuid/reference',
    { onRequest: mayWriteTo, bodyLimit: REFERENCE_LIMIT, config: { operation: putReference } },
    async (request, reply): Promise<FastifyReply> => {
      const { id } = await ownRestaurant(request);
      const lists = readReference(request.body);
      const isFirst = isEmpty(await facts.reference(id));
      return reply.status(isFirst ? 201 : 200).send(await facts.putReference(id, lists));
    },
  );

  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid/reference',
    { onRequest: mayRead, config: { operation: getReference } },
    async (request) => facts.reference((await ownRestaurant(request)).id),
  );

  app.put<OneRestaurant>(
    '/restaurants/:restaurantGuid/menus',
    { onRequest: mayWriteTo, bodyLimit: MENUS_LIMIT, config: { operation: putMenus } },
    async (request, reply): Promise<FastifyReply> => {
      const { id } = await ownRestaurant(request);
      const menus = menusBody.read(request.body);
      const isFirst = (await facts.menus(id)).length === 0;
      return reply.status(isFirst ? 201 : 200).send(await facts.putMenus(id, menus));
    },
  );

  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid/menus',
    { onRequest: mayRead, config: { operation: getMenus } },
    async (request) => ({ menus: await facts.menus((await ownRestaurant(request)).id) }),
  );

  app.get(
    '/restaurants-information',
    { onRequest: requireScope(access, SCOPE_READ), config: { operation: listRestaurants } },
    async (request) => (await ledger.restaurantsOf(callerOf(request).group)).map(informationAnswer),
  );
}
