/** The identity of the data folder in the SQLite ledger. */
import type { IdentityLedger, LedgerIdentity } from '../folder-identity.ts';
import { type Connection, openQueries } from './queries.ts';

interface IdentityQueries {
  identity(): { id: string; epoch: string | null; next_epoch: string | null } | undefined;
  identify(identity: LedgerIdentity): number;
  highest(): { restaurant_id: number; snapshot: string | null } | undefined;
}

export function identityLedger(connection: Connection) {
  const sql = openQueries<IdentityQueries>(new URL('./folder-identity.sql', import.meta.url), connection);
  const reads = {
    async identity() {
      const row = sql.identity();
      return row && { id: row.id, epoch: row.epoch, nextEpoch: row.next_epoch };
    },
    async highest() {
      const row = sql.highest();
      return { restaurantId: row?.restaurant_id ?? 0, snapshot: row?.snapshot ?? null };
    },
  } satisfies Partial<IdentityLedger>;
  const changes = {
    async identify({ id, epoch, nextEpoch }) {
      sql.identify({ id, epoch, nextEpoch });
    },
  } satisfies Partial<IdentityLedger>;
  return { reads, changes };
}
