/** The tasks in SQL. */
import type { Task, TaskLedger } from '../task.ts';
import { columns, json, type Stored } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const tasks = columns<Task>({
  guid: 'guid',
  kind: 'kind',
  argument: json('argument'),
  state: 'state',
  createdAt: 'created_at',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
  result: json('result'),
  failure: 'failure',
});

const queries = loadQueries<{
  addTask(task: Stored<Pick<Task, 'guid' | 'kind' | 'argument' | 'createdAt'>>): number;
  task(of: { guid: string }): Row | undefined;
  unfinishedTasks(): Row[];
  claimTask(of: { now: number }): Row | undefined;
  finishTask(of: { guid: string; now: number; result: string }): number;
  failTask(of: { guid: string; now: number; failure: string }): number;
  cancelTask(of: { guid: string; now: number }): number;
  forgetTasks(of: { before: number }): number;
}>(new URL('./task.sql', import.meta.url));

/** Begins the oldest task, unless another runs. */
export const beginTask = async (sql: Sql, now: number): Promise<Task | undefined> =>
  tasks.readOne(await queries(sql).claimTask({ now }));

/** Without leases: one process has the ledger, and what it runs ends with it. */
export function taskLedger(sql: Sql): TaskLedger {
  const query = queries(sql);
  const unfinished = async (): Promise<Task[]> => (await query.unfinishedTasks()).map(tasks.read);
  return {
    async addTask(task) {
      await query.addTask(tasks.values(task));
    },
    async task(guid) {
      return tasks.readOne(await query.task({ guid }));
    },
    unfinishedTasks: unfinished,
    async claimTask(now) {
      // Asked twice a second: the update, which takes the write lock, runs only when a task is queued.
      return (await unfinished()).some(({ state }) => state === 'queued') ? await beginTask(sql, now) : undefined;
    },
    async extendTask() {},
    async finishTask(guid, now, result) {
      return (await query.finishTask({ guid, now, result: JSON.stringify(result) })) === 1;
    },
    async failTask(guid, now, failure) {
      return (await query.failTask({ guid, now, failure })) === 1;
    },
    async cancelTask(guid, now) {
      return (await query.cancelTask({ guid, now })) === 1;
    },
    forgetTasks: (before) => query.forgetTasks({ before }),
  };
}
