/** Shares work that several callers want at once: it is done once, and as long as anyone waits for it. */

interface SharedWork<T> {
  promise: Promise<T>;
  waiting: number;
  abort: AbortController;
}

/**
 * Returns a function that starts the work of a key, or joins it while it runs. A caller whose `signal` is aborted is
 * rejected and no longer counts; when none is left, the signal passed to `start` is aborted. A caller without a signal
 * stays.
 */
export function createShare<T>() {
  const underWay = new Map<string, SharedWork<T>>();

  function begin(key: string, start: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
    const abort = new AbortController();
    const work: SharedWork<T> = { promise: start(abort.signal), waiting: 0, abort };
    const forget = (): void => {
      if (underWay.get(key) === work) underWay.delete(key);
    };
    // Ends the sharing for later callers; current callers get a failure themselves.
    work.promise.then(forget, forget);
    abort.signal.addEventListener('abort', forget);
    underWay.set(key, work);
    return work;
  }

  return async (key: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    const work = underWay.get(key) ?? begin(key, start);
    work.waiting++;
    if (!signal) return await work.promise;
    const left = Promise.withResolvers<never>();
    const leave = (): void => {
      left.reject(signal.reason);
      if (--work.waiting === 0) work.abort.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([work.promise, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}
