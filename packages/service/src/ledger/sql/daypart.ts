/** The dayparts in SQL. */
import { LRUCache } from 'lru-cache';
import type { Daypart } from '../../contract/dayparts.ts';
import type { DaypartLedger, DaypartSets } from '../daypart.ts';
import { columns, json, type Stored } from './columns.ts';
import type { Sql } from './sql.ts';
import { loadQueries, type Row } from './statements.ts';

interface DaypartSet {
  /** Empty for the group's own. */
  restaurantGuid: string;
  dayparts: readonly Daypart[];
}

const sets = columns<DaypartSet>({ restaurantGuid: 'restaurant_guid', dayparts: json('dayparts') });

const queries = loadQueries<{
  dayparts(of: { group: string }): Row[];
  daypartsVersion(of: { group: string }): { version: number } | undefined;
  putDayparts(of: Stored<DaypartSet> & { group: string }): number;
  removeDayparts(of: { group: string; restaurantGuid: string }): number;
}>(new URL('./daypart.sql', import.meta.url));

const GROUPS_KEPT = 1000;

export function daypartLedger(sql: Sql): DaypartLedger {
  const query = queries(sql);
  const kept = new LRUCache<string, { version: unknown; sets: DaypartSets }>({ max: GROUPS_KEPT });
  return {
    async dayparts(group) {
      // Read before the rows: a write between the two makes the next caller read them again.
      const version = (await query.daypartsVersion({ group }))?.version;
      const known = kept.get(group);
      if (known && known.version === version) return known.sets;
      const rows = (await query.dayparts({ group })).map(sets.read);
      const { '': own = null, ...restaurants } = Object.fromEntries(
        rows.map(({ restaurantGuid, dayparts }) => [restaurantGuid, dayparts]),
      );
      const found = Object.freeze({ group: own, restaurants });
      kept.set(group, { version, sets: found });
      return found;
    },
    async putDayparts(group, restaurantGuid, dayparts) {
      await query.putDayparts({ group, ...sets.values({ restaurantGuid: restaurantGuid ?? '', dayparts }) });
    },
    async removeDayparts(group, restaurantGuid) {
      await query.removeDayparts({ group, restaurantGuid });
    },
  };
}
