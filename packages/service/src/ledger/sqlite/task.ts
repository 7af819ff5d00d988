/** The tasks of the SQLite ledger. */
import { type TaskQueries, taskMethods, taskOf } from '../sql/task.ts';
import type { TaskLedger } from '../task.ts';
import { type Connection, openQueries } from './queries.ts';

export function taskLedger(connection: Connection) {
  const sql = openQueries<TaskQueries>('task', connection);
  const { reads, changes } = taskMethods(sql);
  const claiming = {
    async claimTask(now) {
      // Asked twice a second: the update, which takes the write lock, runs only when a task is queued.
      if (!sql.unfinishedTasks().some(({ state }) => state === 'queued')) return undefined;
      const row = sql.claimTask({ now });
      return row && taskOf(row);
    },
  } satisfies Partial<TaskLedger>;
  const unleased = {
    async extendTask() {},
  } satisfies Partial<TaskLedger>;
  return { reads: { ...reads, ...unleased }, changes: { ...changes, ...claiming } };
}
