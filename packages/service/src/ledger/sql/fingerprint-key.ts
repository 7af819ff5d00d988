/** The keys of card fingerprints in SQL. */
import type { FingerprintKeyLedger } from '../fingerprint-key.ts';
import type { Sql } from './sql.ts';
import { loadQueries } from './statements.ts';

const queries = loadQueries<{
  fingerprintKey(of: { group: string }): { key: string } | undefined;
  addFingerprintKey(of: { group: string; key: string; now: number }): number;
  rotateFingerprintKey(of: { group: string; key: string; now: number }): number;
}>(new URL('./fingerprint-key.sql', import.meta.url));

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
