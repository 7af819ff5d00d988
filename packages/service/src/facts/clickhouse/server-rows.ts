/** Work on rows within the ClickHouse server: deleting rows that nobody sees, and summing up deltas. */
import { DERIVED_TABLES } from '../duckdb/derived.ts';
import { ORDER_PARTS } from '../order.ts';
import type { RowStore } from './protocol.ts';
import { integers, promotedWords, visible } from './reads.ts';
import { notLate, type Server, serverText } from './server.ts';
import { FACT_TABLES, LIST_TABLES, promotedOf, rollupColumns } from './tables.ts';

export type ServerRows = Pick<
  RowStore<never, never, never>,
  'deleteLoads' | 'deletePromotions' | 'deleteDeltas' | 'promote'
>;

export function openServerRows(server: Server): ServerRows {
  return {
    async deleteLoads(loads) {
      const words = { loads: integers(loads) };
      for (const table of [...FACT_TABLES, 'places', ...DERIVED_TABLES, ...LIST_TABLES]) {
        const isPart = (ORDER_PARTS as readonly string[]).includes(table);
        await server.run(serverText('deleteLoads', { ...words, table, column: isPart ? 'born' : 'load' }));
      }
    },
    async deletePromotions(promotions) {
      for (const table of DERIVED_TABLES) {
        const words = { table: promotedOf(table), column: 'promotion', loads: integers(promotions) };
        await server.run(serverText('deleteLoads', words));
      }
    },
    async deleteDeltas(seen) {
      for (const table of DERIVED_TABLES)
        await server.run(serverText('deleteDeltas', { table, visible: visible(seen), high: integers([seen.high]) }));
    },
    async promote(promotion, to, from, until) {
      for (const table of DERIVED_TABLES) {
        const { by, sums } = rollupColumns(table);
        const words = {
          ...promotedWords(from && { promotion: 0, snapshot: from, except: [] }),
          table,
          promoted: promotedOf(table),
          promotion: String(promotion),
          visible: visible(to),
          notLate: notLate(until),
          by: by.join(', '),
          names: Object.keys(sums).join(', '),
          sums: Object.entries(sums)
            .map(([name, sum]) => `${sum} as ${name}`)
            .join(', '),
          some:
            table === 'loaded_days'
              ? 'true'
              : Object.values(sums)
                  .map((sum) => `${sum} <> 0`)
                  .join(' or '),
        };
        await server.run(serverText('promote', words));
      }
    },
  };
}
