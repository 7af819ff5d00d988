/**
 * `/session`: how a person signs in to the console, at the origin (docs/sessions.md). Only these routes read a cookie;
 * every other operation requires a bearer token.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { type FieldError, Problem, unknownField } from '../contract/problems.ts';
import type { SignInLink } from '../ledger/session.ts';
import { addressOf } from './address.ts';
import type { Counters } from './counters.ts';
import type { ClientSecret, Credentials } from './credentials.ts';
import { createFailedLogins, keysOf } from './failed-logins.ts';
import { clearCookie, readCookie, setCookie } from './session-cookie.ts';
import { CHALLENGE, guardSessionRoutes, type SessionGuardDeps } from './session-guard.ts';
import { getSession, issueSessionToken, signIn, signInBody, signOut } from './session-operations.ts';
import { expiryOf, type NewSession, type SignedIn, sessionScopes } from './sessions.ts';

interface SessionRoutesDeps extends SessionGuardDeps {
  credentials: Credentials;
  config: Pick<Config, 'trustedProxies'>;
  /** Count failed sign-ins. */
  counters: Counters;
  clock: () => number;
}

const BODY_LIMIT = 16 * 1024;

/** The part that the answers with a token and with the signed-in client share. */
const shownCaller = (signedIn: SignedIn) => ({
  clientId: signedIn.client.id,
  scopes: sessionScopes(signedIn),
  group: signedIn.client.group,
  dialect: 'reference' as const,
});

/** Registers the routes in a plugin of their own, whose hooks and parser apply to them alone. */
export async function sessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): Promise<void> {
  const { access, origin } = deps;
  const { sessions } = access;
  const signedIn = guardSessionRoutes(app, deps);
  const options = { bodyLimit: BODY_LIMIT };

  const begin = signInWith(deps);
  app.post('/session', { ...options, config: { operation: signIn } }, async (request, reply) => {
    const { session, cookie } = await begin(request);
    // The previous session of this browser is no longer of use.
    const before = readCookie(request, origin(request));
    const old = before === undefined ? undefined : await sessions.find(before);
    if (old && old.session.id !== session.id) await sessions.end(old.session.id);
    return reply
      .status(204)
      .header('set-cookie', setCookie(origin(request), cookie))
      .send();
  });

  app.get('/session', { config: { operation: getSession } }, async (request) => {
    const found = await signedIn(request);
    return {
      ...shownCaller(found),
      name: found.session.name,
      createdAt: new Date(found.session.createdAt).toISOString(),
      expiresAt: new Date(expiryOf(found.session)).toISOString(),
    };
  });

  app.post('/session/token', { ...options, config: { operation: issueSessionToken } }, async (request) => {
    const found = await signedIn(request);
    const caller = shownCaller(found);
    const { accessToken, expiresIn } = await access.issueToken(
      found.client,
      caller.scopes,
      origin(request),
      found.session.id,
    );
    return { token: accessToken, expiresIn, ...caller };
  });

  app.delete(
    '/session',
    { ...options, config: { operation: signOut } },
    async (request, reply): Promise<FastifyReply> => {
      const cookie = readCookie(request, origin(request));
      const found = cookie === undefined ? undefined : await sessions.find(cookie);
      if (found) await sessions.end(found.session.id);
      return reply
        .status(204)
        .header('set-cookie', clearCookie(origin(request)))
        .send();
    },
  );
}

/** Begins a session for the body of a sign-in. Throws Problem login_refused, link_refused, too_many_logins. */
function signInWith(deps: SessionRoutesDeps): (request: FastifyRequest) => Promise<NewSession> {
  const { access, credentials, config, clock } = deps;
  const { sessions } = access;
  const failed = createFailedLogins(deps.counters, clock);
  return async (request) => {
    const signIn = readSignIn(request.body);
    const address = addressOf(request, config.trustedProxies);
    const keys = keysOf(address, 'id' in signIn ? signIn.id : undefined);
    await failed.check(keys);
    if ('id' in signIn) {
      const client = await credentials.authenticate([signIn], address);
      if (client) return await sessions.begin(client);
    } else {
      const begun = await sessions.beginBy(signIn.key);
      if (begun && 'cookie' in begun) return begun;
      await failed.note(keys);
      throw new Problem(
        'link_refused',
        `The link ${faultOf(begun, clock())}. Get another with daypart console-link.`,
        CHALLENGE,
      );
    }
    await failed.note(keys);
    throw new Problem('login_refused', 'The client id or the client secret is wrong.', CHALLENGE);
  };
}

/** Why a link begins no session. */
function faultOf(link: SignInLink | undefined, now: number): string {
  if (link === undefined) return 'is unknown';
  if (link.spentAt !== null) return 'was already used';
  return link.endsAt <= now ? 'has expired' : 'is of a client that was revoked';
}

/** The credentials or the key of a sign-in. Throws Problem invalid_body, unknown_field. */
function readSignIn(body: unknown): ClientSecret | { key: string } {
  const { key, ...client } = signInBody.read(body);
  const { clientId, clientSecret } = client;
  const fields = Object.entries(client);
  if (key !== undefined) {
    const [extra] = fields.find(([, value]) => value !== undefined) ?? [];
    if (extra !== undefined) throw unknownField(extra, ['key']);
    return { key };
  }
  if (clientId !== undefined && clientSecret !== undefined) return { id: clientId, secret: clientSecret };
  const missing = fields.flatMap(([name, value]) => (value === undefined ? [name] : []));
  const errors = missing.map((name): FieldError => ({ pointer: `/${name}`, message: `${name} must be a text.` }));
  throw new Problem('invalid_body', errors.map(({ message }) => message).join(' '), { errors });
}
