/** The tasks: rows, statements, methods. */
import type { Task, TaskLedger } from '../task.ts';
import type { Statements } from './statements.ts';

interface TaskRow {
  guid: string;
  kind: Task['kind'];
  argument: string;
  state: Task['state'];
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  result: string | null;
  failure: string | null;
}

export interface TaskQueries {
  addTask(task: { guid: string; kind: Task['kind']; argument: string; createdAt: number }): number;
  task(of: { guid: string }): TaskRow | undefined;
  unfinishedTasks(): TaskRow[];
  claimTask(of: { now: number }): TaskRow | undefined;
  finishTask(of: { guid: string; now: number; result: string }): number;
  failTask(of: { guid: string; now: number; failure: string }): number;
  cancelTask(of: { guid: string; now: number }): number;
  forgetTasks(of: { before: number }): number;
}

export const taskOf = (row: TaskRow): Task => ({
  guid: row.guid,
  kind: row.kind,
  argument: JSON.parse(row.argument),
  state: row.state,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  result: row.result === null ? null : JSON.parse(row.result),
  failure: row.failure,
});

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function taskMethods(sql: Statements<TaskQueries>) {
  const reads = {
    async task(guid) {
      const row = await sql.task({ guid });
      return row && taskOf(row);
    },
    async unfinishedTasks() {
      return (await sql.unfinishedTasks()).map(taskOf);
    },
  } satisfies Partial<TaskLedger>;
  const changes = {
    async addTask({ guid, kind, argument, createdAt }) {
      await sql.addTask({ guid, kind, argument: JSON.stringify(argument), createdAt });
    },
    async finishTask(guid, now, result) {
      return (await sql.finishTask({ guid, now, result: JSON.stringify(result) })) === 1;
    },
    async failTask(guid, now, failure) {
      return (await sql.failTask({ guid, now, failure })) === 1;
    },
    async cancelTask(guid, now) {
      return (await sql.cancelTask({ guid, now })) === 1;
    },
    async forgetTasks(before) {
      return await sql.forgetTasks({ before });
    },
  } satisfies Partial<TaskLedger>;
  return { reads, changes };
}
