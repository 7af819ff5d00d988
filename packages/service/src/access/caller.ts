/** Who calls: what every room needs to know of a verified token. */
import type { FastifyRequest } from 'fastify';
import type { Dialect } from '../contract/words.ts';

export interface Caller {
  clientId: string;
  /** The management group: the tenant. */
  group: string;
  dialect: Dialect;
  scopes: readonly string[];
  /** Of a person who uses the console. */
  sessionId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook that `requireScope` makes; null before. */
    caller: Caller | null;
  }
}

/** The caller of a request whose route asked for a scope. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('the route does not ask for a scope');
  return request.caller;
}

/** One text for each client of each group: clients of an external issuer may have the same id in several groups. */
export const callerKey = ({ group, clientId }: Pick<Caller, 'group' | 'clientId'>): string =>
  `${group.length}:${group}${clientId}`;
