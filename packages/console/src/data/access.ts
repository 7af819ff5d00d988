/** Clients of the group, their sessions and what is left of their limits, with the scope access:admin. */
import { NotFoundError } from '@daypart/client';
import { daypart } from './client.ts';

export interface ClientInfo {
  clientId: string;
  name: string | null;
  group: string;
  scopes: string[];
  dialect: string;
  createdAt?: string;
  /** UTC ISO 8601; null of one that may call. */
  revokedAt: string | null;
  /** Until when the secret before remains valid; null where there is none. */
  oldSecretUntil: string | null;
}

/** A secret is answered once: it is stored as a hash. */
export interface NewSecret {
  clientId: string;
  clientSecret: string;
}

export const readClients = (signal: AbortSignal): Promise<ClientInfo[]> =>
  daypart.request('GET', '/clients', { signal });

export const addClient = (body: { name: string; scopes: string[]; dialect: string }): Promise<NewSecret> =>
  daypart.request('POST', '/clients', { body });

/** Another secret; the one before is valid for another day. */
export const renewSecret = (clientId: string): Promise<NewSecret> =>
  daypart.request('POST', `/clients/${encodeURIComponent(clientId)}/secret`, { body: {} });

/** Waits for an operation that answers nothing: 202 and 204 have no JSON. */
export async function silently(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (Object(error).name !== 'UnexpectedAnswerError') throw error;
  });
}

/** Refused from its next request. */
export const revokeClient = (clientId: string): Promise<void> =>
  silently(daypart.request('DELETE', `/clients/${encodeURIComponent(clientId)}`));

/** A call of a webhook with all of its attempts. Times are UTC ISO 8601. */
export interface Delivery {
  webhookId: string;
  type: string;
  reportRequestGuid: string | null;
  state: string;
  createdAt: string;
  attempts: number;
  attemptedAt: string | null;
  nextAttemptAt: string | null;
  /** What the receiver answered last; null where it did not. */
  status: number | null;
  error: string | null;
}

export interface Webhook {
  url: string;
  createdAt: string;
  /** False after the receiver answered 410. */
  active: boolean;
  oldSecretUntil: string | null;
}

/** The webhook of this client; null where it has none. */
export async function readWebhook(signal: AbortSignal): Promise<Webhook | null> {
  try {
    return await daypart.request<Webhook>('GET', '/webhook', { signal });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

const ofClient = (client: string): string => (client ? `?client=${encodeURIComponent(client)}` : '');

/** The deliveries of a client of the last 7 days, newest first; of this client where it is empty. */
export const readDeliveries = (client: string, signal: AbortSignal): Promise<Delivery[]> =>
  daypart.request('GET', `/webhook/deliveries${ofClient(client)}`, { signal });

/** Sends a delivery again. */
export const replay = (client: string, webhookId: string): Promise<unknown> =>
  daypart.request('POST', `/webhook/deliveries/${encodeURIComponent(webhookId)}/replay${ofClient(client)}`, {
    body: {},
  });

/** A window of the limits of a client. */
export interface Window {
  /** `retrieval-minute`. */
  name: string;
  quota: number;
  left: number;
  endsInSeconds: number;
}

/** What is left of each window of a client; of this client where it is empty. */
export const readLimits = (client: string, signal: AbortSignal): Promise<{ clientId: string; windows: Window[] }> =>
  daypart.request('GET', `/limits${ofClient(client)}`, { signal });

/** Somebody who is signed in to the console. */
export interface ListedSession {
  sessionId: string;
  clientId: string;
  /** Who the one-time link was made for. */
  name: string | null;
  scopes: string[];
  createdAt: string;
  seenAt: string;
  expiresAt: string;
  current: boolean;
}

export const readSessions = (signal: AbortSignal): Promise<ListedSession[]> =>
  daypart.request('GET', '/sessions', { signal });

export const endSession = (sessionId: string): Promise<void> =>
  silently(daypart.request('DELETE', `/sessions/${encodeURIComponent(sessionId)}`));

/** A change of access over HTTP. */
export interface AuditEntry {
  at: string;
  byGroup: string;
  clientId: string;
  name: string | null;
  /** `client.created`. */
  action: string;
  target: string;
  detail: Record<string, unknown>;
}

const AUDIT_PAGE = 50;

/** So many pages of the audit log, newest first. */
export async function readAudit(pages: number, signal: AbortSignal) {
  const entries: AuditEntry[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < pages && cursor !== null; page++) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/audit?limit=${AUDIT_PAGE}${after}`;
    const read = await daypart.request<{ entries: AuditEntry[]; nextCursor: string | null }>('GET', path, { signal });
    entries.push(...read.entries);
    cursor = read.nextCursor;
  }
  return { entries, more: cursor !== null };
}

/** A public key by which access tokens are verified. */
export interface SigningKey {
  kid: string;
  alg: string;
  kty: string;
  crv?: string;
}

/** The keys of the service, the one that signs first. They are public. */
export async function readKeys(signal: AbortSignal): Promise<SigningKey[]> {
  const answer = await fetch('/oauth/jwks', { signal, headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return ((await answer.json()) as { keys: SigningKey[] }).keys;
}
