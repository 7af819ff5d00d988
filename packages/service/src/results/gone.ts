/** The store of the results does not answer. */

/** The files of reports cannot be reached, or did not answer in time. Nothing is lost by it: what was kept is there once it is back. */
export class ResultsGone extends Error {
  override readonly name = 'ResultsGone';
  constructor(cause: unknown) {
    super(`the results are unavailable: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
  }
}
