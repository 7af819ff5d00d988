/** The caller of a request: what all rooms use of a verified token. */
import type { FastifyRequest } from 'fastify';
import type { Dialect } from '../contract/words.ts';

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
