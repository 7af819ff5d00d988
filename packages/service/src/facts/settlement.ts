/** Settlements as facts: deposits of card payments. */

export type SettlementStatus = 'CAPTURED' | 'SENT' | 'NONE';

/** A payment or refund that a settlement names. */
export interface SettledTransaction {
  payment_guid: string | null;
  refund: boolean;
  paid_at: number | null;
  /** The restaurant's wall clock at `paid_at`, whole seconds as milliseconds as if it were UTC. */
  paid_local: number | null;
}

/** One line of `settlements.ndjson`: a deposit of card payments. */
export interface SettlementFact {
  seq: number;
  settlement_guid: string;
  /** 0 where it is deleted, and so are all sums. */
  settled_date: number;
  modified_at: number;
  deleted: boolean;
  status: SettlementStatus;
  /** Payments, as given or counted. */
  transaction_count: number;
  payment_cents: number;
  refund_cents: number;
  fee_cents: number;
  /** Withholdings of transactions, and adjustments. */
  withheld_cents: number;
  transactions: SettledTransaction[];
}
