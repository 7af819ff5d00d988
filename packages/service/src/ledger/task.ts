/** Tasks that commands ask of the process that holds the data folder. */

/** What a command asks of the process that holds the data folder. */
export interface Task {
  guid: string;
  kind: 'verify' | 'rebuild' | 'backup';
  /** `to`: the absolute path of a backup. */
  argument: { to?: string };
  /** `queued → running → done | failed`; `queued | running → cancelled`, `queued → failed` when nobody will run it. */
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** JSON, of a task that is done. */
  result: unknown;
  /** A sentence for the one who asked. */
  failure: string | null;
}

export interface TaskLedger {
  /** Adds it in state `queued`. */
  addTask(task: Pick<Task, 'guid' | 'kind' | 'argument' | 'createdAt'>): Promise<void>;
  task(guid: string): Promise<Task | undefined>;
  /** Queued and running ones, oldest first. */
  unfinishedTasks(): Promise<Task[]>;
  /** queued → running, oldest first. Undefined when nothing is queued, or while another runs. */
  claimTask(now: number): Promise<Task | undefined>;
  /**
   * Says that the process that runs it is alive. On a server, a task without this for a minute is failed by the next process that looks for
   * tasks; in a data folder the next process that holds it does that.
   */
  extendTask(guid: string, now: number): Promise<void>;
  /** running → done. False when it no longer runs: it was cancelled. */
  finishTask(guid: string, now: number, result: unknown): Promise<boolean>;
  /** queued, running → failed. False when it had ended before. */
  failTask(guid: string, now: number, failure: string): Promise<boolean>;
  /** queued, running → cancelled. False when it had ended before. */
  cancelTask(guid: string, now: number): Promise<boolean>;
  /** Forgets tasks that ended before the instant. */
  forgetTasks(before: number): Promise<number>;
}
