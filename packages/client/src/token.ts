/** Access tokens: fetched once, shared by calls that run at the same time, renewed before they expire. */
import { UnexpectedAnswerError } from './errors.ts';
import { openScope, STEP_MS, shared } from './scope.ts';
import type { Send, TokenSource } from './transport.ts';

export interface Credentials {
  clientId: string;
  clientSecret: string;
  auth: 'oauth' | 'login';
  tokenUrl: string;
  scope: string | undefined;
}

/** A token is renewed this long before it expires, or after four fifths of its lifetime. */
const EARLY_MS = 60_000;

/** A token, as a caller's function returns it; with `expiresIn`, in seconds, it is kept for four fifths of that. */
export type GivenToken = string | { token: string; expiresIn: number };

/** A token from the caller, or from the caller's function. */
export function givenToken(token: string | (() => GivenToken | Promise<GivenToken>)): TokenSource {
  if (typeof token === 'string') return { get: async () => token, drop: () => false };
  let held: { token: string; renewAt: number } | undefined;
  const ask = shared(async () => {
    const began = Date.now();
    const got = await token();
    if (typeof got === 'string') return got;
    held = { token: got.token, renewAt: began + got.expiresIn * 800 };
    return got.token;
  });
  return {
    get: async (signal) => (held && Date.now() < held.renewAt ? held.token : await ask(signal)),
    drop(token) {
      if (held?.token === token) held = undefined;
      return true;
    },
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

  const fetchOne = shared(async (signal) => {
    const began = Date.now();
    const scope = openScope({ signal }, STEP_MS);
    const settings = { scope, whole: true };
    const response = await send(credentials.tokenUrl, requestOf(credentials), settings).finally(scope.close);
    const body = Object(await response.json().catch(() => undefined));
    const token = body.access_token ?? body.token?.accessToken;
    if (typeof token !== 'string' || !token) throw new UnexpectedAnswerError('The token endpoint sent no token.');
    const lifeMs = Number(body.expires_in ?? body.token?.expiresIn) * 1000;
    // A token without a lifetime (allowed by RFC 6749 5.1) is used until it is refused.
    held = { token, renewAt: lifeMs > 0 ? began + lifeMs - Math.min(EARLY_MS, lifeMs / 5) : Infinity };
    return token;
  });

  return {
    get: async (signal) => (held && Date.now() < held.renewAt ? held.token : await fetchOne(signal)),
    drop(token) {
      if (held?.token === token) held = undefined;
      return true;
    },
  };
}
