/** Management groups in SQL. */
import type { Group, GroupLedger } from '../group.ts';
import { columns, flag, json } from './columns.ts';
import type { RowCache } from './row-cache.ts';
import type { Sql } from './sql.ts';
import { loadQueries, type Row } from './statements.ts';

/** The limits are null without a row of settings. */
const groups = columns<Omit<Group, 'limits'> & { limits: Group['limits'] | null }>({
  group: 'group',
  name: 'name',
  limits: json('limits'),
  removing: flag('removing'),
});

const queries = loadQueries<{
  group(of: { group: string }): Row | undefined;
  groupList(): Row[];
  nameGroup(of: { group: string; name: string }): number;
  limitGroup(of: { group: string; limits: string }): number;
  limitClient(of: { clientId: string; limits: string }): number;
}>(new URL('./group.sql', import.meta.url));

function groupOf(row: Row): Group {
  const { limits, ...group } = groups.read(row);
  return { ...group, limits: limits ?? {} };
}

export function groupLedger(sql: Sql, cache: RowCache): GroupLedger {
  const query = queries(sql);
  return {
    group: (group) =>
      cache.groups.getOrLoad(group, async () => {
        const row = await query.group({ group });
        return row && groupOf(row);
      }),
    async groupList() {
      return (await query.groupList()).map(groupOf);
    },
    async nameGroup(group, name) {
      await cache.groups.changing(group, query.nameGroup({ group, name }));
    },
    async limitGroup(group, limits) {
      await cache.groups.changing(group, query.limitGroup({ group, limits: JSON.stringify(limits) }));
    },
    async limitClient(clientId, limits) {
      await cache.clients.changing(clientId, query.limitClient({ clientId, limits: JSON.stringify(limits) }));
    },
  };
}
