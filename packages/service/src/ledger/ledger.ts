/**
 * The ledger: small rows that must never be lost. Each concern has an interface of its own, and each room depends only
 * on the interfaces it uses; only the wiring has all of them. Every method is one transaction, durable when its promise
 * resolves, and may throw the errors below. Instants are milliseconds since 1970 UTC.
 */
import type { AuditLedger } from './audit.ts';
import type { ClientLedger } from './client.ts';
import type { ClockLedger } from './clock.ts';
import type { ConnectionLedger } from './connection.ts';
import type { DeliveryLedger } from './delivery.ts';
import type { IdentityLedger } from './folder-identity.ts';
import type { FormLedger } from './form.ts';
import type { GroupLedger, GroupRemovalLedger } from './group.ts';
import type { IdempotencyLedger, KeyHolds } from './idempotency-key.ts';
import type { ImportLedger } from './import-run.ts';
import type { FingerprintKeyLedger, SigningKeyLedger } from './keys.ts';
import type { LeaseLedger } from './lease.ts';
import type { NotificationLedger } from './notifications.ts';
import type { QueueLedger } from './queue.ts';
import type { ReportLedger } from './report.ts';
import type { DaypartLedger, RestaurantLedger } from './restaurant.ts';
import type { SessionLedger } from './session.ts';
import type { ShareLedger } from './shares.ts';
import type { TaskLedger } from './task.ts';
import type { WebhookLedger } from './webhook.ts';

export interface LedgerStore {
  /** What `now()` returns (ms since 1970 UTC), without waiting. Absent if that is this machine's clock. */
  clock?(): number;
  /** For rate limits shared with other services. Absent if no other service uses the ledger. */
  shares?: ShareLedger;
  /** For idempotency keys that other services may receive too. Absent if no other service uses the ledger. */
  keyHolds?: KeyHolds;

  /**
   * Copies the ledger, as of one commit and without its tasks and unfinished deliveries, to its place in a folder that
   * has none. Reads and writes continue meanwhile. Returns the reports that are completed in the copy.
   */
  backup(folder: string): Promise<{ guid: string; attempt: number }[]>;

  /** Throws when the ledger cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Ledger
  extends ClientLedger,
    GroupLedger,
    GroupRemovalLedger,
    SessionLedger,
    AuditLedger,
    ImportLedger,
    SigningKeyLedger,
    FingerprintKeyLedger,
    RestaurantLedger,
    ConnectionLedger,
    DaypartLedger,
    ReportLedger,
    QueueLedger,
    LeaseLedger,
    FormLedger,
    IdempotencyLedger,
    TaskLedger,
    WebhookLedger,
    DeliveryLedger,
    ClockLedger,
    IdentityLedger,
    NotificationLedger,
    LedgerStore {}

/**
 * The ledger's server cannot be reached, is starting or did not answer in time. With `outcomeUnknown` the connection
 * was lost after the statement was sent, so the change may have been made; otherwise nothing was changed.
 */
export class LedgerGone extends Error {
  override readonly name = 'LedgerGone';
  readonly outcomeUnknown: boolean;
  constructor(cause: unknown, outcomeUnknown: boolean) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`the ledger is unavailable: ${why}`, { cause });
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** The text has the character U+0000, which the ledger's engine cannot store. Nothing was changed. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
  constructor() {
    super('the character U+0000 cannot be stored');
  }
}
