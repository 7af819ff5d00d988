/** Clients of the group and what they may do, with the scope access:admin. */
import { daypart } from './client.ts';

export interface ClientInfo {
  id?: string;
  clientId?: string;
  name: string | null;
  scopes: string[];
  dialect: string;
  createdAt?: string;
  revokedAt?: string | null;
}

/** The id of a client, however the list names it. */
export const idOf = ({ id, clientId }: ClientInfo): string => id ?? clientId ?? '';

/** A client that was just made: the only time its secret is shown. */
export type NewClient = ClientInfo & { secret?: string; clientSecret?: string };

export const secretOf = ({ secret, clientSecret }: NewClient): string => secret ?? clientSecret ?? '';

/** The list of an answer, which is the answer or a property of it. */
const listOf = <T>(answer: T[] | Record<string, unknown>): T[] =>
  Array.isArray(answer) ? answer : ((Object.values(answer).find(Array.isArray) ?? []) as T[]);

export const readClients = async (signal: AbortSignal): Promise<ClientInfo[]> =>
  listOf<ClientInfo>(await daypart.request('GET', '/clients', { signal }));

export const addClient = (body: { name: string; scopes: string[]; dialect: string }): Promise<NewClient> =>
  daypart.request('POST', '/clients', { body });

export const newSecret = (id: string): Promise<NewClient> =>
  daypart.request('POST', `/clients/${encodeURIComponent(id)}/secret`, { body: {} });

/** Refused from its next request. */
export async function revokeClient(id: string): Promise<void> {
  await daypart.request('DELETE', `/clients/${encodeURIComponent(id)}`).catch((error) => {
    // 204 has no JSON.
    if (error?.name !== 'UnexpectedAnswerError') throw error;
  });
}

export interface Delivery {
  id?: string;
  event?: string;
  type?: string;
  status?: number | string | null;
  state?: string;
  at?: string;
  createdAt?: string;
  [more: string]: unknown;
}

export interface Webhook {
  url: string;
  deliveries?: Delivery[];
  [more: string]: unknown;
}

export interface Window {
  name?: string;
  limit?: string;
  quota?: number;
  remaining?: number;
  [more: string]: unknown;
}

export const readLimits = async (signal: AbortSignal): Promise<Window[]> =>
  listOf<Window>(await daypart.request('GET', '/limits', { signal }));
