/** When figures are read again after events. */

/**
 * A nightly load sends many events: the figures are read again after this much quiet, and at most once in LEAST_MS.
 * Where the past is read from a point of sale it is never quiet: then once in LEAST_MS.
 */
const QUIET_MS = 2000;
export const LEAST_MS = 15_000;

/** Calls `onChange` shortly after loads, at most once in LEAST_MS. */
export function createTrigger(onChange: () => void): { note: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  /** The first event after that. */
  let first = 0;
  return {
    note() {
      const now = Date.now();
      first ||= now;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          last = Date.now();
          first = 0;
          onChange();
        },
        Math.max(Math.min(QUIET_MS, first + LEAST_MS - now), last + LEAST_MS - now),
      );
    },
    stop: () => clearTimeout(timer),
  };
}
