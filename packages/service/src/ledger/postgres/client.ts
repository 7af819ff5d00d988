/** The clients of the PostgreSQL ledger. */
import type { ClientLedger } from '../client.ts';
import { type ClientQueries, clientMethods, clientOf } from '../sql/client.ts';
import type { RowCache } from './cache.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

const queries = loadQueries<ClientQueries>('client');

/** A changed client is dropped from this service's cache once the change is committed; other services are notified. */
export function clientLedger(pool: PostgresPool, cache: RowCache) {
  const sql = queries(pool.run);
  const { reads, changes } = clientMethods(sql);
  const dropping =
    <Values extends unknown[], Answer>(
      idOf: (...values: Values) => string,
      change: (...values: Values) => Promise<Answer>,
    ) =>
    async (...values: Values): Promise<Answer> => {
      try {
        return await change(...values);
      } finally {
        // Also after an error: the change may have been made.
        cache.clients.drop(idOf(...values));
      }
    };
  const methods = {
    async client(id) {
      return await cache.clients.getOrLoad(id, async () => {
        const row = await sql.client({ id });
        return row && clientOf(row);
      });
    },
    putClient: dropping(({ id }) => id, changes.putClient),
    rotateSecret: dropping((id) => id, changes.rotateSecret),
    revokeClient: dropping((id) => id, changes.revokeClient),
  } satisfies Partial<ClientLedger>;
  return { ...reads, ...changes, ...methods };
}
