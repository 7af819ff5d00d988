/** The secret keys that a ledger has: those that sign access tokens, and those of card fingerprints. */

export interface SigningKey {
  kid: string;
  algorithm: string;
  /** Private JWK, JSON text. */
  privateJwk: string;
  publicJwk: string;
  createdAt: number;
  /** When a newer key replaced it; it still verifies until the last tokens signed with it have expired. */
  retiredAt: number | null;
}

/** The keys that sign access tokens. */
export interface SigningKeyLedger {
  /** Newest first. */
  keys(): Promise<SigningKey[]>;
  /** Adds the key and retires all others, in one step. */
  rotateKey(key: SigningKey): Promise<void>;
  /** Removes keys retired before the instant. */
  dropKeys(retiredBefore: number): Promise<void>;
}

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
