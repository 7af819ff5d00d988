/**
 * In which order imports over HTTP run: one at a time, because the tables of a day are in memory while they are joined.
 * Management groups take turns, and each has a queue of its own, so that none waits for all the imports of another.
 */

/**
 * Runs the work when its turn comes; returns undefined, immediately, if the queue of the group is full. Rejects with
 * the reason of a signal that is aborted before the turn has come.
 */
export type ImportTurns = <T>(group: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T> | undefined;

/** `waiting`: how many imports of each group may wait besides the one that runs. */
export function createImportTurns(waiting: number): ImportTurns {
  /** The groups that wait, in the order of their turns. */
  const queues = new Map<string, (() => void)[]>();
  let isWorking = false;
  let last: string | undefined;

  function begin(group: string): void {
    isWorking = true;
    last = group;
  }

  function beginNext(): void {
    const groups = [...queues.keys()];
    const group = groups.find((one) => one !== last) ?? groups[0];
    const queue = queues.get(group ?? '');
    if (group === undefined || queue === undefined) {
      isWorking = false;
      return;
    }
    // To the end of the groups, if more of it wait.
    queues.delete(group);
    const resume = queue.shift();
    if (queue.length > 0) queues.set(group, queue);
    begin(group);
    resume?.();
  }

  function untilTurn(group: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const queue = queues.get(group) ?? [];
        queue.splice(queue.indexOf(resume), 1);
        if (queue.length === 0) queues.delete(group);
        reject(signal.reason);
      };
      const resume = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      queues.set(group, [...(queues.get(group) ?? []), resume]);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  async function pass<T>(group: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (isWorking) await untilTurn(group, signal);
    else begin(group);
    try {
      return await work();
    } finally {
      beginNext();
    }
  }

  return (group, signal, work) =>
    isWorking && (queues.get(group)?.length ?? 0) >= waiting ? undefined : pass(group, signal, work);
}
