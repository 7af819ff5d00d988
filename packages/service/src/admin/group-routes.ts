/** Management groups and limits over HTTP (docs/access.md#managing-access-over-http). */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf, note } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { isGroupName } from '../contract/words.ts';
import { clientParameter, queryOf } from '../http/query-parameters.ts';
import type { Group, GroupLedger, GroupRemovalLedger } from '../ledger/group.ts';
import type { TaskLedger } from '../ledger/task.ts';
import { type AdminDeps, findClient, groupOf, managesGroups } from './admin.ts';
import { inGroup } from './client-operations.ts';
import {
  confirmParameter,
  getGroup,
  getLimits,
  groupBody,
  limitClient,
  limitGroup,
  listGroups,
  putGroup,
  removeGroup,
} from './group-operations.ts';
import { readOwnLimits } from './own-limits.ts';

interface GroupDeps extends AdminDeps {
  ledger: AdminDeps['ledger'] & GroupRemovalLedger & TaskLedger;
  limits: Limits;
}

type OfGroup = { Params: { group: string } };

/** The group. Throws Problem group_not_found. */
async function findGroup(ledger: GroupLedger, group: string): Promise<Group> {
  const found = await ledger.group(group);
  if (found) return found;
  throw new Problem('group_not_found', `There is no management group ${group}; create it with PUT /groups/{group}.`);
}

/** Throws Problem group_in_removal. */
function refuseRemoving({ group, removing }: Group): void {
  if (removing)
    throw new Problem(
      'group_in_removal',
      `The management group ${group} is being removed. Wait until GET /groups/{group} is 404.`,
    );
}

/** Mounts the routes under the base. */
export async function groupRoutes(app: FastifyInstance, deps: GroupDeps): Promise<void> {
  const { ledger, access, clock } = deps;

  app.get('/groups', { config: { operation: listGroups } }, () => ledger.groupList());

  app.get<OfGroup>('/groups/:group', { config: { operation: getGroup } }, (request) =>
    findGroup(ledger, groupOf(access, request, request.params.group)),
  );

  app.put<OfGroup>('/groups/:group', { config: { operation: putGroup } }, async (request, reply) => {
    const { group } = request.params;
    if (!isGroupName(group))
      throw fieldProblem(
        'invalid_parameter',
        'group',
        'group must have 1 to 100 letters, digits, blanks, dots, hyphens and underscores, and begin and end with a letter or a digit',
      );
    const { name } = request.body === undefined ? {} : groupBody.read(request.body);
    const known = await ledger.group(group);
    if (known) refuseRemoving(known);
    const detail = name === undefined ? {} : { detail: { name } };
    if (!known) {
      await note(deps, request, { group, action: 'group.created', target: group, ...detail });
      await ledger.ensureGroup(group, clock());
    } else if (name !== undefined && name !== known.name)
      await note(deps, request, { group, action: 'group.named', target: group, ...detail });
    if (name !== undefined) await ledger.nameGroup(group, name);
    return reply.status(known ? 200 : 201).send(await findGroup(ledger, group));
  });

  app.put<OfGroup>('/groups/:group/limits', { config: { operation: limitGroup } }, async (request) => {
    const found = await findGroup(ledger, request.params.group);
    refuseRemoving(found);
    const { group } = found;
    const detail = readOwnLimits(request.body);
    await note(deps, request, { group, action: 'group.limited', target: group, detail });
    await ledger.limitGroup(group, detail);
    return await findGroup(ledger, group);
  });

  app.delete<OfGroup>('/groups/:group', { config: { operation: removeGroup } }, async (request, reply) => {
    const { group, name } = await findGroup(ledger, request.params.group);
    const confirmed = confirmParameter.read(queryOf(request));
    if (confirmed !== name)
      throw fieldProblem(
        'invalid_parameter',
        'confirm',
        'confirm must be the name of the group, as GET /groups/{group} shows it.',
      );
    const { group: own } = callerOf(request);
    if (group === own)
      throw new Problem('own_group', 'This is your own management group: a client of another one can remove it.');
    // In the log of the vendor, because that of the group is removed. Without its name.
    await note(deps, request, { group: own, action: 'group.removed', target: group });
    await ledger.beginRemoval(group, clock());
    const requested = (await ledger.unfinishedTasks()).some(({ argument }) => argument.group === group);
    if (!requested)
      await ledger.addTask({ guid: randomUUID(), kind: 'remove-group', argument: { group }, createdAt: clock() });
    return reply.status(202).send((await ledger.group(group)) ?? { group, name, limits: {}, removing: true });
  });
  limitRoutes(app, deps);
}

/** The limits of clients, and what is left of those of a group. */
function limitRoutes(app: FastifyInstance, deps: GroupDeps): void {
  const { ledger, access, limits } = deps;

  app.put('/clients/:clientId/limits', { config: { operation: limitClient } }, async (request) => {
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

  app.get('/limits', { config: { operation: getLimits } }, async (request) => {
    const { group, clientId } = await askedLimits(request);
    return { group, clientId: clientId ?? null, windows: await limits.left({ group, clientId }) };
  });
}
