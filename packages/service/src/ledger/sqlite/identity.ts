/** What the SQLite ledger knows of the data folder that it belongs to. */
import type { StatementSync } from 'node:sqlite';
import type { Ledger } from '../ledger.ts';

export function identityOf(
  statement: (name: string) => StatementSync,
): Pick<Ledger, 'identity' | 'identify' | 'highest'> {
  return {
    async identity() {
      const row = statement('identity').get() as
        | { id: string; epoch: string | null; next_epoch: string | null }
        | undefined;
      return row && { id: row.id, epoch: row.epoch, nextEpoch: row.next_epoch };
    },
    async identify({ id, epoch, nextEpoch }) {
      statement('identify').run({ id, epoch, nextEpoch });
    },
    async highest() {
      const row = statement('highest').get();
      return { restaurantId: Number(row?.restaurant_id), load: Number(row?.load_id) };
    },
  };
}
