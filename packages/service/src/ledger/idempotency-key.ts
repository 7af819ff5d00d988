/** What each Idempotency-Key was used for, and which are held by calls in progress. */

/** The request that an Idempotency-Key was used for. The key is unique within one client and one path. */
export interface KeyUse {
  /** Part of the identity because clients of an external issuer may have the same id in several groups. */
  group: string;
  clientId: string;
  /** Without the base path and the query. */
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
  /** What the key was used for, unless that use has expired. */
  keyUse(of: Pick<KeyUse, 'group' | 'clientId' | 'path' | 'key'>, now: number): Promise<KeyUse | undefined>;
  /** Stores the use. If the key is already in use, returns that use and leaves it as it is. */
  addKeyUse(use: KeyUse, now: number): Promise<KeyUse | undefined>;
  /** Deletes uses that have expired. */
  forgetKeyUses(now: number): Promise<number>;
}

export type KeyName = Pick<KeyUse, 'group' | 'clientId' | 'path' | 'key'>;

/**
 * Idempotency keys whose calls are in progress, when several services share a ledger: only one of them carries out a
 * call. A hold ends when it is freed, or `ms` milliseconds after it was last taken or extended, in case its service was
 * killed.
 */
export interface KeyHolds {
  /** Takes the hold for `holder`. False when another holder has it. */
  holdKey(of: KeyName, holder: string, ms: number): Promise<boolean>;
  /** Does nothing if the holder has lost the hold. */
  extendHold(of: KeyName, holder: string, ms: number): Promise<void>;
  freeKey(of: KeyName, holder: string): Promise<void>;
}
