/** The keys of card fingerprints: rows, statements, methods. */
import type { FingerprintKeyLedger } from '../fingerprint-key.ts';
import type { Statements } from './statements.ts';

export interface FingerprintKeyQueries {
  fingerprintKey(of: { group: string }): { key: string } | undefined;
  addFingerprintKey(of: { group: string; key: string; now: number }): number;
  rotateFingerprintKey(of: { group: string; key: string; now: number }): number;
}

export function fingerprintKeyMethods(sql: Statements<FingerprintKeyQueries>) {
  const reads = {
    async fingerprintKey(group) {
      return (await sql.fingerprintKey({ group }))?.key;
    },
  } satisfies Partial<FingerprintKeyLedger>;
  const changes = {
    async rotateFingerprintKey(group, key, now) {
      return (await sql.rotateFingerprintKey({ group, key, now })) > 0;
    },
  } satisfies Partial<FingerprintKeyLedger>;
  return { reads, changes };
}
