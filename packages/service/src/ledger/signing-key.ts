/** The keys that sign access tokens. */

export interface SigningKey {
  kid: string;
  algorithm: string;
  /** Private JWK, JSON text. */
  privateJwk: string;
  publicJwk: string;
  createdAt: number;
  /** Set when a newer key took over; it verifies until its last tokens have expired. */
  retiredAt: number | null;
}

export interface SigningKeyLedger {
  /** Newest first. */
  keys(): Promise<SigningKey[]>;
  /** Adds the key and retires every other that was not retired, in one step. */
  rotateKey(key: SigningKey): Promise<void>;
  /** Removes keys retired before the instant. */
  dropKeys(retiredBefore: number): Promise<void>;
}
