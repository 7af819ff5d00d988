/** The signing keys of the SQLite ledger. */
import type { SigningKeyLedger } from '../signing-key.ts';
import { type KeyQueries, signingKeyMethods } from '../sql/signing-key.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function signingKeyLedger(connection: Connection) {
  const sql = openQueries<KeyQueries>('signing-key', connection);
  const { reads, changes } = signingKeyMethods(sql);
  const rotating = {
    async rotateKey(key) {
      transaction(connection.db, () => {
        sql.retireKeys({ now: key.createdAt });
        sql.addKey({ ...key });
      });
    },
  } satisfies Partial<SigningKeyLedger>;
  return { reads, changes: { ...changes, ...rotating } };
}
