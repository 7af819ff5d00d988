/** The rows of a group in tables that only the PostgreSQL ledger has. */
import type { Sql } from '../sql/sql.ts';
import { loadQueries } from '../sql/statements.ts';

const queries = loadQueries<{
  dropHolds(of: { group: string }): number;
  dropWindows(of: { prefix: string }): number;
}>(new URL('./group-removal.sql', import.meta.url));

/** Deletes them. For use within the transaction that deletes the others. */
export async function dropSharedRows(sql: Sql, group: string): Promise<void> {
  const within = queries(sql);
  await within.dropHolds({ group });
  await within.dropWindows({ prefix: `${group.length}:${group}` });
}
