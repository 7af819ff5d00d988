/** Rate limits that several services count together: each takes a share of a window's quota and counts it down by itself. */

export interface SharedWindow {
  /** Of the limit and its window. */
  name: string;
  /** Whose calls are counted. */
  key: string;
  /** Which of the windows since 1970. */
  number: number;
  quota: number;
  /** When the window ends (ms since 1970). */
  endsAt: number;
}

export interface ShareLedger {
  /**
   * Takes a share of each of the windows, or of none when one is used up (`shares` is then undefined): a twentieth of what is left, at
   * least one. `handedOut`: how much of each window's quota all services have taken so far; never more than the quota.
   */
  takeShares(windows: readonly SharedWindow[]): Promise<{ shares: number[] | undefined; handedOut: number[] }>;
  /** How much of each window's quota all services have taken so far. */
  handedOut(windows: readonly SharedWindow[]): Promise<number[]>;
}
