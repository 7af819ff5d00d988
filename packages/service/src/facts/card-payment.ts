/** The card payments of orders as the facts keep them. Nothing in them identifies a card or a guest but the fingerprint. */

/** One line of `card_payments.ndjson`: a card payment that was neither voided nor denied (docs/metrics.md#card-payments). */
export interface CardPaymentFact {
  /** The `seq` of its order. */
  seq: number;
  check_guid: string;
  payment_guid: string;
  /** The business date on which it was paid, YYYYMMDD. */
  sales_date: number;
  /** Payouts count it; guest payments have those that are not captured yet, too. */
  captured: boolean;
  /** The restaurant's wall clock when the order was opened, whole seconds as milliseconds as if it were UTC. */
  opened_local: number;
  paid_at: number;
  /** Likewise, when it was paid. */
  paid_local: number;
  card_brand: string | null;
  card_type: 'Credit' | 'Debit' | 'UNSPECIFIED CARD';
  /** Amount and tip. */
  total_cents: number;
  tip_cents: number;
  gratuity_cents: number;
  /** What of amount and tip was refunded since, whenever. */
  refund_cents: number;
  fee_cents: number;
  withheld_cents: number;
  /** A UUID of the card within its management group; null unless fingerprints are on and the source says which card it was. */
  fingerprint: string | null;
}
