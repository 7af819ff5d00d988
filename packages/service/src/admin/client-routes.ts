/** Clients over HTTP: made, listed, revoked, and given other secrets (docs/access.md#managing-access-over-http). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { createClient, rotateSecretOf as rotateSecret } from '../access/clients.ts';
import { shownTime } from '../contract/time.ts';
import { DEFAULT_SCOPES, DIALECTS, type Dialect, SCOPE_ACCESS, SCOPE_GROUPS, SCOPES } from '../contract/words.ts';
import type { Client } from '../ledger/client.ts';
import { fieldProblem, Problem, unknownField } from '../problems.ts';
import { type AdminDeps, groupOf, managesGroups, note } from './admin.ts';
import { getClient, listClients, makeClient, revokeClient, rotateClientSecret } from './client-operations.ts';

const FIELDS = ['name', 'scopes', 'dialect', 'group'];
const LONGEST_NAME = 100;

const shown = ({ id, name, group, scopes, dialect, createdAt, revokedAt, oldSecret }: Client, now: number) => ({
  ...{ clientId: id, name, group, scopes, dialect, createdAt: shownTime(createdAt) },
  revokedAt: revokedAt === null ? null : shownTime(revokedAt),
  oldSecretUntil: oldSecret && oldSecret.until > now ? shownTime(oldSecret.until) : null,
});

interface NewClient {
  name: string | undefined;
  scopes: string[];
  dialect: Dialect;
  group: string | undefined;
}

/** The body of POST /clients. Throws Problem invalid_body, unknown_field. */
function readNew(body: unknown, ofCaller: readonly string[]): NewClient {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw fieldProblem('invalid_body', '', 'The body must be a JSON object.');
  const strange = Object.keys(body).find((field) => !FIELDS.includes(field));
  if (strange !== undefined) throw unknownField(strange, FIELDS);
  const { name, scopes, dialect = 'reference', group } = body as Record<string, unknown>;
  if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME))
    throw fieldProblem('invalid_body', '/name', `name must be a text of 1 to ${LONGEST_NAME} characters.`);
  const known = DIALECTS.find((word) => word === dialect);
  if (!known) throw fieldProblem('invalid_body', '/dialect', `dialect must be ${DIALECTS.join(' or ')}.`);
  if (group !== undefined && (typeof group !== 'string' || group === ''))
    throw fieldProblem('invalid_body', '/group', 'group must be the name of a management group.');
  const asked = scopes ?? DEFAULT_SCOPES.filter((scope) => ofCaller.includes(scope));
  if (!Array.isArray(asked) || asked.length === 0)
    throw fieldProblem('invalid_body', '/scopes', `scopes must be a list of ${SCOPES.join(', ')}.`);
  asked.forEach((scope: unknown, place) => {
    if (!SCOPES.some((word) => word === scope))
      throw fieldProblem('invalid_body', `/scopes/${place}`, `scopes[${place}] must be one of ${SCOPES.join(', ')}.`);
  });
  return { name, scopes: [...new Set(asked as string[])], dialect: known, group };
}

/** Throws Problem scope_not_held: what the caller gives, it must have; `groups:admin` it cannot give at all. */
function requireHeld(request: FastifyRequest, scopes: readonly string[], isNew: boolean): void {
  const { scopes: held } = callerOf(request);
  const lacking = scopes.filter((scope) => !held.includes(scope) || (isNew && scope === SCOPE_GROUPS));
  if (lacking.length === 0) return;
  throw new Problem('scope_not_held', `You cannot give ${lacking.join(', ')}: a client gives no scope that it lacks.`);
}

/** Mounts the routes under the base. */
export async function clientRoutes(app: FastifyInstance, deps: AdminDeps): Promise<void> {
  const { ledger, access, clock } = deps;
  const onRequest = requireScope(access, SCOPE_ACCESS, SCOPE_GROUPS);

  /** Throws Problem client_not_found, for one of another group too unless the caller manages all. */
  async function find(request: FastifyRequest): Promise<Client> {
    const { clientId } = request.params as { clientId: string };
    const client = await ledger.client(clientId);
    if (client && (client.group === callerOf(request).group || managesGroups(request))) return client;
    throw new Problem('client_not_found', 'No client of the management group has this id.');
  }

  app.get('/clients', { onRequest, config: { operation: listClients } }, async (request) => {
    const { group: named } = request.query as Record<string, unknown>;
    if (named !== undefined && typeof named !== 'string')
      throw fieldProblem('invalid_parameter', 'group', 'group must be the name of a management group, once');
    const group = groupOf(access, request, named);
    return (await ledger.clients()).filter((client) => client.group === group).map((client) => shown(client, clock()));
  });

  app.post(
    '/clients',
    { onRequest, config: { operation: makeClient } },
    async (request, reply): Promise<FastifyReply> => {
      const { group: named, scopes, ...asked } = readNew(request.body, callerOf(request).scopes);
      const group = groupOf(access, request, named);
      requireHeld(request, scopes, true);
      if (!(await ledger.groups()).includes(group))
        throw fieldProblem(
          'invalid_body',
          '/group',
          `There is no management group ${group}; create it with PUT /groups/{group}.`,
        );
      const { name, dialect } = asked;
      await note(deps, request, { group, action: 'client.created', target: name ?? '', detail: { scopes, dialect } });
      const { secret, ...client } = await createClient(
        ledger,
        { group, scopes, dialect, ...(name === undefined ? {} : { name }) },
        clock(),
      );
      const answer = shown({ ...client, secretHash: '', revokedAt: null }, clock());
      return reply
        .status(201)
        .header('cache-control', 'no-store')
        .send({ ...answer, clientSecret: secret });
    },
  );

  app.get('/clients/:clientId', { onRequest, config: { operation: getClient } }, async (request) =>
    shown(await find(request), clock()),
  );

  app.delete('/clients/:clientId', { onRequest, config: { operation: revokeClient } }, async (request, reply) => {
    const { id, group, revokedAt } = await find(request);
    if (revokedAt === null) {
      await note(deps, request, { group, action: 'client.revoked', target: id });
      await ledger.revokeClient(id, clock());
    }
    return reply.status(204).send();
  });

  app.post(
    '/clients/:clientId/secret',
    { onRequest, config: { operation: rotateClientSecret } },
    async (request, reply): Promise<FastifyReply> => {
      const { id, group, scopes, revokedAt } = await find(request);
      if (revokedAt !== null) throw new Problem('client_not_found', 'The client is revoked.');
      // Whoever reads the secret can do all that the client may.
      requireHeld(request, scopes, false);
      await note(deps, request, { group, action: 'client.secret_rotated', target: id });
      const { secret, oldSecretUntil } = await rotateSecret(ledger, id, clock());
      reply.header('cache-control', 'no-store');
      return reply.send({ clientId: id, clientSecret: secret, oldSecretUntil: shownTime(oldSecretUntil) });
    },
  );
}
