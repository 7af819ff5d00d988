/** Combines a caller's signal and a deadline into one signal. */
import { DeadlineError } from './errors.ts';
import type { WaitOptions } from './types.ts';

export interface Scope {
  signal: AbortSignal;
  /** The time of the deadline, in milliseconds of Date.now(). */
  until: number;
  /** The report request, for the error at the deadline. */
  guid?: string | undefined;
  /** Whether it ends with the body that is read next. */
  closesAtEnd?: boolean;
  /** From here on, only the caller's signal ends it. */
  release(): void;
  /** Call when the call is over: removes the listener from the caller's signal. */
  close(): void;
}

const LONGEST_TIMER = 2 ** 31 - 1;
const DEFAULT_TIMEOUT_MS = 15 * 60_000;

/** The longest time for a step that has no deadline of its own. */
export const STEP_MS = 120_000;

/** Opens the scope of a call; `close` it when the call is over. */
export function openScope(options: WaitOptions = {}, timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS): Scope {
  const { signal } = options;
  const own = new AbortController();
  const forward = (): void => own.abort(signal?.reason);
  if (signal?.aborted) forward();
  else signal?.addEventListener('abort', forward, { once: true });
  const timer =
    timeoutMs < LONGEST_TIMER
      ? setTimeout(() => {
          const message = `The report was not complete within ${timeoutMs / 1000} s.`;
          own.abort(new DeadlineError(message, { guid: scope.guid }));
        }, timeoutMs)
      : undefined;
  const scope: Scope = {
    signal: own.signal,
    until: Date.now() + timeoutMs,
    release: () => {
      clearTimeout(timer);
      scope.until = Number.POSITIVE_INFINITY;
    },
    close: () => {
      scope.release();
      signal?.removeEventListener('abort', forward);
    },
  };
  return scope;
}

/** Waits; rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER),
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** The promise, or the signal's reason if it is aborted first. The work itself continues for other callers. */
export function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Milliseconds before the nth poll or attempt (from 0) if the service does not say: 1, 2, 4, 8, 15 s, ±25 %. */
export const backoff = (nth: number): number => Math.min(15_000, 1000 * 2 ** nth) * (0.75 + Math.random() / 2);

/**
 * Shares one piece of work among all callers that wait for it at the same time. It is cancelled when the last of them
 * has left.
 */
export function shared<T>(work: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let going: { promise: Promise<T>; waiting: number; stop: AbortController } | undefined;
  return async (signal) => {
    if (!going) {
      const stop = new AbortController();
      const promise = work(stop.signal);
      going = { promise, waiting: 0, stop };
    }
    const mine = going;
    mine.waiting++;
    try {
      return await within(mine.promise, signal);
    } finally {
      if (going === mine && (--mine.waiting === 0 || !signal.aborted)) {
        going = undefined;
        mine.stop.abort();
      }
    }
  };
}

/** A little more than the given time, never less, so that many clients do not retry at once. */
export const jittered = (ms: number): number => ms + Math.random() * Math.min(2000, ms / 5);
