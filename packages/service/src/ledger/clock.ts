/** The clock by which a ledger measures time. */

export interface ClockLedger {
  /** The time by which leases, the queue and expiry are measured: one clock for everyone who uses the ledger. */
  now(): Promise<number>;
  /**
   * Records the current time in the ledger. If more than `largestGapMs` has passed since the last call, only
   * `largestGapMs` of it counts: reports that have not expired and idempotency keys expire later by the rest. When the
   * clock goes back, earlier postponements are taken back by as much. Returns the gap, and by how much expiry moved
   * (ms; negative: taken back).
   */
  seeTime(now: number, largestGapMs: number): Promise<{ gapMs: number; movedMs: number }>;
  /** The `asOf` of the oldest completed report; null when there is none. */
  oldestReadable(): Promise<number | null>;
}
