/** Access tokens: fetched once, shared by calls that go on at the same time, renewed before they end. */
import { UnexpectedAnswerError } from './errors.ts';
import type { Send } from './transport.ts';

export interface TokenSource {
  get(): Promise<string>;
  /** Forgets a token that was refused. False where there is no other to be had. */
  drop(token: string): boolean;
}

export interface Credentials {
  clientId: string;
  clientSecret: string;
  auth: 'oauth' | 'login';
  tokenUrl: string;
  scope: string | undefined;
}

/** A token is renewed this long before it ends, or at four fifths of its life. */
const EARLY_MS = 60_000;

/** A token that the caller brings, or a function that does. */
export function givenToken(token: string | (() => string | Promise<string>)): TokenSource {
  if (typeof token === 'string') return { get: async () => token, drop: () => false };
  let pending: Promise<string> | undefined;
  return {
    get() {
      pending ??= Promise.resolve()
        .then(token)
        .finally(() => {
          pending = undefined;
        });
      return pending;
    },
    drop: () => true,
  };
}

// RFC 6749 section 2.3.1: both parts are form-encoded before Basic.
const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

function requestOf({
  clientId,
  clientSecret,
  auth,
  scope,
}: Credentials): RequestInit & { headers: Record<string, string> } {
  if (auth === 'login') {
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret, userAccessType: 'TOAST_MACHINE_CLIENT' }),
    };
  }
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`,
    },
    body: `grant_type=client_credentials${scope ? `&scope=${formEncoded(scope)}` : ''}`,
  };
}

/** Tokens by client credentials, from either endpoint. */
export function fetchedToken(credentials: Credentials, send: Send): TokenSource {
  let held: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const began = Date.now();
    const response = await send(credentials.tokenUrl, requestOf(credentials), {});
    const body = Object(await response.json().catch(() => undefined));
    const token = body.access_token ?? body.token?.accessToken;
    if (typeof token !== 'string' || !token) throw new UnexpectedAnswerError('The token endpoint sent no token.');
    const lifeMs = Number(body.expires_in ?? body.token?.expiresIn) * 1000;
    // A life that is not told (RFC 6749 5.1 allows that) lasts until the token is refused.
    held = { token, renewAt: lifeMs > 0 ? began + lifeMs - Math.min(EARLY_MS, lifeMs / 5) : Infinity };
    return token;
  }

  return {
    async get() {
      if (held && Date.now() < held.renewAt) return held.token;
      pending ??= fetchToken().finally(() => {
        pending = undefined;
      });
      return await pending;
    },
    drop(token) {
      if (held?.token === token) held = undefined;
      return true;
    },
  };
}
