/** Turns of work of which only some may be in progress: the most urgent waiter is next. */

/**
 * Does the work when its turn comes; a lower `rank` comes first, among equal ones the one that waited longer. Rejects
 * with the reason of a signal that is aborted before.
 */
export type RankedTurns = <T>(rank: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** `most`: how many may work at once. */
export function createRankedTurns(most: number): RankedTurns {
  const waiting: { rank: number; resume(): void }[] = [];
  let working = 0;

  function untilTurn(rank: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(signal.reason);
      };
      const one = {
        rank,
        resume() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const before = waiting.findIndex((other) => other.rank > rank);
      waiting.splice(before < 0 ? waiting.length : before, 0, one);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return async (rank, signal, work) => {
    signal.throwIfAborted();
    if (working < most) working++;
    else await untilTurn(rank, signal);
    try {
      return await work();
    } finally {
      // The turn is handed over, so that nobody takes it in between.
      const next = waiting.shift();
      if (next) next.resume();
      else working--;
    }
  };
}
