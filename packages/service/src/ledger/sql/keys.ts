/** The keys of a ledger in SQL. */
import type { FingerprintKeyLedger, SigningKey, SigningKeyLedger } from '../keys.ts';
import { columns, type Stored } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

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
  fingerprintKey(of: { group: string }): { key: string } | undefined;
  addFingerprintKey(of: { group: string; key: string; now: number }): number;
  rotateFingerprintKey(of: { group: string; key: string; now: number }): number;
}>(new URL('./keys.sql', import.meta.url));

/** The keys that sign access tokens. */
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

/** The keys of card fingerprints. */
export function fingerprintKeyLedger(sql: Sql): FingerprintKeyLedger {
  const query = queries(sql);
  return {
    async fingerprintKey(group) {
      return (await query.fingerprintKey({ group }))?.key;
    },
    addFingerprintKey: (group, key, now) =>
      sql.transaction(async (inner) => {
        const within = queries(inner);
        await within.addFingerprintKey({ group, key, now });
        return (await within.fingerprintKey({ group }))?.key ?? key;
      }),
    async rotateFingerprintKey(group, key, now) {
      return (await query.rotateFingerprintKey({ group, key, now })) > 0;
    },
  };
}
