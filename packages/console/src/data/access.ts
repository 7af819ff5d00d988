/** Access for the console, through the resources of the client. The calls need the scope access:admin. */
import {
  type AuditEntry,
  accessOf,
  type LimitsLeft,
  NotFoundError,
  type Webhook,
  type WebhookDelivery,
} from '@daypart/client';
import { daypart } from './client.ts';
import { fetchRoot } from './root.ts';

export const access = accessOf(daypart);

/** The webhook of this client; null if it has none. */
export async function readWebhook(signal: AbortSignal): Promise<Webhook | null> {
  try {
    return await access.webhook.get({ signal });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** An empty id means this client. */
const ofClient = (client: string) => ({ client: client || undefined });

/** The deliveries of a client of the last 7 days, newest first. */
export const readDeliveries = (client: string, signal: AbortSignal): Promise<WebhookDelivery[]> =>
  access.webhook.deliveries(ofClient(client), { signal });

/** Sends a delivery again. */
export const replay = (client: string, webhookId: string): Promise<void> =>
  access.webhook.replay(webhookId, ofClient(client));

/** The remaining calls of each window of a client. */
export const readLimits = (client: string, signal: AbortSignal): Promise<LimitsLeft> =>
  access.limits(ofClient(client), { signal });

const AUDIT_PAGE = 50;

/** The first pages of the audit log, newest entries first. */
export async function readAudit(pages: number, signal: AbortSignal) {
  const entries: AuditEntry[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < pages && cursor !== null; page++) {
    const read = await access.audit({ limit: AUDIT_PAGE, cursor }, { signal });
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

/** The public keys of the service; the key that signs comes first. */
export async function readKeys(signal: AbortSignal): Promise<SigningKey[]> {
  const answer = await fetchRoot('/oauth/jwks', { signal, headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return ((await answer.json()) as { keys: SigningKey[] }).keys;
}
