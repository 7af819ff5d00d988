/**
 * Access over HTTP: clients, groups, sessions, limits and the audit log. This file has what the routes share:
 * permissions, and the entries of the audit log.
 */
import type { FastifyRequest } from 'fastify';
import { type Access, scopeMissing } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { Problem } from '../contract/problems.ts';
import { SCOPE_GROUPS } from '../contract/words.ts';
import type { AuditLedger } from '../ledger/audit.ts';
import type { Client, ClientLedger } from '../ledger/client.ts';
import type { GroupLedger } from '../ledger/group.ts';
import type { SessionLedger } from '../ledger/session.ts';

export interface AdminDeps {
  ledger: ClientLedger & GroupLedger & SessionLedger & AuditLedger;
  access: Access;
  clock: () => number;
}

/** Whether the caller manages all groups instead of only its own. */
export const managesGroups = (request: FastifyRequest): boolean => callerOf(request).scopes.includes(SCOPE_GROUPS);

/**
 * The group to manage: the caller's own unless `named`. Throws Problem scope_missing for another group without
 * `groups:admin`.
 */
export function groupOf(access: Access, request: FastifyRequest, named: string | undefined): string {
  const { group } = callerOf(request);
  if (named === undefined || named === group) return group;
  if (!managesGroups(request)) throw scopeMissing(access, request, [SCOPE_GROUPS]);
  return named;
}

/**
 * The client in the path. Throws Problem client_not_found, also for a client of another group unless the caller manages
 * all groups.
 */
export async function findClient(ledger: ClientLedger, request: FastifyRequest): Promise<Client> {
  const { clientId } = request.params as { clientId: string };
  const client = await ledger.client(clientId);
  if (client && (client.group === callerOf(request).group || managesGroups(request))) return client;
  throw new Problem('client_not_found', 'No client of the management group has this id.');
}
