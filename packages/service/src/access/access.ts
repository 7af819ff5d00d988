/**
 * Who may call: clients, tokens, signing keys, scopes, limits, sessions and idempotency keys. This file issues and
 * verifies access tokens, and has the hook that requires one (docs/contract.md#tokens).
 */
import { hash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type CryptoKey, decodeJwt, decodeProtectedHeader, errors, type JWK, jwtVerify, SignJWT } from 'jose';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import type { Scope } from '../contract/words.ts';
import { keepMost } from '../kept.ts';
import type { Client, ClientLedger } from '../ledger/client.ts';
import type { GroupLedger } from '../ledger/group.ts';
import type { SigningKeyLedger } from '../ledger/keys.ts';
import type { NotificationLedger } from '../ledger/notifications.ts';
import type { SessionLedger } from '../ledger/session.ts';
import { BASIC_CHALLENGE, type BasicCaller } from './basic.ts';
import type { Caller } from './caller.ts';
import { type ExternalIssuerConfig, externalVerifier } from './external-issuer.ts';
import { ALGORITHM, type Keyring, openKeyring } from './keyring.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { invalidToken, LEEWAY_SECONDS, type Verified } from './verified.ts';

export { checkExternalIssuer } from './external-issuer.ts';

/** The `aud` of every token: one audience, whatever host name the service is called by. */
const AUDIENCE = 'daypart';
const TYPE = 'at+jwt';
const SESSION_TOKEN_SECONDS = 600;
/** How long, and for how many tokens, the outcome of a verification (some 90 µs) is cached. */
const REMEMBER_TOKENS_MS = 60_000;
const REMEMBER_TOKENS = 10_000;

interface IssuedToken {
  accessToken: string;
  /** Lifetime in seconds. */
  expiresIn: number;
  /** Scopes, separated by spaces. */
  scope: string;
}

export interface Access {
  /**
   * Signs a token (RFC 9068). `scopes` are not checked: the caller has verified that the client may have them. A token
   * of a session is valid for ten minutes, and no longer than its session.
   */
  issueToken(client: Client, scopes: readonly string[], origin: string, sessionId?: string): Promise<IssuedToken>;
  /**
   * The caller that the token identifies. Throws Problem `token_invalid`; `unavailable` if the keys of the external
   * issuer cannot be fetched.
   */
  verify(token: string): Promise<Caller>;
  /**
   * Whether a token that was accepted when its call began would now be refused for another reason than its age: its
   * client was revoked or its session ended. False while the ledger is unavailable. Never throws.
   */
  isRevoked(token: string): Promise<boolean>;
  /** The public keys of the service (RFC 7517). */
  jwks(): Promise<{ keys: JWK[] }>;
  /** The sessions of people who use the console. */
  sessions: Sessions;
  /** The address of the RFC 9728 metadata, for a caller that used this host. */
  metadataUrl(host: string): string;
}

/** Returns a function that verifies a token; its signature and expiry are cached for a while. */
function createTokenCheck(deps: {
  keyring: Keyring;
  verifyExternal: ((token: string) => Promise<Verified>) | undefined;
  issuer: string | undefined;
  clock: () => number;
}): (token: string) => Promise<Verified> {
  const { keyring, verifyExternal, clock } = deps;
  const remembered = keepMost<{ verified: Verified; until: number }>(REMEMBER_TOKENS);

  async function verifyOwn(token: string, key: CryptoKey): Promise<Verified> {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'client_id', 'scope', 'management_group'],
      currentDate: new Date(clock()),
      clockTolerance: LEEWAY_SECONDS,
    }).catch((error: unknown) => {
      throw invalidToken(error);
    });
    return {
      clientId: String(payload.client_id),
      group: String(payload.management_group),
      scopes: String(payload.scope).split(' '),
      endsAt: (Number(payload.exp) + LEEWAY_SECONDS) * 1000,
      external: false,
      ...(typeof payload.sid === 'string' ? { sessionId: payload.sid } : {}),
    };
  }

  async function check(token: string): Promise<Verified> {
    const { kid, issuer } = readUnverified(token);
    const key = kid === undefined ? undefined : await keyring.verifier(kid);
    if (key) return await verifyOwn(token, key);
    if (verifyExternal && issuer === deps.issuer) return await verifyExternal(token);
    throw invalidToken('signed with a key that this service does not have');
  }

  return async (token) => {
    const name = hash('sha256', token, 'base64');
    const now = clock();
    const known = remembered.get(name);
    if (known && now < known.until) return known.verified;
    const verified = await check(token);
    remembered.set(name, { verified, until: Math.min(verified.endsAt, now + REMEMBER_TOKENS_MS) });
    return verified;
  };
}

/**
 * Opens access over a ledger; creates the first signing key if there is none.
 *
 * The issuer (`iss`) of a token is the origin under which it was requested (or `publicUrl`), because RFC 8414 requires
 * issuer and metadata to agree. When a token is verified, what counts is that one of the service's own keys signed it
 * and that `aud` is `daypart`; `iss` may be any origin, so a token survives a restart, another port and another host
 * name.
 *
 * Signature and expiry are cached for up to 60 s; the expiry, and the client's row (revocation, group, scopes,
 * dialect), are checked on every call.
 */
export async function createAccess(deps: {
  ledger: ClientLedger & GroupLedger & SigningKeyLedger & SessionLedger & Pick<NotificationLedger, 'shared'>;
  config: Pick<Config, 'tokenSeconds' | 'publicUrl' | 'basePath' | 'externalDialect'> & ExternalIssuerConfig;
  clock: () => number;
}): Promise<Access> {
  const { ledger, config, clock } = deps;
  const sessions = createSessions({ ledger, clock });
  const keyring = await openKeyring(ledger, config.tokenSeconds, clock);
  const verifyExternal = externalVerifier(ledger, config, clock);
  const checkOnce = createTokenCheck({ keyring, verifyExternal, issuer: config.externalIssuer, clock });

  const access: Access = {
    async issueToken(client, scopes, origin, sessionId) {
      const { kid, key } = await keyring.signer();
      const expiresIn = sessionId === undefined ? config.tokenSeconds : SESSION_TOKEN_SECONDS;
      const issuedAt = Math.floor(clock() / 1000);
      const scope = scopes.join(' ');
      const claims = { client_id: client.id, scope, management_group: client.group };
      const accessToken = await new SignJWT(sessionId === undefined ? claims : { ...claims, sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(origin)
        .setSubject(client.id)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresIn)
        .setJti(randomUUID())
        .sign(key);
      return { accessToken, expiresIn, scope };
    },

    async verify(token) {
      const { clientId, group, scopes, external, sessionId } = await checkOnce(token);
      if (external) {
        if ((await ledger.group(group))?.removing) throw invalidToken('the management group is being removed');
        return { clientId, group, scopes, dialect: config.externalDialect };
      }
      const client = await ledger.client(clientId);
      if (client?.revokedAt !== null) throw invalidToken('the client is unknown or was revoked');
      if (client.group !== group) throw invalidToken('the client has moved to another group');
      const left = scopes.filter((scope) => client.scopes.includes(scope));
      if (sessionId === undefined) return { clientId, group, scopes: left, dialect: client.dialect };
      if (!(await sessions.isLive(sessionId))) throw invalidToken('the session has expired or was ended');
      // The console reads one dialect, whatever dialect its client's other programs use.
      return { clientId, group, scopes: left, dialect: 'reference', sessionId };
    },

    isRevoked: (token) =>
      access.verify(token).then(
        () => false,
        (error: unknown) =>
          error instanceof Problem && error.code === 'token_invalid' && !(error.cause instanceof errors.JWTExpired),
      ),

    sessions,

    jwks: () => keyring.published(),

    metadataUrl(host) {
      const called = URL.parse(`http://${host}`)?.origin ?? 'http://localhost';
      return `${config.publicUrl ?? called + config.basePath}/.well-known/oauth-protected-resource`;
    },
  };
  return access;
}

/**
 * The unverified key id and issuer of a token, to find the key that verifies it. Throws Problem `token_invalid` if it
 * is not a JWT.
 */
function readUnverified(token: string): { kid: string | undefined; issuer: string | undefined } {
  try {
    const { kid } = decodeProtectedHeader(token);
    return { kid: typeof kid === 'string' ? kid : undefined, issuer: decodeJwt(token).iss };
  } catch (error) {
    throw invalidToken(error);
  }
}

/** The token of an `Authorization: Bearer` header; undefined without the header or for another scheme. */
export function bearerOf(header: string | undefined): string | undefined {
  const found = /^bearer(?: +(.*))?$/i.exec(header?.trim() ?? '');
  return found ? (found[1] ?? '') : undefined;
}

/** The `WWW-Authenticate` header of RFC 6750, with the address of the RFC 9728 metadata. */
function challenge(
  access: Access,
  request: FastifyRequest,
  refusal: Record<string, string>,
  others: readonly string[] = [],
): { headers: Record<string, string> } {
  const all = { realm: 'daypart', ...refusal, resource_metadata: access.metadataUrl(request.host) };
  const parameters = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return { headers: { 'www-authenticate': [`Bearer ${parameters.join(', ')}`, ...others].join(', ') } };
}

/** The 401 for a token that `invalidToken` refused, with its challenge. */
export function tokenRefused(access: Access, request: FastifyRequest, { code, message, extras }: Problem): Problem {
  const refusal = { error: 'invalid_token', error_description: message };
  return new Problem(code, message, { ...extras, ...challenge(access, request, refusal) });
}

/** The 403 for a token that has none of the scopes, with its challenge. */
export function scopeMissing(access: Access, request: FastifyRequest, anyOf: readonly Scope[]): Problem {
  const refusal = { error: 'insufficient_scope', scope: anyOf.join(' ') };
  const message = `The access token lacks the scope ${anyOf.join(' or ')}.`;
  return new Problem('scope_missing', message, challenge(access, request, refusal));
}

/**
 * A Fastify `onRequest` hook that sets `request.caller`. Throws Problem `token_missing`, `token_invalid`, or, if the
 * token has none of the scopes, or with `allScopes` lacks one, `scope_missing`; each with the RFC 6750 challenge and
 * the address of the RFC 9728 metadata. With `basic` it also takes a client by its id and secret.
 */
export function requireScopes(
  access: Access,
  { scopes, allScopes = false }: { scopes: readonly Scope[]; allScopes?: boolean | undefined },
  basic?: BasicCaller,
): (request: FastifyRequest) => Promise<void> {
  const alternatives = allScopes ? scopes.map((scope) => [scope]) : [scopes];
  async function callerByToken(request: FastifyRequest): Promise<Caller> {
    const token = bearerOf(request.headers.authorization);
    if (token === undefined) {
      const message = 'The operation needs an access token: send Authorization: Bearer <token>.';
      throw new Problem('token_missing', message, challenge(access, request, {}, basic ? [BASIC_CHALLENGE] : []));
    }
    return await access.verify(token).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'token_invalid') throw error;
      throw tokenRefused(access, request, error);
    });
  }
  return async (request) => {
    const caller = (await basic?.(request)) ?? (await callerByToken(request));
    const missing = alternatives.find((anyOf) => !anyOf.some((scope) => caller.scopes.includes(scope)));
    if (missing) throw scopeMissing(access, request, missing);
    request.caller = caller;
  };
}
