/** The keys from which card fingerprints are made, one for each management group. */

export interface FingerprintKeyLedger {
  /** Base64; undefined if the group has none yet. */
  fingerprintKey(group: string): Promise<string | undefined>;
  /** Adds the key unless the group has one. Returns the key that the group has afterwards. */
  addFingerprintKey(group: string, key: string, now: number): Promise<string>;
  /**
   * Replaces the key of a group; the previous one is deleted. Returns false, and adds nothing, if the group had none.
   */
  rotateFingerprintKey(group: string, key: string, now: number): Promise<boolean>;
}
