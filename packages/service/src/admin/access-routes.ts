/** Groups, sessions, limits and the audit log over HTTP (docs/access.md#managing-access-over-http). */
import type { FastifyInstance } from 'fastify';
import { requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import { expiryOf } from '../access/sessions.ts';
import { shownTime } from '../contract/time.ts';
import { SCOPE_ACCESS, SCOPE_GROUPS } from '../contract/words.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { clientParameter, queryOf } from '../http/query-parameters.ts';
import {
  auditCursor,
  auditPage,
  endSession,
  getAudit,
  getLimits,
  listGroups,
  listSessions,
  putGroup,
} from './access-operations.ts';
import { type AdminDeps, groupOf, note } from './admin.ts';
import { inGroup } from './client-operations.ts';

const PAGE = 50;
/** Letters, digits and the separators that names have; nothing that would be unsafe in a terminal or a header. */
const GROUP = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,98}[\p{L}\p{N}])?$/u;

/** Mounts the routes under the base. */
export async function accessAdminRoutes(app: FastifyInstance, deps: AdminDeps & { limits: Limits }): Promise<void> {
  const { ledger, access, limits, clock } = deps;
  const ofGroup = requireScope(access, SCOPE_ACCESS, SCOPE_GROUPS);
  const ofGroups = requireScope(access, SCOPE_GROUPS);

  app.get('/groups', { onRequest: ofGroups, config: { operation: listGroups } }, async () =>
    (await ledger.groups()).map((name) => ({ name })),
  );

  app.put<{ Params: { group: string } }>(
    '/groups/:group',
    { onRequest: ofGroups, config: { operation: putGroup } },
    async (request, reply) => {
      const { group } = request.params;
      if (!GROUP.test(group))
        throw fieldProblem(
          'invalid_parameter',
          'group',
          'group must have 1 to 100 letters, digits, blanks, dots, hyphens and underscores, and begin and end with a letter or a digit',
        );
      const isNew = !(await ledger.groups()).includes(group);
      if (isNew) {
        await note(deps, request, { group, action: 'group.created', target: group });
        await ledger.ensureGroup(group, clock());
      }
      return reply.status(isNew ? 201 : 200).send({ name: group });
    },
  );

  app.get('/sessions', { onRequest: ofGroup, config: { operation: listSessions } }, async (request) => {
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
    { onRequest: ofGroup, config: { operation: endSession } },
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

  app.get('/limits', { onRequest: ofGroup, config: { operation: getLimits } }, async (request) => {
    const { group, clientId: own } = callerOf(request);
    const clientId = clientParameter.read(queryOf(request)) ?? own;
    if (clientId !== own && (await ledger.client(clientId))?.group !== group)
      throw new Problem('client_not_found', 'No client of the management group has this id.');
    return { clientId, windows: await limits.left(group) };
  });

  app.get('/audit', { onRequest: ofGroup, config: { operation: getAudit } }, async (request) => {
    const query = queryOf(request);
    const group = groupOf(access, request, inGroup.read(query));
    const limit = auditPage.read(query) ?? PAGE;
    const before = auditCursor.read(query);
    const found = await ledger.audit(group, { limit: limit + 1, before });
    const entries = found.slice(0, limit);
    return {
      entries: entries.map(({ id: _id, at, ...entry }) => ({ at: shownTime(at), ...entry })),
      nextCursor: found.length > limit ? String(entries.at(-1)?.id) : null,
    };
  });
}
