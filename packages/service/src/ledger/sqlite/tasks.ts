/** The tasks of the SQLite ledger, and the copy that a backup makes of it. */
import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Ledger } from '../ledger.ts';
import type { Task } from '../task.ts';

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

const taskOf = (row: TaskRow): Task => ({
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

type Tasks = Pick<
  Ledger,
  'addTask' | 'task' | 'unfinishedTasks' | 'claimTask' | 'finishTask' | 'failTask' | 'cancelTask' | 'forgetTasks'
>;

export function tasksOf(statement: (name: string) => StatementSync): Tasks {
  const unfinished = (): TaskRow[] => statement('unfinishedTasks').all() as unknown as TaskRow[];
  const changes = (name: string, values: Record<string, string | number>): number =>
    Number(statement(name).run(values).changes);
  return {
    async addTask({ guid, kind, argument, createdAt }) {
      statement('addTask').run({ guid, kind, argument: JSON.stringify(argument), createdAt });
    },
    async task(guid) {
      const row = statement('task').get({ guid }) as TaskRow | undefined;
      return row && taskOf(row);
    },
    async unfinishedTasks() {
      return unfinished().map(taskOf);
    },
    async claimTask(now) {
      // Asked twice a second for ever: the update, which takes the write lock, only when there is one.
      if (!unfinished().some(({ state }) => state === 'queued')) return undefined;
      const [row] = statement('claimTask').all({ now }) as unknown as TaskRow[];
      return row && taskOf(row);
    },
    async finishTask(guid, now, result) {
      return changes('finishTask', { guid, now, result: JSON.stringify(result) }) === 1;
    },
    async failTask(guid, now, failure) {
      return changes('failTask', { guid, now, failure }) === 1;
    },
    async cancelTask(guid, now) {
      return changes('cancelTask', { guid, now }) === 1;
    },
    async forgetTasks(before) {
      return changes('forgetTasks', { before });
    },
  };
}

/** More pages than there are: SQLite then copies them under one lock, and no commit makes it begin again. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a ledger as one commit left it, off the event loop; its tasks and what its clients are still to be told stay behind. `completed` is the statement that
 * lists the completed reports. Throws when the file cannot be written.
 */
export async function copyLedger(
  source: string,
  file: string,
  completed: string,
  busyMs: number,
): Promise<{ guid: string; attempt: number }[]> {
  closeSync(openSync(file, 'wx', 0o600));
  // A connection of its own: the service's stays free for everybody else.
  const from = new DatabaseSync(source, { timeout: busyMs });
  try {
    await backup(from, file, { rate: ALL_PAGES });
  } finally {
    from.close();
  }
  const copy = new DatabaseSync(file);
  try {
    // What was asked of the service that is copied is not asked of the one that takes the copy up.
    copy.exec(`delete from task; delete from delivery where state = 'waiting'`);
    return copy
      .prepare(completed)
      .all()
      .map((row) => ({ guid: String(row.guid), attempt: Number(row.attempt) }));
  } finally {
    copy.close();
  }
}
