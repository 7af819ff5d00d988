/** What callers change, for the audit log of the group. */
import type { FastifyRequest } from 'fastify';
import type { AuditLedger } from '../ledger/audit.ts';
import type { SessionLedger } from '../ledger/session.ts';
import { callerOf } from './caller.ts';

export interface AuditDeps {
  ledger: SessionLedger & AuditLedger;
  clock: () => number;
}

/** Adds an entry to the audit log of a group, before the change is made. */
export async function note(
  { ledger, clock }: AuditDeps,
  request: FastifyRequest,
  line: { group: string; action: string; target: string; detail?: object },
): Promise<void> {
  const { group: byGroup, clientId, sessionId } = callerOf(request);
  const session = sessionId === undefined ? undefined : await ledger.session(sessionId);
  await ledger.addAudit({ detail: {}, ...line, byGroup, clientId, name: session?.name ?? null, at: clock() });
}
