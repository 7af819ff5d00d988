/** The leases of tasks in PostgreSQL: a task ends with the node that runs it, and the others notice. */
import { loadQueries, type Sql } from '../sql/statements.ts';
import { beginTask } from '../sql/task.ts';
import type { TaskLedger } from '../task.ts';

const queries = loadQueries<{
  dueTask(of: { now: number }): { guid: string } | undefined;
  failLost(of: { now: number; failure: string }): number;
  leaseTask(of: { guid: string; until: number }): number;
}>(new URL('./task.sql', import.meta.url));

/** Extended twice a second; long enough that a short outage of the server loses no task. */
const LEASE_MS = 60_000;
const LOST = 'the node that ran it ended before it was done; run the command again';

export function taskLeases(sql: Sql): Pick<TaskLedger, 'claimTask' | 'extendTask'> {
  const query = queries(sql);
  return {
    async claimTask(now) {
      // Every service asks this twice a second: the lock is taken only when a task is due.
      if (!(await query.dueTask({ now }))) return undefined;
      const claim = async (inner: Sql) => {
        const within = queries(inner);
        await within.failLost({ now, failure: LOST });
        const task = await beginTask(inner, now);
        if (task) await within.leaseTask({ guid: task.guid, until: now + LEASE_MS });
        return task;
      };
      return await sql.transaction(claim, ['claimTask']);
    },
    async extendTask(guid, now) {
      await query.leaseTask({ guid, until: now + LEASE_MS });
    },
  };
}
