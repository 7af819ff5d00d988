/** Sums over the rows of a report. */

/** What the rows of one currency add up to. Amounts of different currencies are never added. */
export interface CurrencyTotals {
  /** ISO 4217; null of restaurants that have none. */
  currencyCode: string | null;
  /** By the fields of the records: counts, cents, hundredths of hours. */
  sums: Record<string, number>;
}
