/** Clients of the group, their sessions and what is left of their limits, with the scope access:admin. */
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

export interface Delivery {
  id?: string;
  [more: string]: unknown;
}

export interface Webhook {
  url: string;
  deliveries?: Delivery[];
  [more: string]: unknown;
}

/** A window of the limits of a client. */
export interface Window {
  /** `retrieval-minute`. */
  name: string;
  quota: number;
  left: number;
  endsInSeconds: number;
}

/** What is left of each window of this client. */
export const readLimits = (signal: AbortSignal): Promise<{ clientId: string; windows: Window[] }> =>
  daypart.request('GET', '/limits', { signal });
