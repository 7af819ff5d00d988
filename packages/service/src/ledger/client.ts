/** The API clients of management groups. */
import type { Dialect } from '../contract/words.ts';
import type { OwnLimits } from './group.ts';

export interface Client {
  id: string;
  name: string | null;
  group: string;
  scopes: string[];
  dialect: Dialect;
  /** `scrypt$N$salt$hash`; the secret itself is never stored. */
  secretHash: string;
  /** The secret before the last rotation, still valid until this instant. */
  oldSecret?: { hash: string; until: number };
  createdAt: number;
  revokedAt: number | null;
  /** Its share of the limits of its group, if it has one. Set by `limitClient` alone. */
  limits?: OwnLimits;
}

export interface ClientLedger {
  /** Adds the group if it does not exist. */
  ensureGroup(group: string, now: number): Promise<void>;
  groups(): Promise<string[]>;

  addClient(client: Client): Promise<void>;
  /**
   * Adds the client or replaces the one with the same id; it is then not revoked and has no older secret. Used for the
   * bootstrap client.
   */
  putClient(client: Client): Promise<void>;
  client(id: string): Promise<Client | undefined>;
  clients(): Promise<Client[]>;
  /**
   * Replaces the secret; the previous one stays valid until `oldUntil`. False when there is no such client or it is
   * revoked.
   */
  rotateSecret(id: string, secretHash: string, oldUntil: number): Promise<boolean>;
  /** False when there is no such client or it was already revoked. */
  revokeClient(id: string, now: number): Promise<boolean>;
}
