/**
 * Idempotency keys whose calls are in progress, when several services share a ledger: only one of them carries out a
 * call.
 */
import type { KeyUse } from './idempotency-key.ts';

export type KeyName = Pick<KeyUse, 'group' | 'clientId' | 'path' | 'key'>;

/**
 * A hold ends when it is freed, or `ms` milliseconds after it was last taken or extended, in case its service was
 * killed.
 */
export interface KeyHolds {
  /** Takes the hold for `holder`. False when another holder has it. */
  holdKey(of: KeyName, holder: string, ms: number): Promise<boolean>;
  /** Does nothing if the holder has lost the hold. */
  extendHold(of: KeyName, holder: string, ms: number): Promise<void>;
  freeKey(of: KeyName, holder: string): Promise<void>;
}
