/** The caller of a request: what all rooms use of a verified token, and the audit log of what callers change. */
import type { FastifyRequest } from 'fastify';
import type { Dialect } from '../contract/words.ts';
import type { AuditLedger } from '../ledger/audit.ts';
import type { SessionLedger } from '../ledger/session.ts';

export interface Caller {
  clientId: string;
  /** The management group, which is the tenant. */
  group: string;
  dialect: Dialect;
  scopes: readonly string[];
  /** The session, if a person who uses the console is calling. */
  sessionId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of `requireScopes`; null before. */
    caller: Caller | null;
  }
}

/** The caller of a request. Throws Error if the route does not require a scope. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('the route does not ask for a scope');
  return request.caller;
}

/**
 * A text that is unique for each client of each group: clients of an external issuer may have the same id in several
 * groups.
 */
export const callerKey = ({ group, clientId }: Pick<Caller, 'group' | 'clientId'>): string =>
  `${groupKey(group)}${clientId}`;

/** A text that is unique for each management group, and that no key of a client equals. */
export const groupKey = (group: string): string => `${group.length}:${group}`;

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
