/**
 * Aborts that the load log did not answer. They are repeated until it answers: otherwise the restaurant of a failed
 * load would be locked until the lease expires.
 */

const RETRY_MS = 250;

export interface Unanswered {
  /** Repeats the abort of a holder until it is answered, at most until its lease has expired. */
  repeat(holder: string, abort: () => Promise<unknown>): void;
  stop(): void;
}

export function createUnanswered(leaseMs: number): Unanswered {
  const aborts = new Map<string, { abort: () => Promise<unknown>; until: number }>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function repeatAll(): Promise<void> {
    for (const [holder, { abort, until }] of aborts) {
      if (isStopped) return;
      try {
        if (performance.now() < until) await abort();
        aborts.delete(holder);
      } catch {
        // Still unavailable: the others would fail as well.
        break;
      }
    }
    timer = undefined;
    if (aborts.size > 0) schedule();
  }
  function schedule(): void {
    if (!isStopped) timer ??= setTimeout(() => void repeatAll(), RETRY_MS).unref();
  }

  return {
    repeat(holder, abort) {
      aborts.set(holder, { abort, until: performance.now() + leaseMs });
      schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
