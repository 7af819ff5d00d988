/** Bounds what is done at once. */

/** Lets one piece of work after the other through; answers undefined, at once, to who comes when the queue is full. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T> | undefined;

/** `atOnce` are under way at most, and `waiting` more wait for them in their order. */
export function createGate({ atOnce, waiting }: { atOnce: number; waiting: number }): Gate {
  const queue: (() => void)[] = [];
  let working = 0;

  async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (working < atOnce) working++;
    // Whoever leaves hands its place on, so that nobody who comes meanwhile takes it.
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

/** Counts what each key has under way. */
export interface Places {
  /** Takes a place of the key; answers the call that gives it back (once, however often it is called), undefined when all are taken. */
  take(key: string): (() => void) | undefined;
  /** Keys that have any. */
  size(): number;
}

/** `most` places for each key. */
export function createPlaces(most: number): Places {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const before = taken.get(key) ?? 0;
      if (before >= most) return undefined;
      taken.set(key, before + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        const now = (taken.get(key) ?? 1) - 1;
        if (now === 0) taken.delete(key);
        else taken.set(key, now);
      };
    },
    size: () => taken.size,
  };
}
