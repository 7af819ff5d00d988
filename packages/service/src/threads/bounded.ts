/** Work with a deadline, and a signal that cancels it. */

interface WorkBounds {
  /** Milliseconds until the work is aborted. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

/** The errors of work that was aborted. */
interface AbortErrors {
  late(): Error;
  cancelled(): Error;
}

/**
 * Does the work. Rejects with an error of `errors` as soon as the deadline has passed or `signal` is aborted, without
 * waiting for the work: the signal that the work was given is then aborted with the same error.
 */
export async function bounded<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { deadlineMs, signal }: WorkBounds,
  errors: AbortErrors,
): Promise<T> {
  const abort = new AbortController();
  const aborted = Promise.withResolvers<never>();
  const stop = (error: Error): void => {
    abort.abort(error);
    aborted.reject(error);
  };
  const cancel = (): void => stop(errors.cancelled());
  const timer = setTimeout(() => stop(errors.late()), deadlineMs);
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    return await Promise.race([aborted.promise, work(abort.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
