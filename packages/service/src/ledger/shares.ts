/** Rate limits across several services: each service takes a share of a window's quota and counts it down in memory. */

export interface SharedWindow {
  /** The name of the limit and its window. */
  name: string;
  /** The caller whose calls are counted. */
  key: string;
  /** The number of the window since 1970. */
  number: number;
  quota: number;
  /** When the window ends (ms since 1970). */
  endsAt: number;
}

export interface ShareLedger {
  /**
   * Takes a share of each of the windows: a twentieth of what is left, at least one call. Takes nothing if one of them
   * is used up;
   * `shares` is then undefined. `handedOut`: how much of each window's quota all services have taken so far, never more
   * than the quota.
   */
  takeShares(windows: readonly SharedWindow[]): Promise<{ shares: number[] | undefined; handedOut: number[] }>;
  /** How much of each window's quota all services have taken so far. */
  handedOut(windows: readonly SharedWindow[]): Promise<number[]>;
}
