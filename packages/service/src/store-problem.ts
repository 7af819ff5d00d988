/** What a store that is away is to a caller: 503, never a 401 or a 500. */
import { FactsGone } from './facts/bounds.ts';
import { LedgerGone } from './ledger/gone.ts';
import { UnstorableText } from './ledger/unstorable-text.ts';
import { Problem } from './problems.ts';
import { ResultsGone } from './results/gone.ts';

/** A store that is back answers within a second; a caller that comes right then finds it. */
const RETRY = { 'retry-after': '2' };

/** Whether a store on another machine does not answer: nothing is wrong with what was asked, and later it may succeed. */
export const isStoreAway = (error: unknown): boolean =>
  error instanceof LedgerGone || error instanceof FactsGone || error instanceof ResultsGone;

/** The Problem of a store that is away, or that has no place for a text; undefined for any other error. */
export function storeProblem(error: unknown): Problem | undefined {
  const away = (detail: string): Problem => new Problem('store_unavailable', detail, { cause: error, headers: RETRY });
  if (error instanceof ResultsGone) return away('The files of the reports cannot be reached. Try again later.');
  if (error instanceof FactsGone)
    return away(
      error.outcomeUnknown
        ? 'The facts stopped answering, and whether this load was kept is not known. Load it again, that is safe.'
        : 'The facts cannot be reached. Try again later; repeating a load is safe.',
    );
  if (error instanceof UnstorableText)
    return new Problem('invalid_parameter', 'Text must not contain the character U+0000.', { cause: error });
  if (!(error instanceof LedgerGone)) return undefined;
  return away(
    error.outcomeUnknown
      ? 'The ledger stopped answering, and whether this call was carried out is not known. Repeat it; with an Idempotency-Key it is carried out once.'
      : 'The ledger cannot be reached, and nothing was changed. Try again later.',
  );
}
