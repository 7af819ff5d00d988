/** What the routes that manage access share: permissions, and the audit log. */
import type { FastifyRequest } from 'fastify';
import { type Access, scopeMissing } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { SCOPE_GROUPS } from '../contract/words.ts';
import type { AuditLedger } from '../ledger/audit.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { SessionLedger } from '../ledger/session.ts';

export interface AdminDeps {
  ledger: ClientLedger & SessionLedger & AuditLedger;
  access: Access;
  clock: () => number;
}

/** Whether the caller manages all groups instead of only its own. */
export const managesGroups = (request: FastifyRequest): boolean => callerOf(request).scopes.includes(SCOPE_GROUPS);

/** The group to manage: the caller's own unless `named`. Throws Problem scope_missing for another group without `groups:admin`. */
export function groupOf(access: Access, request: FastifyRequest, named: string | undefined): string {
  const { group } = callerOf(request);
  if (named === undefined || named === group) return group;
  if (!managesGroups(request)) throw scopeMissing(access, request, [SCOPE_GROUPS]);
  return named;
}

/** Adds an entry to the audit log of a group, before the change is made. */
export async function note(
  { ledger, clock }: Pick<AdminDeps, 'ledger' | 'clock'>,
  request: FastifyRequest,
  line: { group: string; action: string; target: string; detail?: object },
): Promise<void> {
  const { group: byGroup, clientId, sessionId } = callerOf(request);
  const session = sessionId === undefined ? undefined : await ledger.session(sessionId);
  await ledger.addAudit({ detail: {}, ...line, byGroup, clientId, name: session?.name ?? null, at: clock() });
}
