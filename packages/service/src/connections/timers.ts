/** The clock and the timers of calls to a point of sale, which tests replace by virtual ones. */

export interface Timers {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Runs it after so many milliseconds; returns how to cancel that. */
  after(ms: number, run: () => void): () => void;
}

export const realTimers: Timers = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Waits so many milliseconds. Throws the reason of the signal when it is aborted. */
export function sleep(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = timers.after(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
