/** The key from which the fingerprints of a management group's cards are made. */
import { randomBytes } from 'node:crypto';
import type { FingerprintKeyLedger } from '../ledger/keys.ts';

const KEY_BYTES = 32;

/** A new key in the ledger's format, base64. */
export const newFingerprintKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** Finds the key of the group, or creates it. `now` is in ms since 1970 UTC. */
export async function fingerprintKeyOf(ledger: FingerprintKeyLedger, group: string, now: number): Promise<Uint8Array> {
  const known = await ledger.fingerprintKey(group);
  const key = known ?? (await ledger.addFingerprintKey(group, newFingerprintKey(), now));
  return new Uint8Array(Buffer.from(key, 'base64'));
}
