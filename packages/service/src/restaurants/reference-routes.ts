/**
 * Lists that replace the reference data or the menus of a restaurant, read as they arrive:
 * docs/loading.md#reference-data.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { type Places, takePlace } from '../access/places.ts';
import { findRestaurant } from '../access/restaurant.ts';
import type { Config } from '../config/config.ts';
import { requireJson } from '../http/host-and-body.ts';
import type { Operation } from '../http/operation.ts';
import { atMost, isShort, plainBody } from '../ingest/body.ts';
import { LARGEST_LISTS, type Lists, type ListsKind, type ReadLists, readLists } from '../ingest/lists.ts';
import { putMenus, putReference } from './restaurant-operations.ts';
import { readPathGuid } from './restaurants.ts';
import type { RestaurantDeps } from './routes.ts';

export interface ReferenceDeps extends RestaurantDeps {
  readLists: ReadLists;
  config: Pick<Config, 'requestSeconds'>;
  /** The bodies of each management group that are read at once, counted for all bases together. */
  lists: Places;
}

/** PUT /restaurants/{guid}/reference and /restaurants/{guid}/menus, under the base. */
export async function referenceRoutes(app: FastifyInstance, deps: ReferenceDeps): Promise<void> {
  const { ledger, facts, config } = deps;
  // The body is streamed, so no parser may buffer it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));

  function read<Kind extends ListsKind>(request: FastifyRequest, kind: Kind): Promise<Lists[Kind]> {
    const { headers, raw } = request;
    requireJson(headers);
    const { group } = callerOf(request);
    const body = atMost(plainBody(raw, config.requestSeconds * 1000), LARGEST_LISTS[kind], headers);
    const reader: ReadLists = isShort(headers) ? readLists : deps.readLists;
    return reader({ lists: kind, group }, body);
  }

  function mount<Kind extends ListsKind>(
    kind: Kind,
    operation: Operation,
    put: (id: number, read: Lists[Kind]) => Promise<object>,
  ): void {
    app.put(`/restaurants/:restaurantGuid/${kind}`, { config: { operation } }, async (request, reply) => {
      const { restaurantGuid } = request.params as { restaurantGuid: string };
      readPathGuid(restaurantGuid);
      const { id } = await findRestaurant(ledger, callerOf(request).group, restaurantGuid);
      const leave = takePlace(deps.lists, request, 'bodies of reference data and menus', 'management group');
      try {
        const lists = await read(request, kind);
        const isFirst = !(await facts.hasList(id, kind));
        return reply.status(isFirst ? 201 : 200).send(await put(id, lists));
      } finally {
        leave();
      }
    });
  }
  mount('reference', putReference, facts.putReference);
  mount('menus', putMenus, async (id, { menus, skipped }) => ({ ...(await facts.putMenus(id, menus)), skipped }));
}
