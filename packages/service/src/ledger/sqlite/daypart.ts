/** The dayparts of the SQLite ledger. */
import { LRUCache } from 'lru-cache';
import type { DaypartLedger, DaypartSets } from '../daypart.ts';
import { type Connection, openQueries } from './queries.ts';

interface DaypartQueries {
  dayparts(of: { group: string }): { restaurant_guid: string; dayparts: string }[];
  daypartsVersion(of: { group: string }): { version: number } | undefined;
  putDayparts(of: { group: string; restaurantGuid: string; dayparts: string }): number;
  removeDayparts(of: { group: string; restaurantGuid: string }): number;
}

const GROUPS_KEPT = 1000;

export function daypartLedger(connection: Connection) {
  const sql = openQueries<DaypartQueries>(new URL('./daypart.sql', import.meta.url), connection);
  const kept = new LRUCache<string, { version: unknown; sets: DaypartSets }>({ max: GROUPS_KEPT });
  const reads = {
    async dayparts(group) {
      // Read before the rows: a write between the two makes the next caller read them again.
      const version = sql.daypartsVersion({ group })?.version;
      const known = kept.get(group);
      if (known && known.version === version) return known.sets;
      const rows = sql.dayparts({ group }).map((row) => [row.restaurant_guid, JSON.parse(row.dayparts)] as const);
      const { '': own = null, ...restaurants } = Object.fromEntries(rows);
      const sets = Object.freeze({ group: own, restaurants });
      kept.set(group, { version, sets });
      return sets;
    },
  } satisfies Partial<DaypartLedger>;
  const changes = {
    async putDayparts(group, restaurantGuid, dayparts) {
      sql.putDayparts({ group, restaurantGuid: restaurantGuid ?? '', dayparts: JSON.stringify(dayparts) });
    },
    async removeDayparts(group, restaurantGuid) {
      sql.removeDayparts({ group, restaurantGuid });
    },
  } satisfies Partial<DaypartLedger>;
  return { reads, changes };
}
