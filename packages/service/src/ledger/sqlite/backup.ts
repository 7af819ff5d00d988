/** The copy of the SQLite ledger that a backup holds. */
import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { loadQueries } from '../sql/statements.ts';
import { openConnection } from './connection.ts';

const queries = loadQueries<{
  clearTasks(): number;
  clearDeliveries(): number;
  clearSessions(): number;
  clearLinks(): number;
  clearConnectionLeases(): number;
  completedReports(): { guid: string; attempt: number }[];
}>(new URL('./backup.sql', import.meta.url));

/** More pages than any file has: SQLite then copies them under one lock, and no commit makes it start over. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a ledger as of one commit, off the event loop, without its tasks, sessions, links, leases of connections and
 * deliveries that wait. Returns the reports that are completed in the copy. Throws if the file exists or cannot be
 * written.
 */
export async function copyLedger(
  source: string,
  file: string,
  busyMs: number,
): Promise<{ guid: string; attempt: number }[]> {
  closeSync(openSync(file, 'wx', 0o600));
  // A separate connection, so that the service's own is not blocked.
  const from = new DatabaseSync(source, { timeout: busyMs });
  try {
    await backup(from, file, { rate: ALL_PAGES });
  } finally {
    from.close();
  }
  const copy = new DatabaseSync(file);
  try {
    const query = queries(openConnection(copy, () => undefined).sql);
    await query.clearTasks();
    await query.clearDeliveries();
    await query.clearSessions();
    await query.clearLinks();
    await query.clearConnectionLeases();
    return (await query.completedReports()).map(({ guid, attempt }) => ({ guid, attempt }));
  } finally {
    copy.close();
  }
}
