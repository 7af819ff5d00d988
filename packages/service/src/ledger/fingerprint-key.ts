/** The keys that card fingerprints are made with, one for each management group. */

export interface FingerprintKeyLedger {
  /** Base64; undefined for a group that has none yet. */
  fingerprintKey(group: string): Promise<string | undefined>;
  /** Adds the key unless the group has one. Answers the key that it has then. */
  addFingerprintKey(group: string, key: string, now: number): Promise<string>;
  /** Replaces the key of a group; the one before is not kept. Answers whether the group had one: nothing is added otherwise. */
  rotateFingerprintKey(group: string, key: string, now: number): Promise<boolean>;
}
