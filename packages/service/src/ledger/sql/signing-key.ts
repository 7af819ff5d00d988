/** The signing keys: rows, statements, methods. */
import type { SigningKey, SigningKeyLedger } from '../signing-key.ts';
import type { Statements } from './statements.ts';

interface KeyRow {
  kid: string;
  algorithm: string;
  private_jwk: string;
  public_jwk: string;
  created_at: number;
  retired_at: number | null;
}

export interface KeyQueries {
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

export function signingKeyMethods(sql: Statements<KeyQueries>) {
  const reads = {
    async keys() {
      return (await sql.keys()).map(keyOf);
    },
  } satisfies Partial<SigningKeyLedger>;
  const changes = {
    async dropKeys(retiredBefore) {
      await sql.dropKeys({ retiredBefore });
    },
  } satisfies Partial<SigningKeyLedger>;
  return { reads, changes };
}
