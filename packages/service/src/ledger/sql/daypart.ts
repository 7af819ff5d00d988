/** The dayparts: rows, statements, methods. */
import { LRUCache } from 'lru-cache';
import type { DaypartLedger, DaypartSets } from '../daypart.ts';
import type { Statements } from './statements.ts';

export interface DaypartQueries {
  dayparts(of: { group: string }): { restaurant_guid: string; dayparts: string }[];
  daypartsVersion(of: { group: string }): { version: number } | undefined;
  putDayparts(of: { group: string; restaurantGuid: string; dayparts: string }): number;
  removeDayparts(of: { group: string; restaurantGuid: string }): number;
}

const GROUPS_KEPT = 1000;

export function daypartMethods(sql: Statements<DaypartQueries>) {
  const kept = new LRUCache<string, { version: unknown; sets: DaypartSets }>({ max: GROUPS_KEPT });
  const reads = {
    async dayparts(group) {
      // Read before the rows: a write between the two makes the next caller read them again.
      const version = (await sql.daypartsVersion({ group }))?.version;
      const known = kept.get(group);
      if (known && known.version === version) return known.sets;
      const rows = (await sql.dayparts({ group })).map(
        (row) => [row.restaurant_guid, JSON.parse(row.dayparts)] as const,
      );
      const { '': own = null, ...restaurants } = Object.fromEntries(rows);
      const sets = Object.freeze({ group: own, restaurants });
      kept.set(group, { version, sets });
      return sets;
    },
  } satisfies Partial<DaypartLedger>;
  const changes = {
    async putDayparts(group, restaurantGuid, dayparts) {
      await sql.putDayparts({ group, restaurantGuid: restaurantGuid ?? '', dayparts: JSON.stringify(dayparts) });
    },
    async removeDayparts(group, restaurantGuid) {
      await sql.removeDayparts({ group, restaurantGuid });
    },
  } satisfies Partial<DaypartLedger>;
  return { reads, changes };
}
