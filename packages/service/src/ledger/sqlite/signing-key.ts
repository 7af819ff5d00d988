/** The signing keys of the SQLite ledger. */
import type { SigningKey, SigningKeyLedger } from '../signing-key.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

interface KeyRow {
  kid: string;
  algorithm: string;
  private_jwk: string;
  public_jwk: string;
  created_at: number;
  retired_at: number | null;
}

interface KeyQueries {
  keys(): KeyRow[];
  retireKeys(of: { now: number }): number;
  addKey(key: SigningKey): number;
  dropKeys(of: { retiredBefore: number }): number;
}

const keyOf = (row: KeyRow): SigningKey => ({
  kid: row.kid,
  algorithm: row.algorithm,
  privateJwk: row.private_jwk,
  publicJwk: row.public_jwk,
  createdAt: row.created_at,
  retiredAt: row.retired_at,
});

export function signingKeyLedger(connection: Connection) {
  const sql = openQueries<KeyQueries>(new URL('./signing-key.sql', import.meta.url), connection);
  const reads = {
    async keys() {
      return sql.keys().map(keyOf);
    },
  } satisfies Partial<SigningKeyLedger>;
  const changes = {
    async rotateKey(key) {
      transaction(connection.db, () => {
        sql.retireKeys({ now: key.createdAt });
        sql.addKey({ ...key });
      });
    },
    async dropKeys(retiredBefore) {
      sql.dropKeys({ retiredBefore });
    },
  } satisfies Partial<SigningKeyLedger>;
  return { reads, changes };
}
