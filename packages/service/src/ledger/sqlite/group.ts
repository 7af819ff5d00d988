/** The management groups of the SQLite ledger. */
import type { GroupLedger } from '../group.ts';
import { type GroupQueries, groupMethods, groupOf } from '../sql/group.ts';
import type { RowCache } from './cache.ts';
import { type Connection, openQueries } from './queries.ts';

export function groupLedger(connection: Connection, cache: RowCache) {
  const sql = openQueries<GroupQueries>('group', connection);
  const { reads, changes } = groupMethods(sql);
  const cached = {
    async group(group) {
      return cache.getOrLoad(cache.groups, group, () => {
        const row = sql.group({ group });
        return row && groupOf(row);
      });
    },
  } satisfies Partial<GroupLedger>;
  return { reads: { ...reads, ...cached }, changes };
}
