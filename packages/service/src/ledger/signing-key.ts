/** The keys that sign access tokens. */

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

export interface SigningKeyLedger {
  /** Newest first. */
  keys(): Promise<SigningKey[]>;
  /** Adds the key and retires all others, in one step. */
  rotateKey(key: SigningKey): Promise<void>;
  /** Removes keys retired before the instant. */
  dropKeys(retiredBefore: number): Promise<void>;
}
