/** Settlements (deposits of card payments), as stored in the facts. */
import type { VersionDate } from './version-date.ts';

export type SettlementStatus = 'CAPTURED' | 'SENT' | 'NONE';

/** A payment or refund that a settlement names. */
export interface SettledTransaction {
  payment_guid: string | null;
  refund: boolean;
  paid_at: number | null;
  /** The restaurant's local time at `paid_at`: whole seconds, in milliseconds as if it were UTC. */
  paid_local: number | null;
}

/** One line of `settlements.ndjson`: a deposit of card payments. */
export interface SettlementFact extends VersionDate {
  seq: number;
  settlement_guid: string;
  /** YYYYMMDD; 0 if the settlement is deleted, as are all sums. */
  settled_date: number;
  deleted: boolean;
  status: SettlementStatus;
  /** The number of payments, as given or counted. */
  transaction_count: number;
  payment_cents: number;
  refund_cents: number;
  fee_cents: number;
  /** Withholdings from transactions, and adjustments, in cents. */
  withheld_cents: number;
  transactions: SettledTransaction[];
}
