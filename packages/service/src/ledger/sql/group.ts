/** Management groups and their removal in SQL. */
import type { Group, GroupLedger, GroupRemovalLedger } from '../group.ts';
import { columns, flag, json } from './columns.ts';
import type { RowCache } from './row-cache.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

/** The limits are null without a row of settings. */
const groups = columns<Omit<Group, 'limits'> & { limits: Group['limits'] | null }>({
  group: 'group',
  name: 'name',
  limits: json('limits'),
  removing: flag('removing'),
});

interface GroupQueries {
  group(of: { group: string }): Row | undefined;
  groupList(): Row[];
  nameGroup(of: { group: string; name: string }): number;
  limitGroup(of: { group: string; limits: string }): number;
  limitClient(of: { clientId: string; limits: string }): number;
}

function groupOf(row: Row): Group {
  const { limits, ...group } = groups.read(row);
  return { ...group, limits: limits ?? {} };
}

/** The names and limits of groups, and the limits of clients. */
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

const GRANTED = ['endSessions', 'dropLinks', 'removeWebhooks', 'dropKeyUses'] as const;
/** What the removal begins with, after the clients are revoked. */
const BEGINNING = [...GRANTED, 'endConnections', 'cancelReports'] as const;
/** What it ends with, after its restaurants are noted: rows after those that refer to them. */
const ENDING = [
  ...GRANTED,
  'dropForms',
  'dropReports',
  'dropTurns',
  'dropImports',
  'dropDayparts',
  'dropFingerprintKey',
  'dropConnections',
  'dropRestaurants',
  'dropAudit',
  'dropClientLimits',
  'dropClients',
  'dropSettings',
  'dropGroup',
] as const;

type OfGroup = Record<
  (typeof BEGINNING)[number] | (typeof ENDING)[number] | 'endRemoval',
  (of: { group: string }) => number
>;
type OfGroupAt = Record<
  'addRemoval' | 'revokeClients' | 'noteRestaurants',
  (of: { group: string; now: number }) => number
>;

const queries = loadQueries<
  GroupQueries &
    OfGroup &
    OfGroupAt & {
      removals(): { group: string }[];
      reportsToRemove(of: { group: string; limit: number }): { guid: string }[];
      dropReport(of: { guid: string }): number;
      removedRestaurants(of: { since: number }): { id: number }[];
      dropStrayKeyUses(): number;
    }
>(new URL('./group.sql', import.meta.url));

/**
 * The removal of groups. `dropMore` deletes the rows of a group in tables that only this engine has, within the
 * transaction that deletes the others.
 */
export function groupRemovalLedger(
  sql: Sql,
  cache: RowCache,
  dropMore?: (inner: Sql, group: string) => Promise<void>,
): Omit<GroupRemovalLedger, 'compact'> {
  const query = queries(sql);
  /** A transaction after which nothing is cached, also after an error: the change may have been made. */
  const emptying = <T>(work: (inner: Sql) => Promise<T>): Promise<T> =>
    sql.transaction(work).finally(() => cache.empty());
  return {
    beginRemoval: (group, now) =>
      emptying(async (inner) => {
        const within = queries(inner);
        await within.addRemoval({ group, now });
        await within.revokeClients({ group, now });
        for (const name of BEGINNING) await within[name]({ group });
        return (await within.removals()).some((one) => one.group === group);
      }),
    async removals() {
      return (await query.removals()).map(({ group }) => group);
    },
    async reportsToRemove(group, limit) {
      return (await query.reportsToRemove({ group, limit })).map(({ guid }) => guid);
    },
    dropReports: (guids) =>
      emptying(async (inner) => {
        const within = queries(inner);
        for (const guid of guids) await within.dropReport({ guid });
      }),
    dropGroup: (group, now) =>
      emptying(async (inner) => {
        const within = queries(inner);
        await within.noteRestaurants({ group, now });
        for (const name of ENDING) await within[name]({ group });
        await dropMore?.(inner, group);
      }),
    async endRemoval(group) {
      await query.endRemoval({ group });
    },
    async removedRestaurants(since) {
      return (await query.removedRestaurants({ since })).map(({ id }) => id);
    },
    dropStrays: () => query.dropStrayKeyUses(),
  };
}
