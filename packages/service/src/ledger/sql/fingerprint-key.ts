/** The keys of card fingerprints: rows, statements, methods. */
import type { FingerprintKeyLedger } from '../fingerprint-key.ts';
import type { Statements } from './statements.ts';

export interface FingerprintKeyQueries {
  fingerprintKey(of: { group: string }): { key: string } | undefined;
  addFingerprintKey(of: { group: string; key: string; now: number }): number;
}

export function fingerprintKeyMethods(sql: Statements<FingerprintKeyQueries>) {
  const reads = {
    async fingerprintKey(group) {
      return (await sql.fingerprintKey({ group }))?.key;
    },
  } satisfies Partial<FingerprintKeyLedger>;
  return { reads };
}
