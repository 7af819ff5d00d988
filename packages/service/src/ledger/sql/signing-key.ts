/** The signing keys in SQL. */
import type { SigningKey, SigningKeyLedger } from '../signing-key.ts';
import { columns, type Stored } from './columns.ts';
import type { Sql } from './sql.ts';
import { loadQueries, type Row } from './statements.ts';

const signingKeys = columns<SigningKey>({
  kid: 'kid',
  algorithm: 'algorithm',
  privateJwk: 'private_jwk',
  publicJwk: 'public_jwk',
  createdAt: 'created_at',
  retiredAt: 'retired_at',
});

const queries = loadQueries<{
  keys(): Row[];
  retireKeys(of: { now: number }): number;
  addKey(key: Stored<SigningKey>): number;
  dropKeys(of: { retiredBefore: number }): number;
}>(new URL('./signing-key.sql', import.meta.url));

export function signingKeyLedger(sql: Sql): SigningKeyLedger {
  const query = queries(sql);
  return {
    async keys() {
      return (await query.keys()).map(signingKeys.read);
    },
    async rotateKey(key) {
      const rotate = async (inner: Sql): Promise<void> => {
        const within = queries(inner);
        await within.retireKeys({ now: key.createdAt });
        await within.addKey(signingKeys.values(key));
      };
      // Without the lock, two rotations at once would keep two keys active. With it, the second retires the key of the
      // first, and tokens of both can still be verified.
      await sql.transaction(rotate, ['rotateKey']);
    },
    async dropKeys(retiredBefore) {
      await query.dropKeys({ retiredBefore });
    },
  };
}
