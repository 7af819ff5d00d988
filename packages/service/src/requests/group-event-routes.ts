/** GET /events: loads and the moves of reports of a management group, as server-sent events. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Access, bearerOf, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { type Places, takePlace } from '../access/places.ts';
import { SCOPE_READ } from '../contract/words.ts';
import { beginEvents, keepOpen } from './event-stream.ts';
import { watchGroup } from './group-event-operations.ts';
import type { GroupEvent, GroupEvents } from './group-events.ts';

export interface GroupEventDeps {
  access: Access;
  groupEvents: GroupEvents;
  /** The streams that each client has open; one for all bases. */
  streams: Places;
}

/** What a client that does not read may leave in memory before its stream is cut; it comes back, and resumes. */
const MOST_UNREAD_BYTES = 1024 * 1024;

const written = ({ id, name, data }: Pick<GroupEvent, 'id' | 'name' | 'data'>): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Mounts the route under the base. */
export async function groupEventRoutes(app: FastifyInstance, deps: GroupEventDeps): Promise<void> {
  const { access, groupEvents } = deps;
  const route = { onRequest: requireScope(access, SCOPE_READ), config: { operation: watchGroup } };

  app.get('/events', route, async (request, reply) => {
    const { group } = callerOf(request);
    const token = bearerOf(request.headers.authorization) ?? '';
    const leave = takePlace(deps.streams, request, 'event streams');
    reply.raw.on('close', leave);
    const to = beginEvents(request, reply);
    if (!to) return reply;
    const lastId = request.headers['last-event-id'];
    stream(groupEvents, group, typeof lastId === 'string' ? lastId : undefined, to, access, token);
    return reply;
  });
}

/**
 * Writes what happens after `lastId`, until the client's, the service's or the token's end: it was revoked, has
 * expired, or its session was ended.
 */
function stream(
  groupEvents: GroupEvents,
  group: string,
  lastId: string | undefined,
  to: ServerResponse,
  access: Access,
  token: string,
): void {
  const open = keepOpen(to, {
    isRevoked: () => access.isRevoked(token),
    onBeat: () => void access.verify(token).catch(open.end),
  });
  function send(event: GroupEvent | undefined): void {
    if (event && to.writableLength <= MOST_UNREAD_BYTES) to.write(written(event));
    else open.end();
  }
  const missed = lastId === undefined ? [] : groupEvents.since(group, lastId);
  const now = groupEvents.lastId();
  if (missed === undefined) to.write(`id: ${now}\nevent: reset\ndata: {}\n\n`);
  // An id without data is no event, but a client that loses the stream now reconnects with it.
  else if (missed.length === 0) to.write(`id: ${now}\n\n`);
  open.onEnd(groupEvents.watch(group, send));
  for (const event of missed ?? []) send(event);
}
