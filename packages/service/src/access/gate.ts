/** Bounds what is done at once. */

/** Lets one piece of work after the other through; answers undefined, at once, to who comes when the queue is full. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T> | undefined;

/** `atOnce` are under way at most, and `waiting` more wait for them in their order. */
export function createGate({ atOnce, waiting }: { atOnce: number; waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let working = 0;

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (working < atOnce) working++;
    // A call that leaves passes its place on, so that no newer call takes it.
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
