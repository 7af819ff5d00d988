/** Sessions and the audit log over HTTP (docs/access.md#managing-access-over-http). */
import type { FastifyInstance } from 'fastify';
import { callerOf, note } from '../access/caller.ts';
import { expiryOf } from '../access/sessions.ts';
import { Problem } from '../contract/problems.ts';
import { shownTime } from '../contract/time.ts';
import { SCOPE_GROUPS } from '../contract/words.ts';
import { queryOf } from '../http/query-parameters.ts';
import { auditCursor, auditPage, endSession, getAudit, listSessions } from './access-operations.ts';
import { type AdminDeps, groupOf } from './admin.ts';
import { inGroup } from './client-operations.ts';

const ENTRIES_A_PAGE = 50;
/** Mounts the routes under the base. */
export async function accessAdminRoutes(app: FastifyInstance, deps: AdminDeps): Promise<void> {
  const { ledger, access } = deps;

  app.get('/sessions', { config: { operation: listSessions } }, async (request) => {
    const group = groupOf(access, request, inGroup.read(queryOf(request)));
    const { sessionId } = callerOf(request);
    return (await access.sessions.list(group)).map((session) => ({
      sessionId: session.id,
      clientId: session.clientId,
      name: session.name,
      scopes: session.scopes,
      createdAt: shownTime(session.createdAt),
      seenAt: shownTime(session.seenAt),
      expiresAt: shownTime(expiryOf(session)),
      current: session.id === sessionId,
    }));
  });

  app.delete<{ Params: { sessionId: string } }>(
    '/sessions/:sessionId',
    { config: { operation: endSession } },
    async (request, reply) => {
      const session = await ledger.session(request.params.sessionId);
      const isSeen =
        session && (session.group === callerOf(request).group || callerOf(request).scopes.includes(SCOPE_GROUPS));
      if (!isSeen) throw new Problem('session_not_found', 'No session of the management group has this id.');
      const { id, group, clientId, name } = session;
      await note(deps, request, { group, action: 'session.ended', target: id, detail: { clientId, name } });
      await access.sessions.end(id);
      return reply.status(204).send();
    },
  );

  app.get('/audit', { config: { operation: getAudit } }, async (request) => {
    const query = queryOf(request);
    const group = groupOf(access, request, inGroup.read(query));
    const limit = auditPage.read(query) ?? ENTRIES_A_PAGE;
    const before = auditCursor.read(query);
    const found = await ledger.audit(group, { limit: limit + 1, before });
    const entries = found.slice(0, limit);
    return {
      entries: entries.map(({ id: _id, at, ...entry }) => ({ at: shownTime(at), ...entry })),
      nextCursor: found.length > limit ? String(entries.at(-1)?.id) : null,
    };
  });
}
