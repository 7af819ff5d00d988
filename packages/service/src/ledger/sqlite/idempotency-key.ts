/** The idempotency keys of the SQLite ledger. */
import type { IdempotencyLedger, KeyUse } from '../idempotency-key.ts';
import { idempotencyMethods, type KeyUseQueries, keyUseOf, useValues } from '../sql/idempotency-key.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

/** Stores the use, or returns the earlier one that is still valid. For use within a transaction. */
export type TakeKey = (use: KeyUse, now: number) => KeyUse | undefined;

export function idempotencyLedger(connection: Connection) {
  const sql = openQueries<KeyUseQueries>('idempotency-key', connection);
  const { reads, changes } = idempotencyMethods(sql);
  const takeKey: TakeKey = (use, now) => {
    if (sql.addKeyUse(useValues(use, now)) === 1) return undefined;
    const { group, clientId, path, key } = use;
    const row = sql.keyUse({ group, clientId, path, key, now });
    return row && keyUseOf(row);
  };
  const adding = {
    async addKeyUse(use, now) {
      return transaction(connection.db, () => takeKey(use, now));
    },
  } satisfies Partial<IdempotencyLedger>;
  return { reads, changes: { ...changes, ...adding }, takeKey };
}
