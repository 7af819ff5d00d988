/** GET /events: loads and status changes of reports of a management group, as server-sent events. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Access, bearerOf } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { type Places, takePlace } from '../access/places.ts';
import { beginEvents, type EventStream, keepOpen } from './event-stream.ts';
import { watchGroup } from './group-event-operations.ts';
import type { GroupEvent, GroupEvents } from './group-events.ts';

interface GroupEventDeps {
  access: Access;
  groupEvents: GroupEvents;
  /** The open streams of each client, shared by all bases. */
  streams: Places;
}

/** The most unread bytes of a client in memory before its stream is cut; the client reconnects and resumes. */
const MOST_UNREAD_BYTES = 1024 * 1024;

const written = ({ id, name, data }: Pick<GroupEvent, 'id' | 'name' | 'data'>): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Mounts the route under the base. */
export async function groupEventRoutes(app: FastifyInstance, deps: GroupEventDeps): Promise<void> {
  const { access, groupEvents } = deps;
  const route = { config: { operation: watchGroup } };

  app.get('/events', route, async (request, reply) => {
    const { group } = callerOf(request);
    const token = bearerOf(request.headers.authorization) ?? '';
    const leave = takePlace(deps.streams, request, 'event streams');
    const to = beginEvents(request, reply);
    const lastId = request.headers['last-event-id'];
    const after = typeof lastId === 'string' ? lastId : undefined;
    if (to) stream({ groupEvents, access }, { group, lastId: after, to, token }).onEnd(leave);
    else leave();
    return reply;
  });
}

/**
 * Sends the events after `lastId` until the client or the service ends the stream, or the token is revoked or expires,
 * or its session ends.
 */
function stream(
  { groupEvents, access }: { groupEvents: GroupEvents; access: Access },
  { group, lastId, to, token }: { group: string; lastId: string | undefined; to: ServerResponse; token: string },
): EventStream {
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
  // An id without data dispatches no event, but a client that loses the stream now reconnects with this id.
  else if (missed.length === 0) to.write(`id: ${now}\n\n`);
  open.onEnd(groupEvents.watch(group, send));
  for (const event of missed ?? []) send(event);
  return open;
}
