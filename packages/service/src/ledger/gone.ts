/** The server of a ledger is unavailable. */

/**
 * The ledger's server cannot be reached, is starting or did not answer in time. With `outcomeUnknown` the connection
 * was lost after the statement was sent, so the change may have been made; otherwise nothing was changed.
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
