/** Card payments of orders. Except for the fingerprint, nothing in them identifies a card or a guest. */

/**
 * One line of `card_payments.ndjson`: a card payment that was neither voided nor denied
 * (docs/metrics.md#card-payments).
 */
export interface CardPaymentFact {
  /** The `seq` of its order. */
  seq: number;
  check_guid: string;
  payment_guid: string;
  /** The business date on which it was paid, YYYYMMDD. */
  sales_date: number;
  /** Only captured payments are in payouts; guest payments include the others too. */
  captured: boolean;
  /** Local time of the restaurant when the order was opened: whole seconds, in milliseconds as if it were UTC. */
  opened_local: number;
  paid_at: number;
  /** The same for the time of payment. */
  paid_local: number;
  card_brand: string | null;
  card_type: 'Credit' | 'Debit' | 'UNSPECIFIED CARD';
  /** Amount plus tip, in cents. */
  total_cents: number;
  tip_cents: number;
  gratuity_cents: number;
  /** How much of amount and tip was refunded since, at any time, in cents. */
  refund_cents: number;
  fee_cents: number;
  withheld_cents: number;
  /**
   * A UUID of the card within its management group; null unless fingerprints are enabled and the source identifies the
   * card.
   */
  fingerprint: string | null;
}
