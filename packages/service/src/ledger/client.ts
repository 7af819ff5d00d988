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
  createdAt: number;
  revokedAt: number | null;
}

export interface ClientLedger {
  /** Adds the group unless it is there. */
  ensureGroup(group: string, now: number): Promise<void>;
  groups(): Promise<string[]>;

  addClient(client: Client): Promise<void>;
  /** Adds or replaces by id, un-revoked: the bootstrap client. */
  putClient(client: Client): Promise<void>;
  client(id: string): Promise<Client | undefined>;
  clients(): Promise<Client[]>;
  /** False when there is no such client or it was already revoked. */
  revokeClient(id: string, now: number): Promise<boolean>;
}
