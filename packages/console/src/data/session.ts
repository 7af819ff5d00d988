/**
 * Who is signed in. The session is a cookie that only `/session` reads. With it the page gets access tokens that are
 * valid for ten minutes and are kept only in memory.
 */
import { fetchRoot, ROOT } from './root.ts';
import { createStore } from './store.ts';

export interface Identity {
  clientId: string;
  scopes: string[];
  group: string;
}

/** `unknown` until the service has answered; `ended` if the person who was signed in on this page no longer is. */
export type SessionState =
  | { state: 'unknown' }
  | { state: 'signed-in'; who: Identity }
  | { state: 'signed-out' }
  | { state: 'ended'; who: Identity };

export const session = createStore<SessionState>({ state: 'unknown' });

/** A refusal of `/session`, in words for the person who signs in. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  /** Seconds until the next attempt is allowed; undefined if it is not limited. */
  readonly retryAfter: number | undefined;
  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

const CHANNEL = `daypart-session${ROOT}`;
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

const KNOWN = `daypart-signed-in ${ROOT}`;

/** Whether somebody is signed in in this browser, as far as it knows. The cookie itself cannot be read. */
export const mayBeSignedIn = (): boolean => localStorage.getItem(KNOWN) !== null;

let held: { token: string; renewAt: number } | undefined;

function post(path: string, method: string, body?: object): Promise<Response> {
  return fetchRoot(path, {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
}

/** The person is no longer signed in: the page shows why and keeps its figures. */
function end(): void {
  held = undefined;
  localStorage.removeItem(KNOWN);
  const now = session.get();
  if (now.state === 'signed-in') session.set({ state: 'ended', who: now.who });
  else if (now.state === 'unknown') session.set({ state: 'signed-out' });
}

let asking: Promise<string> | undefined;

async function askToken(): Promise<string> {
  const answer = await post('/session/token', 'POST');
  if (answer.status === 401) {
    end();
    throw new SignInError('The session has expired.');
  }
  // Not the end of the session: another attempt may succeed.
  if (!answer.ok) throw new Error(`The service could not renew the session: it answered ${answer.status}.`);
  const { token, expiresIn, clientId, scopes, group } = (await answer.json()) as {
    token: string;
    expiresIn: number;
    clientId: string;
    scopes: string[] | string;
    group: string;
  };
  localStorage.setItem(KNOWN, 'yes');
  held = { token, renewAt: Date.now() + expiresIn * 800 };
  const list = Array.isArray(scopes) ? scopes : scopes.split(' ');
  const known = session.get();
  // The same person remains the same object, so that a renewed token draws nothing again.
  if (known.state !== 'signed-in' || known.who.clientId !== clientId)
    session.set({ state: 'signed-in', who: { clientId, scopes: list, group } });
  return token;
}

/**
 * An access token, renewed after four fifths of its lifetime, once for all callers. Throws SignInError if there is no
 * session.
 */
export async function token(): Promise<string> {
  if (held && Date.now() < held.renewAt) return held.token;
  asking ??= askToken().finally(() => {
    asking = undefined;
  });
  return asking;
}

/** Discards a token that the service refused; the next call gets another one. */
export function dropToken(): void {
  held = undefined;
}

/** Signs in with a client's secret or the key of a one-time link. Throws SignInError, which says what to do. */
export async function signIn(credentials: { clientId: string; clientSecret: string } | { key: string }): Promise<void> {
  const answer = await post('/session', 'POST', credentials).catch(() => {
    throw new SignInError('The service could not be reached. Check that it runs, then try again.');
  });
  if (!answer.ok) {
    const body = Object(await answer.json().catch(() => ({})));
    const wait = Number(answer.headers.get('retry-after')) || undefined;
    throw new SignInError(body.message ?? body.detail ?? `The service answered ${answer.status}.`, wait);
  }
  held = undefined;
  await token();
  channel?.postMessage('signed-in');
}

/** Ends the session here and in the other tabs. */
export async function signOut(): Promise<void> {
  await post('/session', 'DELETE').catch(() => undefined);
  held = undefined;
  sessionStorage.clear();
  localStorage.removeItem(KNOWN);
  session.set({ state: 'signed-out' });
  channel?.postMessage('signed-out');
}

channel?.addEventListener('message', ({ data }) => {
  held = undefined;
  if (data === 'signed-out') end();
  else if (session.get().state !== 'signed-in') void token().catch(() => undefined);
});

/** Whether the person has the scope. */
export function may(scope: string): boolean {
  const now = session.get();
  return (now.state === 'signed-in' || now.state === 'ended') && now.who.scopes.includes(scope);
}
