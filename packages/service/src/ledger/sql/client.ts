/** Groups and clients: rows, statements, methods. */
import type { Dialect } from '../../contract/words.ts';
import type { Client, ClientLedger } from '../client.ts';
import type { Statements } from './statements.ts';

interface ClientRow {
  id: string;
  name: string | null;
  management_group: string;
  scopes: string;
  dialect: Dialect;
  secret_hash: string;
  old_secret_hash: string | null;
  old_secret_until: number | null;
  created_at: number;
  revoked_at: number | null;
  /** JSON; null without a row. */
  limits: string | null;
}

interface ClientValues {
  id: string;
  name: string | null;
  group: string;
  scopes: string;
  dialect: Dialect;
  secretHash: string;
  createdAt: number;
}

export interface ClientQueries {
  ensureGroup(of: { group: string; now: number }): number;
  groups(): { name: string }[];
  addClient(client: ClientValues & { revokedAt: number | null }): number;
  putClient(client: ClientValues): number;
  client(of: { id: string }): ClientRow | undefined;
  clients(): ClientRow[];
  rotateSecret(of: { id: string; secretHash: string; oldUntil: number }): number;
  revokeClient(of: { id: string; now: number }): number;
}

export const clientOf = (row: ClientRow): Client => ({
  id: row.id,
  name: row.name,
  group: row.management_group,
  scopes: JSON.parse(row.scopes),
  dialect: row.dialect,
  secretHash: row.secret_hash,
  ...(row.old_secret_hash === null
    ? {}
    : { oldSecret: { hash: row.old_secret_hash, until: row.old_secret_until ?? 0 } }),
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  ...(row.limits === null || row.limits === '{}' ? {} : { limits: JSON.parse(row.limits) }),
});

const valuesOf = (client: Client): ClientValues => ({
  id: client.id,
  name: client.name,
  group: client.group,
  scopes: JSON.stringify(client.scopes),
  dialect: client.dialect,
  secretHash: client.secretHash,
  createdAt: client.createdAt,
});

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function clientMethods(sql: Statements<ClientQueries>) {
  const reads = {
    async groups() {
      return (await sql.groups()).map(({ name }) => name);
    },
    async clients() {
      return (await sql.clients()).map(clientOf);
    },
  } satisfies Partial<ClientLedger>;
  const changes = {
    async ensureGroup(group, now) {
      await sql.ensureGroup({ group, now });
    },
    async addClient(client) {
      await sql.addClient({ ...valuesOf(client), revokedAt: client.revokedAt });
    },
    async putClient(client) {
      await sql.putClient(valuesOf(client));
    },
    async rotateSecret(id, secretHash, oldUntil) {
      return (await sql.rotateSecret({ id, secretHash, oldUntil })) === 1;
    },
    async revokeClient(id, now) {
      return (await sql.revokeClient({ id, now })) === 1;
    },
  } satisfies Partial<ClientLedger>;
  return { reads, changes };
}
