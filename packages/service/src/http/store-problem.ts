/** Turns errors of unavailable stores into problems: 503, never 401 or 500. */
import { FactsGone } from '../facts/bounds.ts';
import { LedgerGone } from '../ledger/gone.ts';
import { UnstorableText } from '../ledger/unstorable-text.ts';
import { ResultsGone } from '../results/gone.ts';
import { StorageLost } from '../storage/folder-watch.ts';
import { Problem } from './problems.ts';

/** A store that returns answers within a second, so a caller that retries after this time finds it. */
const RETRY = { 'retry-after': '2' };

/** Whether a store on another machine does not answer: the request is not at fault, and may succeed later. */
export const isStoreAway = (error: unknown): boolean =>
  error instanceof LedgerGone || error instanceof FactsGone || error instanceof ResultsGone;

/** The Problem for a store that is unavailable, or that cannot store a text; undefined for any other error. */
export function storeProblem(error: unknown): Problem | undefined {
  const away = (detail: string): Problem => new Problem('store_unavailable', detail, { cause: error, headers: RETRY });
  if (error instanceof StorageLost)
    return new Problem('storage_lost', 'The data folder of the service is lost. This call was not stored.');
  if (error instanceof ResultsGone) return away('The files of the reports cannot be reached. Try again later.');
  if (error instanceof FactsGone)
    return away(
      error.outcomeUnknown
        ? 'The facts stopped answering, and it is unknown whether this load was stored. Load it again; that is safe.'
        : 'The facts cannot be reached. Try again later; repeating a load is safe.',
    );
  if (error instanceof UnstorableText)
    return new Problem('invalid_parameter', 'Text must not contain the character U+0000.', { cause: error });
  if (!(error instanceof LedgerGone)) return undefined;
  return away(
    error.outcomeUnknown
      ? 'The ledger stopped answering, and it is unknown whether this call was carried out. Repeat it; with an Idempotency-Key it is carried out once.'
      : 'The ledger cannot be reached, and nothing was changed. Try again later.',
  );
}
