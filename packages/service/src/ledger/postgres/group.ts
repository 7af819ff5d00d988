/** The management groups of the PostgreSQL ledger. */
import type { GroupLedger } from '../group.ts';
import { type GroupQueries, groupMethods, groupOf } from '../sql/group.ts';
import type { RowCache } from './cache.ts';
import { dropping } from './dropping.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

const queries = loadQueries<GroupQueries>('group');

/** A changed row is dropped from this service's cache once the change is committed; in other services it expires within a second. */
export function groupLedger(pool: PostgresPool, cache: RowCache) {
  const sql = queries(pool.run);
  const { reads, changes } = groupMethods(sql);
  const ofGroup = dropping((group: string) => cache.groups.drop(group));
  const methods = {
    async group(group) {
      return await cache.groups.getOrLoad(group, async () => {
        const row = await sql.group({ group });
        return row && groupOf(row);
      });
    },
    nameGroup: ofGroup(changes.nameGroup),
    limitGroup: ofGroup(changes.limitGroup),
    limitClient: dropping((clientId: string) => cache.clients.drop(clientId))(changes.limitClient),
  } satisfies Partial<GroupLedger>;
  return { ...reads, ...methods };
}
