/** Removing a group from the PostgreSQL ledger. */
import type { GroupRemovalLedger } from '../group-removal.ts';
import { BEGINNING, ENDING, type GroupRemovalQueries, groupRemovalMethods } from '../sql/group-removal.ts';
import type { RowCache } from './cache.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

interface ServerQueries extends GroupRemovalQueries {
  dropHolds(of: { group: string }): number;
  dropWindows(of: { prefix: string }): number;
}

const queries = loadQueries<ServerQueries>('group-removal');

export function groupRemovalLedger(pool: PostgresPool, cache: RowCache) {
  const { reads, changes } = groupRemovalMethods(queries(pool.run));
  const emptied = async <T>(work: Promise<T>): Promise<T> => await work.finally(() => cache.empty());
  const methods = {
    beginRemoval: (group, now) =>
      emptied(
        pool.transaction(async (run) => {
          const sql = queries(run);
          await sql.addRemoval({ group, now });
          await sql.revokeClients({ group, now });
          for (const name of BEGINNING) await sql[name]({ group });
          return (await sql.removals()).some((one) => one.group === group);
        }),
      ),
    dropReports: (guids) =>
      emptied(
        pool.transaction(async (run) => {
          for (const guid of guids) await queries(run).dropReport({ guid });
        }),
      ),
    dropGroup: (group, now) =>
      emptied(
        pool.transaction(async (run) => {
          const sql = queries(run);
          await sql.noteRestaurants({ group, now });
          for (const name of ENDING) await sql[name]({ group });
          await sql.dropHolds({ group });
          await sql.dropWindows({ prefix: `${group.length}:${group}` });
        }),
      ),
    // Autovacuum of the server reuses the space of deleted rows.
    compact: async () => undefined,
  } satisfies Partial<GroupRemovalLedger>;
  return { ...reads, ...changes, ...methods };
}
