/** Management groups and limits over HTTP (docs/access.md#managing-access-over-http). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import { SCOPE_ACCESS, SCOPE_GROUPS } from '../contract/words.ts';
import { fieldProblem, Problem } from '../http/problems.ts';
import { clientParameter, queryOf } from '../http/query-parameters.ts';
import type { Group, GroupLedger } from '../ledger/group.ts';
import { type AdminDeps, findClient, groupOf, managesGroups, note } from './admin.ts';
import { inGroup } from './client-operations.ts';
import { getGroup, getLimits, groupBody, limitClient, limitGroup, listGroups, putGroup } from './group-operations.ts';
import { readOwnLimits } from './own-limits.ts';

/** Letters, digits and the separators that names have; nothing that would be unsafe in a terminal or a header. */
const GROUP = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,98}[\p{L}\p{N}])?$/u;

type OfGroup = { Params: { group: string } };

/** The group. Throws Problem group_not_found. */
async function findGroup(ledger: GroupLedger, group: string): Promise<Group> {
  const found = await ledger.group(group);
  if (found) return found;
  throw new Problem('group_not_found', `There is no management group ${group}; create it with PUT /groups/{group}.`);
}

/** Mounts the routes under the base. */
export async function groupRoutes(app: FastifyInstance, deps: AdminDeps & { limits: Limits }): Promise<void> {
  const { ledger, access, limits, clock } = deps;
  const ofGroup = requireScope(access, SCOPE_ACCESS, SCOPE_GROUPS);
  const ofGroups = requireScope(access, SCOPE_GROUPS);

  app.get('/groups', { onRequest: ofGroups, config: { operation: listGroups } }, () => ledger.groupList());

  app.get<OfGroup>('/groups/:group', { onRequest: ofGroup, config: { operation: getGroup } }, (request) =>
    findGroup(ledger, groupOf(access, request, request.params.group)),
  );

  app.put<OfGroup>(
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
      const { name } = request.body === undefined ? {} : groupBody.read(request.body);
      const known = await ledger.group(group);
      const detail = name === undefined ? {} : { detail: { name } };
      if (!known) {
        await note(deps, request, { group, action: 'group.created', target: group, ...detail });
        await ledger.ensureGroup(group, clock());
      } else if (name !== undefined && name !== known.name)
        await note(deps, request, { group, action: 'group.named', target: group, ...detail });
      if (name !== undefined) await ledger.nameGroup(group, name);
      return reply.status(known ? 200 : 201).send(await findGroup(ledger, group));
    },
  );

  app.put<OfGroup>(
    '/groups/:group/limits',
    { onRequest: ofGroups, config: { operation: limitGroup } },
    async (request) => {
      const { group } = await findGroup(ledger, request.params.group);
      const detail = readOwnLimits(request.body);
      await note(deps, request, { group, action: 'group.limited', target: group, detail });
      await ledger.limitGroup(group, detail);
      return await findGroup(ledger, group);
    },
  );

  app.put('/clients/:clientId/limits', { onRequest: ofGroup, config: { operation: limitClient } }, async (request) => {
    const { id, group } = await findClient(ledger, request);
    const detail = readOwnLimits(request.body);
    await note(deps, request, { group, action: 'client.limited', target: id, detail });
    await ledger.limitClient(id, detail);
    return detail;
  });

  /** Whose limits a call asks for. Throws Problem group_not_found, client_not_found, scope_missing. */
  async function askedLimits(request: FastifyRequest): Promise<{ group: string; clientId?: string }> {
    const { group: own, clientId } = callerOf(request);
    const [named, client] = [inGroup.read(queryOf(request)), clientParameter.read(queryOf(request))];
    if (client === undefined || client === clientId) {
      const group = groupOf(access, request, named);
      if (client === undefined && named !== undefined) return await findGroup(ledger, group);
      return { group, clientId };
    }
    const found = await ledger.client(client);
    if (!found || (found.group !== own && !managesGroups(request)) || (named !== undefined && named !== found.group))
      throw new Problem('client_not_found', 'No client of the management group has this id.');
    return { group: found.group, clientId: client };
  }

  app.get('/limits', { onRequest: ofGroup, config: { operation: getLimits } }, async (request) => {
    const { group, clientId } = await askedLimits(request);
    return { group, clientId: clientId ?? null, windows: await limits.left({ group, clientId }) };
  });
}
