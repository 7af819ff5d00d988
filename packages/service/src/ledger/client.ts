/** Management groups, and the API clients of each. */
import type { Dialect } from '../contract/words.ts';

export interface Client {
  id: string;
  name: string | null;
  group: string;
  scopes: string[];
  dialect: Dialect;
  /** `scrypt$N$salt$hash`; the secret itself is never stored. */
  secretHash: string;
  /** The one before the last rotation, which is valid until the instant. */
  oldSecret?: { hash: string; until: number };
  createdAt: number;
  revokedAt: number | null;
}

export interface ClientLedger {
  /** Adds the group unless it is there. */
  ensureGroup(group: string, now: number): Promise<void>;
  groups(): Promise<string[]>;

  addClient(client: Client): Promise<void>;
  /** Adds or replaces by id, un-revoked and without an older secret: the bootstrap client. */
  putClient(client: Client): Promise<void>;
  client(id: string): Promise<Client | undefined>;
  clients(): Promise<Client[]>;
  /** Gives it another secret; the one before stays valid until `oldUntil`. False when there is no such client or it is revoked. */
  rotateSecret(id: string, secretHash: string, oldUntil: number): Promise<boolean>;
  /** False when there is no such client or it was already revoked. */
  revokeClient(id: string, now: number): Promise<boolean>;
}
