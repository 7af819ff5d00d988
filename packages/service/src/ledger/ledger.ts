/**
 * The ledger: small rows that must never be lost. Each concern has an interface in a file of its own, and a room takes those that
 * it uses; only the wiring has them all. Every method is one transaction, durable when its promise resolves. Instants are
 * milliseconds since 1970 UTC.
 */
import type { AuditLedger } from './audit.ts';
import type { ClientLedger } from './client.ts';
import type { ClockLedger } from './clock.ts';
import type { DaypartLedger } from './daypart.ts';
import type { DeliveryLedger } from './delivery.ts';
import type { FingerprintKeyLedger } from './fingerprint-key.ts';
import type { IdentityLedger } from './folder-identity.ts';
import type { FormLedger } from './form.ts';
import type { IdempotencyLedger } from './idempotency-key.ts';
import type { ImportLedger } from './import-run.ts';
import type { KeyHolds } from './key-hold.ts';
import type { LeaseLedger } from './lease.ts';
import type { MoveLedger } from './moves.ts';
import type { QueueLedger } from './queue.ts';
import type { ReportLedger } from './report.ts';
import type { RestaurantLedger } from './restaurant.ts';
import type { SessionLedger } from './session.ts';
import type { ShareLedger } from './shares.ts';
import type { SigningKeyLedger } from './signing-key.ts';
import type { TaskLedger } from './task.ts';
import type { WebhookLedger } from './webhook.ts';

export interface LedgerStore {
  /** What `now()` answers (ms since 1970), without waiting. Left out where that is this machine's clock. */
  clock?(): number;
  /** For rate limits that other services count too. Left out where none do. */
  shares?: ShareLedger;
  /** For calls under a key that other services may receive too. Left out where none do. */
  keyHolds?: KeyHolds;

  /**
   * Copies the ledger, as one commit left it and without its tasks and unfinished deliveries, to its place in a folder that has none;
   * others read and write meanwhile. Answers the reports that are completed in the copy.
   */
  backup(folder: string): Promise<{ guid: string; attempt: number }[]>;

  /** Throws when the ledger cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Ledger
  extends ClientLedger,
    SessionLedger,
    AuditLedger,
    ImportLedger,
    SigningKeyLedger,
    FingerprintKeyLedger,
    RestaurantLedger,
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
    MoveLedger,
    LedgerStore {}
