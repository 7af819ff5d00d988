/** Removing and exporting restaurants of the facts on ClickHouse. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FactsStore } from '../facts.ts';
import { ORDER_PARTS } from '../order.ts';
import type { LoadedParts } from './loaded-facts.ts';
import { integers, visible } from './reads.ts';
import { serverPart, serverText } from './server.ts';
import { FACT_TABLES, LIST_TABLES, serverTables } from './tables.ts';

/** Deletes rows in all tables and in the load log. Running it twice at the same time is harmless. */
export function removal({
  server,
  log,
  coverage,
}: LoadedParts): Pick<FactsStore, 'removeRestaurants' | 'exportRestaurants'> {
  return {
    async removeRestaurants(restaurantIds, { signal }, always) {
      // No restaurant has the number 0, and a list must not be empty.
      const ids = integers([0, ...restaurantIds]);
      for (const { name: table } of serverTables()) {
        signal?.throwIfAborted();
        if (!always && (await server.row('restaurantRows', { table, ids })).rows === 0) continue;
        await server.run(serverText('deleteRestaurants', { table, ids }));
      }
      await log.forgetRestaurants(restaurantIds);
      coverage.forget();
    },
    async exportRestaurants(restaurantIds, folder, { deadlineMs }) {
      const ids = integers([0, ...restaurantIds]);
      const { snapshot } = await log.seen();
      const files: string[] = [];
      for (const table of [...FACT_TABLES, ...LIST_TABLES]) {
        const { rows } = await server.row('restaurantRows', { table, ids });
        if (rows === 0) continue;
        const isPart = (ORDER_PARTS as readonly string[]).includes(table);
        const words = { table, ids, visible: visible(snapshot, isPart ? 'born' : 'load') };
        const file = `${table}.parquet`;
        await server.parquet(serverPart('exportRows', words), join(folder, file), { deadlineMs });
        if ((await stat(join(folder, file))).size > 0) files.push(file);
      }
      return files;
    },
  };
}
