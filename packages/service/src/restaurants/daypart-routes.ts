/** Dayparts over HTTP: docs/contract.md#dayparts. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { findRestaurant } from '../access/restaurant.ts';
import { DEFAULT_DAYPARTS, shownDayparts } from '../contract/dayparts.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { DaypartLedger, RestaurantLedger } from '../ledger/restaurant.ts';
import {
  deleteRestaurantDayparts,
  getDayparts,
  getRestaurantDayparts,
  putDayparts,
  putRestaurantDayparts,
} from './daypart-operations.ts';
import { readDayparts } from './dayparts.ts';
import type { OneRestaurant } from './restaurants.ts';

interface DaypartDeps {
  ledger: RestaurantLedger & DaypartLedger & Pick<ClientLedger, 'ensureGroup'>;
  clock: () => number;
}

/** Mounts the routes under the base. */
export async function daypartRoutes(app: FastifyInstance, { ledger, clock }: DaypartDeps): Promise<void> {
  const ownRestaurant = (request: FastifyRequest<OneRestaurant>) =>
    findRestaurant(ledger, callerOf(request as FastifyRequest).group, request.params.restaurantGuid);

  async function ofGroup(group: string) {
    const { group: own } = await ledger.dayparts(group);
    return { dayparts: shownDayparts(own ?? DEFAULT_DAYPARTS) };
  }
  async function ofRestaurant(group: string, guid: string) {
    const sets = await ledger.dayparts(group);
    const own = sets.restaurants[guid];
    return { dayparts: shownDayparts(own ?? sets.group ?? DEFAULT_DAYPARTS), inherited: own === undefined };
  }

  app.get('/dayparts', { config: { operation: getDayparts } }, (request) => ofGroup(callerOf(request).group));

  app.put('/dayparts', { config: { operation: putDayparts } }, async (request) => {
    const { group } = callerOf(request);
    const dayparts = readDayparts(request.body);
    // The first call of a group may be by a client of an external issuer.
    await ledger.ensureGroup(group, clock());
    await ledger.putDayparts(group, null, dayparts);
    return await ofGroup(group);
  });

  app.get<OneRestaurant>(
    '/restaurants/:restaurantGuid/dayparts',
    { config: { operation: getRestaurantDayparts } },
    async (request) => {
      const { group, guid } = await ownRestaurant(request);
      return await ofRestaurant(group, guid);
    },
  );

  app.put<OneRestaurant>(
    '/restaurants/:restaurantGuid/dayparts',
    { config: { operation: putRestaurantDayparts } },
    async (request) => {
      const { group, guid } = await ownRestaurant(request);
      await ledger.putDayparts(group, guid, readDayparts(request.body));
      return await ofRestaurant(group, guid);
    },
  );

  app.delete<OneRestaurant>(
    '/restaurants/:restaurantGuid/dayparts',
    { config: { operation: deleteRestaurantDayparts } },
    async (request, reply): Promise<FastifyReply> => {
      const { group, guid } = await ownRestaurant(request);
      await ledger.removeDayparts(group, guid);
      return reply.status(204).send();
    },
  );
}
