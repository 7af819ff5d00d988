/** What follows from an error while a stream was read: the code that is shown, and when the stream is tried again. */

import { isSourceError, SourceError } from '@daypart/client/source';
import { Problem } from '../contract/problems.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/time.ts';
import { asProblem, storeProblem } from '../http/store-problem.ts';
import type { ConnectionStream } from '../ledger/connection.ts';

/** Tries after failures begin a minute apart, and are an hour apart at most. */
const backOffMs = (failures: number): number => Math.min(MINUTE_MS * 2 ** Math.min(failures, 10), HOUR_MS);

/** Work of the source: what it throws besides a SourceError is because the answers are not as it expects them. */
export async function fromSource<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isSourceError(error)) throw error;
    if (error instanceof Problem && error.code === 'package_missing') throw error;
    throw new SourceError('upstream_changed', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** What a person quotes to the support of the point of sale. */
function requestOf({ status, requestId }: SourceError): string | null {
  const parts = [status === undefined ? '' : String(status), requestId === undefined ? '' : `request ${requestId}`];
  return parts.filter(Boolean).join(', ') || null;
}

/** Whether the code of an error means that nothing is read until somebody changes the credentials. */
export const isRefusal = (code: string): boolean =>
  code === 'credentials_refused' || code === 'key_refused' || code === 'host_key_changed';

type Failure = Pick<ConnectionStream, 'error' | 'failures' | 'nextAt' | 'upstreamRequest'>;

/** The changes of a stream's row after an error; `now` in ms since 1970 UTC. */
export function failureOf(error: unknown, { failures }: Pick<ConnectionStream, 'failures'>, now: number): Failure {
  const failed = (code: string, nextAt: number, upstreamRequest: string | null = null): Failure => ({
    error: code,
    failures: failures + 1,
    nextAt,
    upstreamRequest,
  });
  if (isSourceError(error)) {
    const { code, retryAt } = error;
    const request = requestOf(error);
    // Waiting is no failure.
    if (code === 'throttled' || retryAt !== undefined)
      return { error: 'throttled', failures, nextAt: retryAt ?? now + MINUTE_MS, upstreamRequest: request };
    if (code === 'no_permission') return failed(code, now + DAY_MS, request);
    if (code === 'restaurant_unknown') return failed(code, now + HOUR_MS, request);
    return failed(code, now + backOffMs(failures), request);
  }
  const problem = storeProblem(error) ?? asProblem(error);
  return failed(problem instanceof Problem ? problem.code : 'internal_error', now + backOffMs(failures));
}
