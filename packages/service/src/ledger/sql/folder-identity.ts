/** The identity of the installation: rows, statements, methods. */
import type { IdentityLedger, LedgerIdentity } from '../folder-identity.ts';
import type { Statements } from './statements.ts';

export interface IdentityQueries {
  identity(): { id: string; epoch: string | null; next_epoch: string | null } | undefined;
  identify(identity: LedgerIdentity): number;
  highest(): { restaurant_id: number; snapshot: string | null } | undefined;
}

export function identityMethods(sql: Statements<IdentityQueries>) {
  const reads = {
    async identity() {
      const row = await sql.identity();
      return row && { id: row.id, epoch: row.epoch, nextEpoch: row.next_epoch };
    },
    async highest() {
      const row = await sql.highest();
      return { restaurantId: row?.restaurant_id ?? 0, snapshot: row?.snapshot ?? null };
    },
  } satisfies Partial<IdentityLedger>;
  const changes = {
    async identify({ id, epoch, nextEpoch }) {
      await sql.identify({ id, epoch, nextEpoch });
    },
  } satisfies Partial<IdentityLedger>;
  return { reads, changes };
}
