/** Sums over the rows of a report. */

/** The sums of the rows of one currency. Amounts of different currencies are never added. */
export interface CurrencyTotals {
  /** ISO 4217; null for restaurants that have none. */
  currencyCode: string | null;
  /** How many rows there are; unknown for reports that were gathered by an earlier version. */
  rows?: number;
  /**
   * By field of the record, in its smallest unit: counts, cents, hours as integers (`DECIMALS` in families/family.ts).
   * Null for a sum of 2^53 units or more, which no number has exactly.
   */
  sums: Record<string, number | null>;
}
