/** Groups and clients in SQL. */
import type { Client, ClientLedger } from '../client.ts';
import type { OwnLimits } from '../group.ts';
import { columns, json, type Stored } from './columns.ts';
import type { RowCache } from './row-cache.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

interface ClientRow extends Omit<Client, 'oldSecret' | 'limits'> {
  oldHash: string | null;
  oldUntil: number | null;
  /** Null without a row of limits. */
  limits: OwnLimits | null;
}

const clients = columns<ClientRow>({
  id: 'id',
  name: 'name',
  group: 'management_group',
  scopes: json('scopes'),
  dialect: 'dialect',
  secretHash: 'secret_hash',
  oldHash: 'old_secret_hash',
  oldUntil: 'old_secret_until',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
  limits: json('limits'),
});

type Added = Stored<Omit<Client, 'oldSecret' | 'limits'>>;

const queries = loadQueries<{
  ensureGroup(of: { group: string; now: number }): number;
  groups(): { name: string }[];
  addClient(client: Added): number;
  putClient(client: Added): number;
  client(of: { id: string }): Row | undefined;
  clients(): Row[];
  rotateSecret(of: { id: string; secretHash: string; oldUntil: number }): number;
  revokeClient(of: { id: string; now: number }): number;
}>(new URL('./client.sql', import.meta.url));

function clientOf(row: Row): Client {
  const { oldHash, oldUntil, limits, ...client } = clients.read(row);
  return {
    ...client,
    ...(oldHash === null ? {} : { oldSecret: { hash: oldHash, until: oldUntil ?? 0 } }),
    ...(limits && Object.keys(limits).length > 0 ? { limits } : {}),
  };
}

export function clientLedger(sql: Sql, cache: RowCache): ClientLedger {
  const query = queries(sql);
  return {
    async ensureGroup(group, now) {
      await query.ensureGroup({ group, now });
    },
    async groups() {
      return (await query.groups()).map(({ name }) => name);
    },
    async addClient(client) {
      await query.addClient(clients.values(client));
    },
    async putClient(client) {
      await cache.clients.changing(client.id, query.putClient(clients.values(client)));
    },
    client: (id) =>
      cache.clients.getOrLoad(id, async () => {
        const row = await query.client({ id });
        return row && clientOf(row);
      }),
    async clients() {
      return (await query.clients()).map(clientOf);
    },
    async rotateSecret(id, secretHash, oldUntil) {
      return (await cache.clients.changing(id, query.rotateSecret({ id, secretHash, oldUntil }))) === 1;
    },
    async revokeClient(id, now) {
      return (await cache.clients.changing(id, query.revokeClient({ id, now }))) === 1;
    },
  };
}
