/** Tasks that commands request from the process that holds the data folder. */

/** A request of a command to the process that holds the data folder. */
export interface Task {
  guid: string;
  kind: 'verify' | 'rebuild' | 'backup' | 'remove-group' | 'export-group';
  /** `to`: absolute path of the folder for a backup or an export. `group`: the one to remove or export. */
  argument: { to?: string; group?: string };
  /**
   * `queued → running → done | failed`; `queued | running → cancelled`; `queued → failed` if no process will run it.
   */
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** JSON; only for a task that is done. */
  result: unknown;
  /** A sentence for the person who ran the command. */
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
   * Records that the process running it is alive. With a server, a task without this call for a minute is failed by the
   * next process that polls for tasks; in a data folder, by the next process that holds it.
   */
  extendTask(guid: string, now: number): Promise<void>;
  /** running → done. False when it is no longer running: it was cancelled. */
  finishTask(guid: string, now: number, result: unknown): Promise<boolean>;
  /** queued, running → failed. False when it had already ended. */
  failTask(guid: string, now: number, failure: string): Promise<boolean>;
  /** queued, running → cancelled. False when it had already ended. */
  cancelTask(guid: string, now: number): Promise<boolean>;
  /** Deletes tasks that ended before the instant. */
  forgetTasks(before: number): Promise<number>;
}
