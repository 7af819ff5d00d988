/** The clients of the SQLite ledger. */
import type { ClientLedger } from '../client.ts';
import { type ClientQueries, clientMethods, clientOf } from '../sql/client.ts';
import type { RowCache } from './cache.ts';
import { type Connection, openQueries } from './queries.ts';

export function clientLedger(connection: Connection, cache: RowCache) {
  const sql = openQueries<ClientQueries>('client', connection);
  const { reads, changes } = clientMethods(sql);
  const cached = {
    async client(id) {
      return cache.getOrLoad(cache.clients, id, () => {
        const row = sql.client({ id });
        return row && clientOf(row);
      });
    },
  } satisfies Partial<ClientLedger>;
  return { reads: { ...reads, ...cached }, changes };
}
