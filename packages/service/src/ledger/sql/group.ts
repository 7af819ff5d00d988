/** Management groups: rows, statements, methods. */
import type { Group, GroupLedger } from '../group.ts';
import type { Statements } from './statements.ts';

interface GroupRow {
  group: string;
  name: string;
  /** Null without a row of settings. */
  limits: string | null;
  /** 0 or 1 from SQLite. */
  removing: boolean | number;
}

export interface GroupQueries {
  group(of: { group: string }): GroupRow | undefined;
  groupList(): GroupRow[];
  nameGroup(of: { group: string; name: string }): number;
  limitGroup(of: { group: string; limits: string }): number;
  limitClient(of: { clientId: string; limits: string }): number;
}

export const groupOf = ({ group, name, limits, removing }: GroupRow): Group => ({
  ...{ group, name, removing: Boolean(removing) },
  limits: JSON.parse(limits ?? '{}'),
});

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function groupMethods(sql: Statements<GroupQueries>) {
  const reads = {
    async groupList() {
      return (await sql.groupList()).map(groupOf);
    },
  } satisfies Partial<GroupLedger>;
  const changes = {
    async nameGroup(group, name) {
      await sql.nameGroup({ group, name });
    },
    async limitGroup(group, limits) {
      await sql.limitGroup({ group, limits: JSON.stringify(limits) });
    },
    async limitClient(clientId, limits) {
      await sql.limitClient({ clientId, limits: JSON.stringify(limits) });
    },
  } satisfies Partial<GroupLedger>;
  return { reads, changes };
}
