/** The tasks of the PostgreSQL ledger. */
import { type TaskQueries, taskMethods, taskOf } from '../sql/task.ts';
import type { TaskLedger } from '../task.ts';
import { lock } from './locks.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

interface LeasedQueries extends TaskQueries {
  dueTask(of: { now: number }): { guid: string } | undefined;
  failLost(of: { now: number; failure: string }): number;
  leaseTask(of: { guid: string; until: number }): number;
}

const queries = loadQueries<LeasedQueries>('task');

/** Extended twice a second; long enough that a short outage of the server loses no task. */
const LEASE_MS = 60_000;
const LOST = 'the node that ran it ended before it was done; run the command again';

export function taskLedger(pool: PostgresPool) {
  const sql = queries(pool.run);
  const { reads, changes } = taskMethods(sql);
  const methods = {
    async claimTask(now) {
      // Every service asks this twice a second: the lock is taken only when a task is due.
      if (!(await sql.dueTask({ now }))) return undefined;
      return await pool.transaction(async (run) => {
        await lock(run, 'claimTask');
        const locked = queries(run);
        await locked.failLost({ now, failure: LOST });
        const row = await locked.claimTask({ now });
        if (row) await locked.leaseTask({ guid: row.guid, until: now + LEASE_MS });
        return row && taskOf(row);
      });
    },
    async extendTask(guid, now) {
      await sql.leaseTask({ guid, until: now + LEASE_MS });
    },
  } satisfies Partial<TaskLedger>;
  return { ...reads, ...changes, ...methods };
}
