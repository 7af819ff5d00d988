/** The store of the results is unavailable. */

/**
 * The files of reports cannot be reached, or the store did not answer in time. Nothing is lost: stored files are
 * available again when the store is.
 */
export class ResultsGone extends Error {
  override readonly name = 'ResultsGone';
  constructor(cause: unknown) {
    super(`the results are unavailable: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
  }
}
