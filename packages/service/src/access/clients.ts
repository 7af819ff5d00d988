/** Clients: programs that may request tokens. */
import { DAY_MS } from '../contract/time.ts';
import { DEFAULT_SCOPES, type Dialect, SCOPES } from '../contract/words.ts';
import type { Client, ClientLedger } from '../ledger/client.ts';
import { hashGenerated, hashSecret, newClientId, newSecret, verifySecret } from './secrets.ts';

export type NewClient = Omit<Client, 'secretHash' | 'revokedAt'> & { secret: string };

/**
 * Adds a client, and its group if that is new. Without `scopes` it gets those for reports and loading. The secret can
 * be read only in the returned value.
 */
export async function createClient(
  ledger: ClientLedger,
  request: { id?: string; group: string; scopes?: readonly string[]; dialect?: Dialect; name?: string },
  now: number,
): Promise<NewClient> {
  const secret = newSecret();
  const client = {
    id: request.id ?? newClientId(),
    name: request.name ?? null,
    group: request.group,
    scopes: [...(request.scopes ?? DEFAULT_SCOPES)],
    dialect: request.dialect ?? 'reference',
    createdAt: now,
  };
  await ledger.ensureGroup(client.group, now);
  await ledger.addClient({ ...client, secretHash: hashGenerated(secret), revokedAt: null });
  return { ...client, secret };
}

/** How long the previous secret stays valid after a rotation. */
const OLD_SECRET_MS = DAY_MS;

/**
 * Gives a client a new secret, which can be read only in the returned value. `oldSecretUntil` is in milliseconds since
 * 1970 UTC.
 */
export async function rotateSecretOf(
  ledger: ClientLedger,
  id: string,
  now: number,
): Promise<{ secret: string; oldSecretUntil: number }> {
  const secret = newSecret();
  const oldSecretUntil = now + OLD_SECRET_MS;
  await ledger.rotateSecret(id, hashGenerated(secret), oldSecretUntil);
  return { secret, oldSecretUntil };
}

/**
 * Ensures that the client exists with this secret and all scopes, and is not revoked. What is already right is not
 * changed, and its dialect never is. Throws Error with a sentence if it belongs to another group: moved to a new one,
 * it would find none of its restaurants and reports.
 */
export async function ensureBootstrapClient(
  ledger: ClientLedger,
  wanted: { id: string; secret: string; group: string },
  now: number,
): Promise<void> {
  const there = await ledger.client(wanted.id);
  // Version 0.2 took the group with the spaces around its name; its data remains there.
  const group = there?.group.trim() === wanted.group ? there.group : wanted.group;
  if (there && there.group !== group)
    throw new Error(
      `the bootstrap client ${wanted.id} belongs to the management group ${there.group}, not to ${group}: set ${there.group} as its group, or another client id for ${group}`,
    );
  const sameSecret = there !== undefined && (await verifySecret(wanted.secret, there.secretHash));
  const allScopes = there !== undefined && SCOPES.every((scope) => there.scopes.includes(scope));
  if (sameSecret && allScopes && there.revokedAt === null) return;
  await ledger.ensureGroup(group, now);
  await ledger.putClient({
    id: wanted.id,
    name: there?.name ?? 'bootstrap',
    group,
    scopes: [...SCOPES],
    dialect: there?.dialect ?? 'reference',
    secretHash: sameSecret ? there.secretHash : await hashSecret(wanted.secret),
    createdAt: there?.createdAt ?? now,
    revokedAt: null,
  });
}
