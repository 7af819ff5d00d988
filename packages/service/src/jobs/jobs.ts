/**
 * The loop of all queues of the ledger (reports, deliveries, tasks): it claims jobs that may run, runs them beside
 * those in progress, and claims again.
 */

export interface Queue<Job> {
  /**
   * Claims jobs in batches; a batch is started before the next is claimed. Ends if nothing is left or may start.
   * `running` returns the jobs in progress, including those just claimed.
   */
  claims(running: () => Job[]): AsyncIterable<readonly Job[]>;
  /** Runs a job to its end, or until it is aborted. Must not reject: the outcome is recorded in the ledger. */
  run(job: Job, abort: AbortController): Promise<void>;
  /** How often the queue is checked without being woken, in milliseconds. */
  tickMs: number;
  /** Called at each tick before jobs are claimed, one call at a time. Must not reject. */
  onTick?(runner: Pick<Runner<Job>, 'abort'>, running: () => Job[]): Promise<void>;
  /** Called with what `claims` threw; the queue is checked again at the next tick. */
  onError(error: unknown): void;
}

interface Runner<Job> {
  /** Checks the queue now. */
  wake(): void;
  /** Aborts the jobs in progress that match; resolves when they have ended. */
  abort(matches: (job: Job) => boolean): Promise<void>;
  /** Claims nothing more, aborts jobs in progress, and resolves when they have ended. */
  stop(): Promise<void>;
}

/** Starts with an immediate tick. */
export function startRunner<Job>(queue: Queue<Job>): Runner<Job> {
  const underWay = new Map<Job, { abort: AbortController; done: Promise<void> }>();
  const running = (): Job[] => [...underWay.keys()];
  let stopping = false;
  let claiming: Promise<void> | undefined;
  let again = false;

  async function claim(): Promise<void> {
    try {
      do {
        again = false;
        for await (const batch of queue.claims(running)) {
          for (const job of batch) start(job);
          if (stopping) return;
        }
      } while (again && !stopping);
    } catch (error) {
      queue.onError(error);
    } finally {
      claiming = undefined;
    }
  }

  function start(job: Job): void {
    const abort = new AbortController();
    const done = queue.run(job, abort).finally(() => {
      underWay.delete(job);
      wake();
    });
    underWay.set(job, { abort, done });
  }

  function wake(): void {
    if (stopping) return;
    // Only one claim at a time; a call made meanwhile makes it check once more.
    if (claiming) again = true;
    else claiming = claim();
  }

  async function abort(matches: (job: Job) => boolean): Promise<void> {
    const matching = [...underWay].filter(([job]) => matches(job)).map(([, started]) => started);
    for (const started of matching) started.abort.abort();
    await Promise.all(matching.map(({ done }) => done));
  }

  async function tick(): Promise<void> {
    if (stopping) return;
    await queue.onTick?.({ abort }, running);
    wake();
  }

  let ticking = tick();
  const timer = setInterval(() => {
    ticking = ticking.then(tick);
  }, queue.tickMs);
  return {
    wake,
    abort,
    async stop() {
      stopping = true;
      clearInterval(timer);
      await Promise.all([abort(() => true), ticking]);
      // A claim in progress may still add a job.
      while (claiming || underWay.size > 0) {
        await claiming;
        await abort(() => true);
      }
    },
  };
}
