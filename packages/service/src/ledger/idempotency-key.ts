/** What each Idempotency-Key was used for. */

/** What an Idempotency-Key stands for: one request of one client on one path. */
export interface KeyUse {
  /** Clients of an external issuer may have the same id in several groups. */
  group: string;
  clientId: string;
  /** Without the base and the query. */
  path: string;
  key: string;
  /** Distinguishes the request from others under the same key. */
  fingerprint: string;
  /** JSON. */
  answer: unknown;
  /** When the key is free again. */
  endsAt: number;
}

export interface IdempotencyLedger {
  /** What the key was used for, unless that has ended. */
  keyUse(of: Pick<KeyUse, 'group' | 'clientId' | 'path' | 'key'>, now: number): Promise<KeyUse | undefined>;
  /** Writes the use down; if the key was used before, answers that use, which stays as it is. */
  addKeyUse(use: KeyUse, now: number): Promise<KeyUse | undefined>;
  /** Forgets uses that have ended. */
  forgetKeyUses(now: number): Promise<number>;
}
