/** The keys of card fingerprints of the SQLite ledger. */
import type { FingerprintKeyLedger } from '../fingerprint-key.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

interface FingerprintKeyQueries {
  fingerprintKey(of: { group: string }): { key: string } | undefined;
  addFingerprintKey(of: { group: string; key: string; now: number }): number;
}

export function fingerprintKeyLedger(connection: Connection) {
  const sql = openQueries<FingerprintKeyQueries>(new URL('./fingerprint-key.sql', import.meta.url), connection);
  const reads = {
    async fingerprintKey(group) {
      return sql.fingerprintKey({ group })?.key;
    },
  } satisfies Partial<FingerprintKeyLedger>;
  const changes = {
    async addFingerprintKey(group, key, now) {
      return transaction(connection.db, () => {
        sql.addFingerprintKey({ group, key, now });
        return sql.fingerprintKey({ group })?.key ?? key;
      });
    },
  } satisfies Partial<FingerprintKeyLedger>;
  return { reads, changes };
}
