/** Idempotency keys whose calls are in progress, where several services share a ledger: one of them carries the call out. */
import type { KeyUse } from './idempotency-key.ts';

export type KeyName = Pick<KeyUse, 'group' | 'clientId' | 'path' | 'key'>;

/** A hold ends when it is freed, or `ms` milliseconds after it was last taken or extended: its service may have been killed. */
export interface KeyHolds {
  /** Holds a key for `holder`. False where another holds it. */
  holdKey(of: KeyName, holder: string, ms: number): Promise<boolean>;
  /** Changes nothing where the holder lost it. */
  extendHold(of: KeyName, holder: string, ms: number): Promise<void>;
  freeKey(of: KeyName, holder: string): Promise<void>;
}
