/** The keys of card fingerprints of the SQLite ledger. */
import type { FingerprintKeyLedger } from '../fingerprint-key.ts';
import { type FingerprintKeyQueries, fingerprintKeyMethods } from '../sql/fingerprint-key.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function fingerprintKeyLedger(connection: Connection) {
  const sql = openQueries<FingerprintKeyQueries>('fingerprint-key', connection);
  const changes = {
    async addFingerprintKey(group, key, now) {
      return transaction(connection.db, () => {
        sql.addFingerprintKey({ group, key, now });
        return sql.fingerprintKey({ group })?.key ?? key;
      });
    },
  } satisfies Partial<FingerprintKeyLedger>;
  const { reads, changes: shared } = fingerprintKeyMethods(sql);
  return { reads, changes: { ...shared, ...changes } };
}
