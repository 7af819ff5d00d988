/**
 * Sign-in (doc.toasttab.com/doc/devguide/authentication.html, …/apiAuthenticationRateLimit.html). The token is a JWT
 * whose text nobody but the upstream has to understand. A second sign-in gets the token of the first with what is left
 * of its time.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { HOUR_MS } from '../../packages/service/src/contract/time.ts';
import { Refusal } from './refusal.ts';
import type { UpstreamClient, World } from './world.ts';

export interface TokenOptions {
  /** How long a token is valid, in seconds; a day, as documented. */
  tokenSeconds?: number | undefined;
  /**
   * More sign-ins of a client in an hour are refused. Unlimited without: the limit is asked for and, as documented, not
   * enforced yet.
   */
  loginsAnHour?: number | undefined;
}

interface Token {
  text: string;
  clientId: string;
  /** Ms since 1970 UTC. */
  until: number;
}

const DAY_SECONDS = 86_400;

export interface Tokens {
  /** The body of a successful sign-in. Throws a Refusal. */
  login(body: unknown): object;
  /** The client of an `Authorization` header. Throws a Refusal. */
  clientOf(authorization: string | undefined): UpstreamClient;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Keeps the tokens of a world, whose clock they expire by. */
export function createTokens(world: World, { tokenSeconds = DAY_SECONDS, loginsAnHour }: TokenOptions): Tokens {
  const key = randomBytes(32);
  const tokens = new Map<string, Token>();
  const logins = new Map<string, number[]>();
  let count = 0;
  world.onEndTokens = (clientId) => {
    for (const [text, token] of tokens) if (token.clientId === clientId) tokens.delete(text);
  };

  function issue({ clientId, scopes }: UpstreamClient, now: number): Token {
    const until = now + tokenSeconds * 1000;
    const signed = [
      part({ alg: 'HS256', typ: 'JWT' }),
      part({
        iss: 'upstream-stand-in',
        client_id: clientId,
        scope: scopes,
        jti: String(++count),
        exp: Math.floor(until / 1000),
      }),
    ].join('.');
    const text = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    tokens.set(text, { text, clientId, until });
    return { text, clientId, until };
  }

  return {
    login(body) {
      const now = world.clock.now();
      const { clientId, clientSecret, userAccessType } = (body ?? {}) as Record<string, unknown>;
      if (userAccessType !== 'TOAST_MACHINE_CLIENT')
        throw new Refusal(400, 'userAccessType must be TOAST_MACHINE_CLIENT');
      const client = world.clients.find((one) => one.clientId === clientId && one.clientSecret === clientSecret);
      if (!client) throw new Refusal(401, 'Invalid client credentials');
      const recent = (logins.get(client.clientId) ?? []).filter((at) => at > now - HOUR_MS);
      if (loginsAnHour !== undefined && recent.length >= loginsAnHour) {
        const wait = Math.ceil(((recent[0] ?? now) + HOUR_MS - now) / 1000);
        throw new Refusal(429, 'Too many authentication requests', { headers: { 'Retry-After': String(wait) } });
      }
      logins.set(client.clientId, [...recent, now]);
      const known = [...tokens.values()].find((token) => token.clientId === client.clientId && token.until > now);
      const token = known ?? issue(client, now);
      const expiresIn = Math.floor((token.until - now) / 1000);
      return {
        token: {
          tokenType: 'Bearer',
          scope: null,
          expiresIn,
          accessToken: token.text,
          idToken: null,
          refreshToken: null,
        },
        status: 'SUCCESS',
      };
    },
    clientOf(authorization) {
      const token = tokens.get(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '');
      const client =
        token && token.until > world.clock.now() && world.clients.find((one) => one.clientId === token.clientId);
      if (!client) throw new Refusal(401, 'Unauthorized');
      return client;
    },
  };
}
