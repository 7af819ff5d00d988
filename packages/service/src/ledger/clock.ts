/** The time that a ledger has seen pass. */

export interface ClockLedger {
  /** The time by which leases, the queue and expiry are measured: one clock for all who use the ledger. */
  now(): Promise<number>;
  /**
   * Writes the time to the ledger. Of the gap since the last time at most `largestGapMs` counts as time that has passed:
   * whatever has not expired, expires later by the rest, and idempotency keys end later by it. A clock that goes back takes back
   * what was put off before. Answers the gap, and by how much expiry moved (ms; below 0: taken back).
   */
  seeTime(now: number, largestGapMs: number): Promise<{ gapMs: number; movedMs: number }>;
  /** The `asOf` of the oldest report that is completed; null without one. */
  oldestReadable(): Promise<number | null>;
}
