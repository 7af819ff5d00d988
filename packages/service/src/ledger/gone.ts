/** The server of a ledger is away. */

/**
 * The ledger's server cannot be reached, is starting or did not answer in time. With `outcomeUnknown` the change may have been
 * made all the same: the connection was lost after it was sent. Otherwise nothing was changed.
 */
export class LedgerGone extends Error {
  override readonly name = 'LedgerGone';
  readonly outcomeUnknown: boolean;
  constructor(cause: unknown, outcomeUnknown: boolean) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`the ledger is unavailable: ${why}`, { cause });
    this.outcomeUnknown = outcomeUnknown;
  }
}
