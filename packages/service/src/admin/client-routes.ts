/** Clients over HTTP: create, list, revoke, rotate secrets (docs/access.md#managing-access-over-http). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, note } from '../access/caller.ts';
import { createClient, rotateSecretOf as rotateSecret } from '../access/clients.ts';
import { newClientId } from '../access/secrets.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { shownTime } from '../contract/time.ts';
import { DEFAULT_SCOPES, SCOPE_GROUPS, type Scope } from '../contract/words.ts';
import { queryOf } from '../http/query-parameters.ts';
import type { Client } from '../ledger/client.ts';
import { type AdminDeps, findClient, groupOf } from './admin.ts';
import {
  clientBody,
  getClient,
  inGroup,
  listClients,
  makeClient,
  revokeClient,
  rotateClientSecret,
} from './client-operations.ts';

const shownClient = (
  { id, name, group, scopes, dialect, limits, createdAt, revokedAt, oldSecret }: Client,
  now: number,
) => ({
  clientId: id,
  name,
  group,
  scopes,
  dialect,
  createdAt: shownTime(createdAt),
  revokedAt: revokedAt === null ? null : shownTime(revokedAt),
  oldSecretUntil: oldSecret && oldSecret.until > now ? shownTime(oldSecret.until) : null,
  limits: limits ?? {},
});

/**
 * Throws Problem scope_not_held if the caller lacks one of the scopes it grants. A new client never gets `groups:admin`
 * here.
 */
function requireHeld(request: FastifyRequest, scopes: readonly string[], isNew: boolean): void {
  if (isNew && scopes.includes(SCOPE_GROUPS))
    throw new Problem(
      'scope_not_held',
      `${SCOPE_GROUPS} cannot be granted over HTTP, even by a client that has it: create the client with daypart clients create.`,
    );
  const { scopes: held } = callerOf(request);
  const lacking = scopes.filter((scope) => !held.includes(scope));
  if (lacking.length === 0) return;
  throw new Problem(
    'scope_not_held',
    `You cannot grant ${lacking.join(', ')}: a client cannot grant a scope that it does not have.`,
  );
}

/**
 * The scopes of a client whose body names none: the default ones that the caller has. All of them, to be refused, if it
 * has none.
 */
function defaultScopes(request: FastifyRequest): Scope[] {
  const held = DEFAULT_SCOPES.filter((scope) => callerOf(request).scopes.includes(scope));
  return held.length > 0 ? held : [...DEFAULT_SCOPES];
}

/** Mounts the routes under the base. */
export async function clientRoutes(app: FastifyInstance, deps: AdminDeps): Promise<void> {
  const { ledger, access, clock } = deps;

  app.get('/clients', { config: { operation: listClients } }, async (request) => {
    const group = groupOf(access, request, inGroup.read(queryOf(request)));
    return (await ledger.clients())
      .filter((client) => client.group === group)
      .map((client) => shownClient(client, clock()));
  });

  app.post('/clients', { config: { operation: makeClient } }, async (request, reply): Promise<FastifyReply> => {
    const { group: named, name, dialect, ...fields } = clientBody.read(request.body);
    const scopes = fields.scopes ?? defaultScopes(request);
    const group = groupOf(access, request, named);
    requireHeld(request, scopes, true);
    const found = await ledger.group(group);
    if (!found || found.removing)
      throw fieldProblem(
        'invalid_body',
        '/group',
        `There is no management group ${group}; create it with PUT /groups/{group}.`,
      );
    const id = newClientId();
    await note(deps, request, {
      group,
      action: 'client.created',
      target: name ?? '',
      detail: { client: id, scopes, dialect },
    });
    const { secret, ...client } = await createClient(
      ledger,
      { id, group, scopes, dialect, ...(name === undefined ? {} : { name }) },
      clock(),
    );
    const answer = shownClient({ ...client, secretHash: '', revokedAt: null }, clock());
    return reply
      .status(201)
      .header('cache-control', 'no-store')
      .send({ ...answer, clientSecret: secret });
  });

  app.get('/clients/:clientId', { config: { operation: getClient } }, async (request) =>
    shownClient(await findClient(ledger, request), clock()),
  );

  app.delete('/clients/:clientId', { config: { operation: revokeClient } }, async (request, reply) => {
    const { id, group, revokedAt } = await findClient(ledger, request);
    if (revokedAt === null) {
      await note(deps, request, { group, action: 'client.revoked', target: id });
      await ledger.revokeClient(id, clock());
    }
    return reply.status(204).send();
  });

  app.post(
    '/clients/:clientId/secret',
    { config: { operation: rotateClientSecret } },
    async (request, reply): Promise<FastifyReply> => {
      const { id, group, scopes, revokedAt } = await findClient(ledger, request);
      if (revokedAt !== null) throw new Problem('client_not_found', 'The client is revoked.');
      // Anyone who has the secret can do everything that the client may.
      requireHeld(request, scopes, false);
      await note(deps, request, { group, action: 'client.secret_rotated', target: id });
      const { secret, oldSecretUntil } = await rotateSecret(ledger, id, clock());
      reply.header('cache-control', 'no-store');
      return reply.send({ clientId: id, clientSecret: secret, oldSecretUntil: shownTime(oldSecretUntil) });
    },
  );
}
