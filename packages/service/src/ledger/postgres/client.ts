/** The clients of the PostgreSQL ledger. */
import type { Client, ClientLedger } from '../client.ts';
import { type ClientQueries, clientMethods, clientOf } from '../sql/client.ts';
import type { RowCache } from './cache.ts';
import { dropping } from './dropping.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

const queries = loadQueries<ClientQueries>('client');

/** A changed client is dropped from this service's cache once the change is committed; other services are notified. */
export function clientLedger(pool: PostgresPool, cache: RowCache) {
  const sql = queries(pool.run);
  const { reads, changes } = clientMethods(sql);
  const ofClient = dropping((id: string) => cache.clients.drop(id));
  const methods = {
    async client(id) {
      return await cache.clients.getOrLoad(id, async () => {
        const row = await sql.client({ id });
        return row && clientOf(row);
      });
    },
    putClient: dropping(({ id }: Client) => cache.clients.drop(id))(changes.putClient),
    rotateSecret: ofClient(changes.rotateSecret),
    revokeClient: ofClient(changes.revokeClient),
  } satisfies Partial<ClientLedger>;
  return { ...reads, ...changes, ...methods };
}
