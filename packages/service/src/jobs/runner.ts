/** One loop for every queue of the ledger: claims what may run, runs it beside what is under way, and claims again. */

export interface Queue<Job> {
  /**
   * Claims jobs, each batch given before the next is claimed; ends where nothing is left or may start. `running` answers the
   * jobs under way, with those just given.
   */
  claims(running: () => Job[]): AsyncIterable<readonly Job[]>;
  /** Runs a job to its end, early where it is aborted. Must not reject: the outcome belongs into the ledger. */
  run(job: Job, abort: AbortController): Promise<void>;
  /** How often jobs are looked for without being woken, in milliseconds. */
  tickMs: number;
  /** Called at each tick before jobs are claimed, one call at a time. Must not reject. */
  onTick?(runner: Pick<Runner<Job>, 'abort'>, running: () => Job[]): Promise<void>;
  /** Called with what `claims` threw; jobs are looked for again at the next tick. */
  onError(error: unknown): void;
}

export interface Runner<Job> {
  /** Looks for jobs now. */
  wake(): void;
  /** Aborts the jobs under way that match; resolves when they have ended. */
  abort(matches: (job: Job) => boolean): Promise<void>;
  /** Claims nothing more, aborts what is under way, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts with a tick at once. */
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
    // One claimer at a time; a call made meanwhile makes it look once more.
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
      // A claim that was under way may still have brought one in.
      while (claiming || underWay.size > 0) {
        await claiming;
        await abort(() => true);
      }
    },
  };
}
