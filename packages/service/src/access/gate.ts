/** Bounds how much work runs at once. */

/** Runs the work when its turn comes; returns undefined, immediately, if the queue is full. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T> | undefined;

/** At most `atOnce` run, and `waiting` more wait in their order. */
export function createGate({ atOnce, waiting }: { atOnce: number; waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let working = 0;

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (working < atOnce) working++;
    // A call that ends passes its place to the next in the queue, so that no newer call takes it.
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else working--;
    }
  }

  return (work) => (working >= atOnce && queue.length >= waiting ? undefined : pass(work));
}
