/**
 * Names and menus of the facts on ClickHouse: each list that is written is a load of its own, and the newest is
 * current.
 */

import { areSameMenus, entriesOf, menusOf } from '../duckdb/menus.ts';
import type { EngineRow } from '../duckdb/protocol.ts';
import { changedNames, referenceOf } from '../duckdb/reference-rows.ts';
import { MENU_ENTRY, NAME } from '../duckdb/row-types.ts';
import type { ReferenceFacts } from '../facts.ts';
import { countMenus } from '../reference.ts';
import type { Groups } from './groups.ts';
import { holding, type LoadedParts, repeated } from './loaded-facts.ts';
import { runLoads } from './protocol.ts';
import { listWords } from './reads.ts';
import { columnNames, type ListTable } from './tables.ts';

const REFERENCE_MS = 30_000;
const NO_GUID = '';
/** The columns that are read of each list. */
const READ: Record<ListTable, readonly string[]> = { names: Object.keys(NAME), menu_entries: Object.keys(MENU_ENTRY) };

/** A row for ClickHouse; missing columns are null. */
const rowOf = (table: ListTable, row: object): EngineRow =>
  Object.fromEntries(columnNames(table).map((name) => [name, (row as EngineRow)[name] ?? null]));

export function referenceFacts(parts: LoadedParts, groups: Groups): ReferenceFacts {
  const { server, log, merger, logger } = parts;

  async function read(table: ListTable, restaurant: number, columns = READ[table]): Promise<EngineRow[]> {
    const { snapshot } = await log.seen();
    return await server.rows('lists', listWords(table, [restaurant], snapshot, columns), {
      deadlineMs: REFERENCE_MS,
    });
  }

  /** Writes a list of a restaurant; an empty list is written as a marker row. */
  async function write(table: ListTable, restaurant: number, rowsOf: () => EngineRow[]): Promise<void> {
    const rows = {
      ...merger,
      find: async () => undefined,
      insert: (added: EngineRow[], until: number) => server.insert(table, added, until),
    };
    await groups.exclusive(restaurant, async () => {
      const { loads } = await repeated(logger, () =>
        holding(parts, (holder) =>
          runLoads(log, rows, holder, {
            entries: [{ restaurant, kind: 'reference' }],
            wanted: async () => undefined,
            merge: async (_, begun) =>
              rowsOf().map((row) => ({
                is_marker: false,
                ...row,
                restaurant_id: restaurant,
                load: begun.loads[0]?.load,
              })),
            rowsOf: (added) => added.length,
          }),
        ),
      );
      return loads.length > 0;
    });
  }

  return {
    reference: async (restaurant) => referenceOf(await read('names', restaurant)),
    async hasList(restaurant, of) {
      const rows = await read(of === 'menus' ? 'menu_entries' : 'names', restaurant, ['1 as one']);
      return rows.length > 0;
    },
    async putReference(restaurant, lists) {
      const stored = await read('names', restaurant);
      const kinds = Object.entries(changedNames(lists, stored));
      if (kinds.length === 0) return referenceOf(stored);
      const rows = (): EngineRow[] =>
        kinds.flatMap(([kind, list]) =>
          list.length === 0
            ? [{ ...rowOf('names', { kind, guid: NO_GUID }), is_marker: true }]
            : list.map((row) => rowOf('names', { ...row, kind })),
        );
      await write('names', restaurant, rows);
      return referenceOf(await read('names', restaurant));
    },
    async putMenus(restaurant, menus) {
      if (areSameMenus(menusOf(await read('menu_entries', restaurant)), menus)) return countMenus(menus);
      const entries = entriesOf(menus);
      const marker = { place: 0, kind: 'menu', guid: NO_GUID, name: '', is_first: false };
      await write('menu_entries', restaurant, () =>
        entries.length === 0
          ? [{ ...rowOf('menu_entries', marker), is_marker: true }]
          : entries.map((entry) => rowOf('menu_entries', entry)),
      );
      return countMenus(menus);
    },
    menus: async (restaurant) => menusOf(await read('menu_entries', restaurant)),
  };
}
