/** The copy of the SQLite ledger that a backup holds. */
import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { openQueries } from './queries.ts';

interface BackupQueries {
  clearTasks(): number;
  clearDeliveries(): number;
  clearSessions(): number;
  clearLinks(): number;
  completedReports(): { guid: string; attempt: number }[];
}

/** More pages than there are: SQLite then copies them under one lock, and no commit makes it begin again. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a ledger as one commit left it, off the event loop, without its tasks, its sessions and the deliveries that wait. Answers the reports
 * that are completed in the copy. Throws when the file is there or cannot be written.
 */
export async function copyLedger(
  source: string,
  file: string,
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
    const sql = openQueries<BackupQueries>('backup', {
      db: copy,
      onChange: () => undefined,
    });
    sql.clearTasks();
    sql.clearDeliveries();
    sql.clearSessions();
    sql.clearLinks();
    return sql.completedReports().map(({ guid, attempt }) => ({ guid, attempt }));
  } finally {
    copy.close();
  }
}
