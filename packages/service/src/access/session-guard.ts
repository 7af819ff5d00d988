/**
 * What all routes below `/session` share: the check of the origin, the body parser, and finding the session of the
 * cookie.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import type { Access } from './access.ts';
import { readCookie, requireOwnPage } from './session-cookie.ts';
import type { SignedIn } from './sessions.ts';

export interface SessionGuardDeps {
  access: Access;
  /** The origin that was called, or the configured one. */
  origin: (request: FastifyRequest) => string;
  /** Whether the host that was called can only be this service. */
  isOwn: (request: FastifyRequest) => boolean;
  readJson: (body: Buffer) => unknown;
}

/** A 401 must have a challenge (RFC 9110 15.5.2), and no authentication scheme uses cookies. */
export const CHALLENGE = { headers: { 'www-authenticate': 'Bearer realm="daypart"' } };

/**
 * Sets the hooks and the parser of a plugin with such routes. Returns a function that finds the session of a request
 * and throws Problem session_missing if there is none.
 */
export function guardSessionRoutes(
  app: FastifyInstance,
  { access, origin, isOwn, readJson }: SessionGuardDeps,
): (request: FastifyRequest) => Promise<SignedIn> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method === 'GET' || request.method === 'HEAD') return;
    if (!isOwn(request))
      throw new Problem(
        'cross_site_refused',
        'The host that was called may be that of others: open the page at the address on which the service listens, or name its origin with --public-url.',
      );
    requireOwnPage(request, origin(request));
  });
  app.removeContentTypeParser('application/json');
  // A sign-out needs no body.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? {} : readJson(body as Buffer));
    } catch (error) {
      done(error as Error, undefined);
    }
  });

  return async (request) => {
    const cookie = readCookie(request, origin(request));
    const found = cookie === undefined ? undefined : await access.sessions.find(cookie);
    if (!found) throw new Problem('session_missing', 'You are not signed in, or your session has expired.', CHALLENGE);
    return found;
  };
}
