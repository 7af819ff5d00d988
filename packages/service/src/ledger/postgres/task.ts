/** The tasks of the PostgreSQL ledger. */
import { type TaskQueries, taskMethods, taskOf } from '../sql/task.ts';
import type { TaskLedger } from '../task.ts';
import { lock } from './locks.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

const queries = loadQueries<TaskQueries>('task');

export function taskLedger(pool: PostgresPool) {
  const sql = queries(pool.run);
  const { reads, changes } = taskMethods(sql);
  const methods = {
    async claimTask(now) {
      // Asked twice a second for ever by every service: the lock is taken only when there is one.
      if (!(await sql.unfinishedTasks()).some(({ state }) => state === 'queued')) return undefined;
      return await pool.transaction(async (run) => {
        await lock(run, 'claimTask');
        const row = await queries(run).claimTask({ now });
        return row && taskOf(row);
      });
    },
  } satisfies Partial<TaskLedger>;
  return { ...reads, ...changes, ...methods };
}
